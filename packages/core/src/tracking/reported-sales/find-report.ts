import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { takeTime } from '../../platform/call/take-time.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { entityColumns } from '../../platform/db/entity-columns.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import type { SaleClues } from '../attribution/attribute-sale.ts';
import { REFERRED_ID } from '../attribution/referred.ts';
import { IS_CLAIMANT_LOCKED, lockClaimantOf } from '../attribution/lock-claimants.ts';
import { type NamesOfCharge, idOfSale, lockNames } from '../sales/record-sale.ts';

/** The existing records to which a report of a sale refers. */
interface Report extends Pick<SaleClues, 'referral' | 'referredId'> {
  /** Id of the sale if it was recorded before, otherwise null. */
  saleId: string | null;
  /** True if the affiliate of the referral is locked, and loaded with the campaign, as `lockClaimants` does. */
  isClaimantLocked: boolean;
}

/**
 * Finds the sale to which a report refers and the referral that it names, in one statement. If the provider may also report the charge,
 * locks the ids of the charge first (`lockNames`).
 *
 * @param isOnlyEvidence true if nothing but the referral says who sent the customer. The referral's affiliate is then locked here, unless
 * the referral has a customer, because the customer must be locked first
 */
export async function findReport(
  ctx: WriteCtx,
  names: NamesOfCharge,
  referralId: string | null | undefined,
  isOnlyEvidence: boolean,
): Promise<Report> {
  await lockNames(ctx, names);
  const locks = Boolean(referralId) && isOnlyEvidence;
  if (locks) await lockClaimantOf(ctx, referralId!);
  const referral = entityColumns(ctx.em, Referral, 'referral');
  const claimant = locks ? [entityColumns(ctx.em, Affiliate, 'affiliate'), entityColumns(ctx.em, Campaign, 'campaign')] : [];
  const columns = () => [referral, ...claimant].map((each) => each.columns).join(', ');
  const values = { accountId: ctx.accountId, referralId: referralId || undefined, ...names };
  const row = (await findSaleAndReferral(ctx.db, values, { columns, locks }))[0]!;
  if (!referralId) return { saleId: row.sale_id, referral: null, referredId: null, isClaimantLocked: false };
  const isClaimantLocked = row.is_claimant_locked === true;
  if (isClaimantLocked) for (const { entityOf } of claimant) entityOf(row);
  if (locks) takeTime(ctx);
  return { saleId: row.sale_id, referral: referral.entityOf(row), referredId: row.referred_id, isClaimantLocked };
}

interface Found extends Record<string, unknown> {
  sale_id: string | null;
  referred_id: string | null;
  is_claimant_locked?: boolean | null;
}

const findSaleAndReferral = prepared(
  (
    _db,
    { referralId, ...names }: NamesOfCharge & { accountId: string; referralId: string | undefined },
    { columns, locks }: { columns: () => string; locks: boolean },
  ) => {
    const saleId = sql`(${idOfSale(names)}) as sale_id`;
    if (referralId === undefined) return sql<Found>`select ${saleId}, null as referred_id`;
    const claimant = sql`left join affiliate on affiliate.id = referral.affiliate_id left join campaign on campaign.id = referral.campaign_id`;
    return sql<Found>`
      select ${saleId}, ${sql.raw(columns())}, ${REFERRED_ID} as referred_id${locks ? sql`, ${IS_CLAIMANT_LOCKED} as is_claimant_locked` : sql``}
      from (values (true)) report left join referral on referral.id = ${referralId} and referral.account_id = ${names.accountId}
      ${locks ? claimant : sql``}`;
  },
);
