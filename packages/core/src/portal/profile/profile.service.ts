import { changeAddresses } from '../../payouts/methods/payout-method.service.ts';
import { chooseProgramMails } from '../../program/affiliate-mails/program-mails.ts';
import { updateAffiliate } from '../../program/affiliates/affiliate.service.ts';
import { ADDRESS_FIELDS, splitAddresses } from '../../program/payout-methods/address-fields.schema.ts';
import type { AffiliateWriteCtx } from '../access/affiliate-context.ts';
import { chooseDigest } from '../notices/unsubscribe.ts';
import { assertTermsAccepted } from '../terms/terms.ts';
import { assertAddressLeft } from './own-methods.ts';
import { getPayoutDetails, getProfile } from './profile.queries.ts';
import type { PayoutDetails, PortalProfile, UpdatePayoutDetails, UpdateProfile } from './profile.schema.ts';

/** Changes the affiliate's names, billing details, which emails the affiliate gets, and how often. */
export async function updateProfile(
  ctx: AffiliateWriteCtx,
  { digest, gets_emails, billing_details, ...names }: UpdateProfile,
): Promise<PortalProfile> {
  if (Object.keys(names).length > 0) await updateAffiliate(ctx.tx, { id: ctx.affiliate.id, ...names });
  if (digest !== undefined) await chooseDigest(ctx.tx.db, ctx.affiliate.id, digest);
  if (gets_emails !== undefined) await chooseProgramMails(ctx.tx.db, ctx.affiliate.id, { wanted: gets_emails, now: ctx.now });
  if (billing_details !== undefined)
    await ctx.tx.db.updateTable('affiliate').set({ billing_details }).where('id', '=', ctx.affiliate.id).execute();
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
