import { sql } from 'kysely';
import { z } from 'zod';
import {
  changeAddresses,
  createPayoutMethod,
  retirePayoutMethod,
  updatePayoutMethod,
} from '../../payouts/methods/payout-method.service.ts';
import { offeredMethods } from '../../payouts/rails/offered-methods.ts';
import { type AtService, keepAccount } from '../../payouts/rails/open-account.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { fieldNames } from '../../platform/wire/wire-record.ts';
import { chooseProgramMails } from '../../program/affiliate-mails/program-mails.ts';
import { updateAffiliate } from '../../program/affiliates/affiliate.service.ts';
import { ADDRESS_FIELDS, addressFieldsOf, splitAddresses } from '../../program/payout-methods/address-fields.schema.ts';
import { findAddresses, openAddresses } from '../../program/payout-methods/payout-addresses.ts';
import {
  CreatePayoutMethod,
  OpenedPayoutAccount,
  OpenPayoutAccount,
  PayoutMethodKind,
  PayoutMethodRecord,
} from '../../program/payout-methods/payout-method.schema.ts';
import { selectMethods } from '../../program/payout-methods/payout-method.ts';
import type { AffiliateCtx, AffiliateWriteCtx } from '../access/affiliate-context.ts';
import { PORTAL_REASONS } from '../reasons.ts';
import { assertTermsAccepted } from '../terms/terms.ts';
import {
  type PayoutDetails,
  type PortalProfile,
  type PortalPromoCode,
  StoredProfile,
  type UpdatePayoutDetails,
  type UpdateProfile,
} from './profile.schema.ts';

const { affiliate_id: _, ...shown } = PayoutMethodRecord.shape;
export const PortalPayoutMethods = z
  .object({
    data: z.array(z.object(shown)),
    offered: z.array(PayoutMethodKind).describe('The kinds that the affiliate can add.'),
  })
  .meta({ id: 'PortalPayoutMethods', description: 'The ways in which the affiliate is paid.' });
export type PortalPayoutMethods = z.infer<typeof PortalPayoutMethods>;

export const SetPayoutMethod = CreatePayoutMethod.omit({ affiliate_id: true });
export type SetPayoutMethod = z.infer<typeof SetPayoutMethod>;

export const OpenOwnAccount = OpenPayoutAccount.pick({ kind: true, country: true });
export const OpenedOwnAccount = OpenedPayoutAccount.pick({ url: true, expires_at: true }).meta({
  id: 'OpenedOwnAccount',
  description: 'A page of the service that pays, where the affiliate enters what it asks for.',
});

/** Lists the affiliate's methods that are not removed, and the kinds that can be added. */
export async function listOwnMethods(ctx: AffiliateCtx): Promise<PortalPayoutMethods> {
  const { mine, now, affiliate } = ctx;
  const methods = await selectMethods(mine('affiliate', 'payout_method'), now)
    .where('retired_at', 'is', null)
    .orderBy('kind')
    .execute();
  return { data: methods, offered: await offeredMethods(mine('payout_rail', 'account'), ctx, affiliate.account_id) };
}

/**
 * Sets the address of the affiliate's method of a kind.
 *
 * @throws FORBIDDEN while the affiliate has not accepted the current terms; VALIDATION_ERROR for an address that does not have the form of its kind
 */
export async function setOwnMethod(ctx: AffiliateWriteCtx, { kind, address }: SetPayoutMethod): Promise<PortalPayoutMethods> {
  await assertTermsAccepted(ctx);
  const known = (await listOwnMethods(ctx)).data.find((method) => method.kind === kind);
  if (known) await updatePayoutMethod(ctx.tx, { id: known.id, address });
  else await createPayoutMethod(ctx.tx, { affiliate_id: ctx.affiliate.id, kind, address });
  return listOwnMethods(ctx);
}

/** Makes the account that was opened for the affiliate the method of its kind. Throws FORBIDDEN while the affiliate has not accepted the current terms. */
export async function keepOwnAccount(ctx: AffiliateWriteCtx, kind: string, account: AtService): Promise<OpenedPayoutAccount> {
  await assertTermsAccepted(ctx);
  return keepAccount(ctx.tx, { affiliate_id: ctx.affiliate.id, kind }, account);
}

/** Removes one of the affiliate's methods. Throws NOT_FOUND; VALIDATION_ERROR for the last one; FORBIDDEN while the affiliate has not accepted the current terms. */
export async function removeOwnMethod(ctx: AffiliateWriteCtx, { id }: { id: string }): Promise<PortalPayoutMethods> {
  await assertTermsAccepted(ctx);
  foundOrThrow(
    (await listOwnMethods(ctx)).data.find((method) => method.id === id),
    'payout method',
  );
  await retirePayoutMethod(ctx.tx, { id });
  await assertAddressLeft(ctx, 'id');
  return listOwnMethods(ctx);
}

