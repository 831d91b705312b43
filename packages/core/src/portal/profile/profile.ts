import { sql } from 'kysely';
import { foundOrThrow } from '../../platform/call/records.ts';
import { fieldNames } from '../../platform/wire/wire-record.ts';
import { ADDRESS_FIELDS, addressFieldsOf, splitAddresses } from '../../program/payout-methods/address-fields.schema.ts';
import { openAddresses } from '../../program/payout-methods/payout-addresses.ts';
import type { AffiliateCtx, AffiliateWriteCtx } from '../access/affiliate-context.ts';
import { type PayoutDetails, type PortalProfile, type PortalPromoCode, StoredProfile, type UpdatePayoutDetails, type UpdateProfile } from './profile.schema.ts';
import { changeAddresses } from '../../payouts/methods/change-addresses.ts';
import { chooseProgramMails } from '../../program/affiliate-mails/program-mails.ts';
import { updateAffiliate } from '../../program/affiliates/affiliate.service.ts';
import { assertTermsAccepted } from '../terms/terms.ts';
import { assertAddressLeft } from './own-methods.ts';

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
