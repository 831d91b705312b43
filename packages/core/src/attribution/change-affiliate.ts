import { sql } from 'kysely';
import { z } from 'zod';
import { movePromoCodes } from '../codes/promo-codes/change-promo-code.ts';
import { hasPerson } from '../identity/affiliations/affiliations.ts';
import { lockAffiliate } from '../ledger/affiliate-lock.ts';
import { carryDebts } from '../ledger/earning/carry-debts.ts';
import { flagSelfReferrals, releaseFromSuspicion } from '../ledger/earning/flag-commission.ts';
import { changeAddresses } from '../payouts/methods/payout-method.service.ts';
import { PAYOUT_REASONS } from '../payouts/port/reasons.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { confirmWrites, lock } from '../platform/call/records.ts';
import { sameText } from '../platform/db/conditions.ts';
import { isViolationOf, LostRace } from '../platform/errors/constraints.ts';
import { invalid } from '../platform/errors/errors.ts';
import { id } from '../platform/wire/scalars.ts';
import { copiesTo, mailAffiliates } from '../program/affiliate-mails/affiliate-mail.ts';
import { Affiliate } from '../program/affiliates/affiliate.entity.ts';
import { addAffiliate } from '../program/affiliates/affiliate.service.ts';
import type { CreateAffiliate, PlainAffiliate, UpdateAffiliate } from '../program/affiliates/affiliate.ts';
import { updateApplicant } from '../program/applicants/update-applicant.ts';
import { moveLinks } from '../program/links/link.service.ts';
import { emailsShown, splitAddresses } from '../program/payout-methods/address-fields.schema.ts';
import { isLiveReferral } from '../program/referrals/referral.entity.ts';
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

const MAX_IDS = 20;

/** The links, codes and referrals of an affiliate in the former campaign, by whose terms they earn after the affiliate has moved. */
export const LeftBehind = z
  .object({
    campaign_id: id('campaign').describe('The former campaign.'),
    links_count: z.int().describe('Number of links that are not archived.'),
    link_ids: z.array(id('link')).describe(`The first ${MAX_IDS} of the links.`),
    promo_codes_count: z.int().describe('Number of promo codes that are tracked.'),
    live_referrals_count: z.int().describe('Number of referrals that can still earn.'),
    message: z.string().describe('The counts in words, and the way to take links and codes along.'),
  })
  .meta({
    id: 'LeftBehind',
    description:
      'The links, codes and referrals that stay in the former campaign of an affiliate who has moved, and earn by its terms.',
  });
export type LeftBehind = z.infer<typeof LeftBehind>;

/** Returns what an affiliate has in a campaign after having moved to another one, or null. */
async function findLeftBehind({ db, now }: WriteCtx, affiliateId: string, campaignId: string): Promise<LeftBehind | null> {
  const { rows } = await sql<{
    links_count: number;
    link_ids: string[];
    promo_codes_count: number;
    live_referrals_count: number;
  }>`
    with left_link as (select id from link where affiliate_id = ${affiliateId} and campaign_id = ${campaignId} and archived_at is null)
    select (select count(*) from left_link) as links_count,
      array(select id from left_link order by id limit ${sql.lit(MAX_IDS)}) as link_ids,
      (select count(*) from promo_code where affiliate_id = ${affiliateId} and campaign_id = ${campaignId} and stopped_at is null) as promo_codes_count,
      (select count(*) from referral where affiliate_id = ${affiliateId} and campaign_id = ${campaignId}
        and ${isLiveReferral('referral', sql`${now}::timestamptz`)}) as live_referrals_count`.execute(db);
  const found = rows[0]!;
  const { links_count: links, promo_codes_count: codes, live_referrals_count: referrals } = found;
  if (links + codes + referrals === 0) return null;
  const offer =
    links + codes === 0
      ? 'Referrals always stay.'
      : 'To take links and codes along, send move_links: true with the new campaign_id; after the move, change the campaign_id of each link. Referrals always stay.';
  return {
    campaign_id: campaignId,
    ...found,
    message: `${links} links, ${codes} promo codes and ${referrals} live referrals stay in the former campaign and earn by its terms. ${offer}`,
  };
}

/**
 * Creates an affiliate, or changes the one with the same `external_id` or, without one, the same email address. An affiliate with the same email
 * address who has no `external_id` yet gets it. Archived affiliates are not found.
 *
 * @returns the affiliate, and whether this call created it
 * @throws VALIDATION_ERROR, including for an email address of an affiliate with another `external_id`; LostRace if a concurrent request has
 * created the same affiliate
 */
export async function upsertAffiliate(
  ctx: WriteCtx,
  { external_id, ...others }: CreateAffiliate,
): Promise<{ record: PlainAffiliate; created: boolean }> {
  const fields = external_id == null ? others : { ...others, external_id };
  const found = await findAffiliate(ctx, external_id ?? null, fields.email);
  if (found !== undefined)
    return { record: await changeAffiliate(ctx, { id: found, ...fields, move_links: false }), created: false };
  try {
    const record = await addAffiliate(ctx, fields, carryDebts);
    await confirmWrites(ctx);
    return { record, created: true };
  } catch (error) {
    throw ['affiliate_email', 'affiliate_external_id'].some((index) => isViolationOf(error, index)) ? new LostRace() : error;
  }
}

/** Throws VALIDATION_ERROR if the address belongs to an affiliate with another `external_id`, and nobody has this one. */
async function findAffiliate({ db, accountId }: WriteCtx, externalId: string | null, email: string): Promise<string | undefined> {
  const rows = await db
    .selectFrom('affiliate')
    .select(['id', 'external_id'])
    .where('account_id', '=', accountId)
    .where('archived_at', 'is', null)
    .where((where) => where.or([where('external_id', '=', externalId), sameText('email', email)]))
    .execute();
  if (externalId === null) return rows[0]?.id;
  const found = rows.find(({ external_id }) => external_id === externalId) ?? rows[0];
  if (found && found.external_id !== null && found.external_id !== externalId)
    throw invalid('email', ATTRIBUTION_REASONS.email_of_other_affiliate, 'taken');
  return found?.id;
}