/** Throws VALIDATION_ERROR with this path if the affiliate has no address any more, and could not be paid. */
async function assertAddressLeft(ctx: AffiliateWriteCtx, path: string): Promise<void> {
  const left = await findAddresses(ctx.tx, ctx.affiliate.id);
  if (Object.keys(left).length === 0) throw invalid(path, PORTAL_REASONS.last_address, 'required');
}

export async function getProfile({ mine, now }: Pick<AffiliateCtx, 'mine' | 'now'>): Promise<PortalProfile> {
  const row = await mine('affiliate')
    .selectFrom('affiliate')
    .select([...fieldNames(StoredProfile), 'created_at as joined_at', sql<boolean>`emails_ended_at is null`.as('gets_emails')])
    .executeTakeFirst();
  const change = await mine('email_change')
    .selectFrom('email_change')
    .select(['new_email', 'expires_at', 'former_token_hash', 'new_token_hash'])
    .where('expires_at', '>', now)
    .executeTakeFirst();
  const key = await mine('portal_access')
    .selectFrom('portal_access')
    .select(['created_at', 'expires_at'])
    .where('expires_at', '>', now)
    .executeTakeFirst();
  const terms = await mine('program_terms', 'terms_acceptance')
    .selectFrom('terms_acceptance')
    .innerJoin('program_terms', 'program_terms.version', 'terms_acceptance.version')
    .select(['program_terms.version', 'program_terms.body', 'terms_acceptance.accepted_at'])
    .orderBy('program_terms.version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    ...foundOrThrow(row, 'affiliate'),
    accepted_terms: terms ?? null,
    key: key ?? null,
    email_change: change
      ? {
          new_email: change.new_email,
          present_agreed: change.former_token_hash === null,
          new_agreed: change.new_token_hash === null,
          expires_at: change.expires_at,
        }
      : null,
  };
}

export async function getPayoutDetails({ mine, secrets }: AffiliateCtx): Promise<PayoutDetails> {
  const affiliate = await mine('affiliate').selectFrom('affiliate').select('payouts_held_until').executeTakeFirst();
  const methods = await mine('payout_method')
    .selectFrom('payout_method')
    .select(['kind', 'sealed_address'])
    .where('retired_at', 'is', null)
    .execute();
  const sealed = Object.fromEntries(methods.map(({ kind, sealed_address }) => [kind, sealed_address!]));
  return { ...addressFieldsOf(openAddresses(secrets, sealed)), ...foundOrThrow(affiliate, 'affiliate') };
}

/** Lists the affiliate's promo codes, newest first. */
export async function listOwnPromoCodes({ mine }: AffiliateCtx): Promise<{ data: PortalPromoCode[] }> {
  const data = await mine('promo_code', 'campaign')
    .selectFrom('promo_code')
    .leftJoin('campaign', 'campaign.id', 'promo_code.campaign_id')
    .select(['promo_code.code', 'promo_code.status', 'campaign.name as campaign_name'])
    .orderBy('promo_code.id', 'desc')
    .execute();
  return { data };
}

/** Changes the affiliate's names, billing details, which emails the affiliate gets, and how often. */
export async function updateProfile(
  ctx: AffiliateWriteCtx,
  { digest, gets_emails, billing_details, ...names }: UpdateProfile,
): Promise<PortalProfile> {
  if (Object.keys(names).length > 0) await updateAffiliate(ctx.tx, { id: ctx.affiliate.id, ...names });
  if (gets_emails !== undefined) await chooseProgramMails(ctx.tx.db, ctx.affiliate.id, { wanted: gets_emails, now: ctx.now });
  // No API shows these, so `updated_at` stays.
  const unseen = { ...(digest !== undefined && { digest }), ...(billing_details !== undefined && { billing_details }) };
  if (Object.keys(unseen).length > 0)
    await ctx.tx.db.updateTable('affiliate').set(unseen).where('id', '=', ctx.affiliate.id).execute();
  return getProfile(ctx);
}

/**
 * Changes the addresses to which the affiliate is paid (`changeAddresses`).
 *
 * @throws FORBIDDEN while the affiliate has not accepted the current terms; VALIDATION_ERROR for the removal of the last address
 */
export async function updatePayoutDetails(ctx: AffiliateWriteCtx, input: UpdatePayoutDetails): Promise<PayoutDetails> {
  await assertTermsAccepted(ctx);
  const changed = await changeAddresses(ctx.tx, ctx.affiliate.id, splitAddresses(input).addresses);
  const removed = ADDRESS_FIELDS.find((field) => input[field] === null);
  if (changed && removed !== undefined) await assertAddressLeft(ctx, removed);
  return getPayoutDetails(ctx);
}
