import { type RawBuilder, sql } from 'kysely';
import type { SaleClues } from '../../attribution/attribute.ts';
import { REFERRAL, REFERRED_ID } from '../../attribution/claims/referred.ts';
import {
  CLAIMANT,
  type ClaimantRow,
  type Claimants,
  claimantIn,
  claimingAffiliate,
  claimingCampaign,
  claimingReferral,
  lockClaimantOf,
} from '../../attribution/gather/claimants.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { LostRace } from '../../platform/errors/constraints.ts';
import { type NamesOfCharge, idOfSale, lockNames, type SoughtSale, soughtSale } from '../sales/record-sale.ts';

/** The existing records to which a report of a sale refers. */
interface Report extends Pick<SaleClues, 'referral' | 'referredId'> {
  /** Id of the sale if it was recorded before, otherwise null. */
  saleId: string | null;
  /** The affiliate of the referral, locked and loaded as by `lockClaimants`. Null if it is not locked. */
  claimants: Claimants | null;
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
  const values = soughtSale(ctx.accountId, names);
  if (!referralId) {
    const row = (await findSale(ctx.db, values))[0]!;
    return { saleId: row.sale_id, referral: null, referredId: null, claimants: null };
  }
  const ofReferral = { ...values, referralId };
  if (!isOnlyEvidence) {
    const row = (await findSaleAndReferral(ctx.db, ofReferral))[0]!;
    return { saleId: row.sale_id, referral: REFERRAL.read(ctx, row), referredId: row.referred_id, claimants: null };
  }
  // PostgreSQL executes the second statement after the first, so it reads under the lock.
  const [locked, [found]] = await Promise.all([lockClaimantOf(ctx, referralId), findSaleAndClaimant(ctx.db, ofReferral)]);
  const row = found!;
  const referral = REFERRAL.read(ctx, row);
  // The referral may have got a customer, and another affiliate may have got the referral, before the lock was granted.
  const isLocked = referral !== null && locked.of.has(referral.affiliate_id);
  const claimants = isLocked ? claimantIn(ctx, row, locked) : null;
  // The referral got a customer while this transaction waited. The repeated transaction locks the customer before the affiliate.
  if (row.referred_id !== null && locked.of.size > 0) throw new LostRace();
  return { saleId: row.sale_id, referral, referredId: row.referred_id, claimants };
}

interface Found extends Record<string, unknown> {
  sale_id: string | null;
  referred_id: string | null;
}

type FoundClaimant = Found & ClaimantRow;

type ReportOfReferral = SoughtSale & { referralId: string };

const findSale = prepared((_db, sought: SoughtSale) => sql<{ sale_id: string | null }>`select (${idOfSale(sought)}) as sale_id`);

const findSaleAndReferral = prepared((_db, report: ReportOfReferral) =>
  saleAndReferral<Found>(report, sql`referral.referral`, sql``),
);

const findSaleAndClaimant = prepared((_db, report: ReportOfReferral) =>
  saleAndReferral<FoundClaimant>(
    report,
    CLAIMANT,
    sql`left join ${claimingAffiliate(sql`referral.affiliate_id`)} on true left join ${claimingCampaign(sql`referral.campaign_id`)} on true`,
  ),
);

function saleAndReferral<Row extends Found>(
  { referralId, ...sought }: ReportOfReferral,
  columns: RawBuilder<unknown>,
  joins: RawBuilder<unknown>,
): RawBuilder<Row> {
  return sql<Row>`
    select (${idOfSale(sought)}) as sale_id, ${columns}, ${REFERRED_ID} as referred_id
    from (values (true)) report
    left join ${claimingReferral(sql`id = ${referralId} and account_id = ${sought.accountId}`)} on true ${joins}`;
}
