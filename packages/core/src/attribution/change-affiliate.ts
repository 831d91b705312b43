import { sql } from 'kysely';
import { movePromoCodes } from '../codes/promo-codes/change-promo-code.ts';
import { hasPerson } from '../identity/affiliations/affiliations.ts';
import { lockAffiliate } from '../ledger/affiliate-lock.ts';
import { flagSelfReferrals, releaseFromSuspicion } from '../ledger/earning/flag-commission.ts';
import { changeAddresses } from '../payouts/methods/change-addresses.ts';
import { PAYOUT_REASONS } from '../payouts/port/reasons.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { lock } from '../platform/call/records.ts';
import { invalid } from '../platform/errors/errors.ts';
import { copiesTo, mailAffiliates } from '../program/affiliate-mails/affiliate-mail.ts';
import { Affiliate } from '../program/affiliates/affiliate.entity.ts';
import type { PlainAffiliate, UpdateAffiliate } from '../program/affiliates/affiliate.schema.ts';
import { updateApplicant } from '../program/applicants/update-applicant.ts';
import { moveLinks } from '../program/links/link.service.ts';
import { emailsShown, splitAddresses } from '../program/payout-methods/address-fields.schema.ts';
import { type LeftBehind, findLeftBehind } from './left-behind.ts';
import { ATTRIBUTION_REASONS } from './reasons.ts';

/**
 * Changes the given fields of an affiliate. With `move_links`, the affiliate's links and promo codes move to the new campaign. New addresses are
 * compared with those of customers (docs/rules/ledger.md#self-referral). After a change of the email address, the affiliate belongs to the owner of
 * the new address. The former address gets an email about a change of the email address. `changeAddresses` tells what follows from new payout
 * addresses.
 * When the affiliate becomes active, commissions that were flagged because the affiliate was suspicious are released (docs/rules/ledger.md#review).
 *
 * @throws NOT_FOUND; VALIDATION_ERROR, including for `move_links` without a campaign
 */
export async function changeAffiliate(
  ctx: WriteCtx,
  { move_links, ...input }: UpdateAffiliate,
): Promise<PlainAffiliate & { left_behind?: LeftBehind }> {
  if (move_links && input.campaign_id === undefined)
    throw invalid('campaign_id', ATTRIBUTION_REASONS.campaign_required_for_links, 'required');
  const affiliate = await lock(ctx, Affiliate, input.id);
  if (affiliate.erased_at !== null) throw invalid('id', PAYOUT_REASONS.affiliate_erased, 'erased');
  const { id, email, state, campaign_id: from } = affiliate;
  const { addresses, others } = splitAddresses(input);
  const isReaddressed = input.email !== undefined && input.email.toLowerCase() !== email.toLowerCase();
  const mayWarn = isReaddressed || addresses.size > 0;
  // This check and the first email come before the change, because the change may remove the person from the affiliate, and the email is in
  // the language of that person.
  const canSignIn = mayWarn && (await hasPerson(ctx.db, id));
  if (isReaddressed && canSignIn) await mailAffiliates(ctx, 'email_changed_by_merchant', copiesTo(id, [email], {}));
  let record = await updateApplicant(ctx, others);
  const belongsToAnother = isReaddressed && (await leaveFormerPerson(ctx, id));
  if (move_links && record.campaign_id !== from) {
    await moveLinks(ctx, id, { from, to: record.campaign_id });
    await movePromoCodes(ctx, id, { from, to: record.campaign_id });
  }
  if (isReaddressed) {
    const paidTo = emailsShown(record);
    await flagSelfReferrals(ctx, id, [email, ...paidTo], [record.email, ...paidTo]);
  }
  if (addresses.size > 0) {
    // Includes the addresses from before the change, because a thief may have changed the email address too, in this request or an earlier
    // one.
    const own = canSignIn ? [email, belongsToAnother ? null : record.email] : [];
    record = (await changeAddresses(ctx, id, addresses, own)) ?? record;
  }
  if (record.state === 'active' && state !== 'active') await releaseFromSuspicion(ctx, await lockAffiliate(ctx, id), id);
  const left_behind = record.campaign_id === from ? null : await findLeftBehind(ctx, id, from);
  return left_behind === null ? record : { ...record, left_behind };
}

/**
 * Unlinks the affiliate from its user, and closes the portals that links and tokens have opened, unless that user has verified the affiliate's new
 * address. The affiliate belongs to the owner of the address that the merchant enters (docs/rules/portal.md#affiliates-in-the-portal).
 *
 * @returns true if the affiliate now belongs to the owner of the new address, who has yet to sign in
 */
async function leaveFormerPerson({ db }: WriteCtx, affiliateId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update affiliate set user_id = null
    where id = ${affiliateId} and not exists (
      select from auth_user
      where auth_user.id = affiliate.user_id and auth_user.email_verified and lower(auth_user.email) = lower(affiliate.email)
    )`.execute(db);
  if (numAffectedRows !== 1n) return false;
  await sql`delete from portal_access where affiliate_id = ${affiliateId} and kind <> 'view'`.execute(db);
  return true;
}
