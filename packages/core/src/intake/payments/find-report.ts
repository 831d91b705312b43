import { type RawBuilder, sql } from 'kysely';
import { REFERRAL, REFERRED_ID } from '../../attribution/claims/referred.ts';
import {
  CLAIMANT,
  type ClaimantRow,
  claimantIn,
  claimingAffiliate,
  claimingCampaign,
  claimingReferral,
  lockClaimantOf,
} from '../../attribution/gather/claimants.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { LostRace } from '../../platform/errors/constraints.ts';
import { invalid, noSuch } from '../../platform/errors/errors.ts';
import { mayBePurged } from '../../program/referrals/referral.transitions.ts';
import type { PaymentSeen } from '../../sources/port/seen.ts';
import { identifiesPayer } from '../sales/facts-of-payment.ts';
import { lockNames, type Referrer } from '../sales/record-sale.ts';
import type { Report } from '../sales/report.ts';

/** A report of a sale, and the existing records to which it refers. */
export interface FoundReport extends Referrer {
  report: Report;
  /** The sale, if it was recorded before. */
  sales: { id: string }[];
}

/**
 * Finds the sale to which a report refers and the referral that it names, in one statement. If the provider may also report the charge,
 * locks the names of the payment first (`lockNames`).
 *
 * If nothing but the referral says who sent the customer, also locks the referral's affiliate, unless the referral has a customer, because the customer
 * must be locked first.
 */
export async function findReport(ctx: WriteCtx, seen: PaymentSeen, report: Report): Promise<FoundReport> {
  const { names, group, references, codes } = seen;
  await lockNames(ctx, seen, report.external_id);
  const values = soughtSale(ctx.accountId, report.external_id, seen);
  const referralId = references[0]?.value;
  const found = ({ sale_id }: { sale_id: string | null }, referrer: Referrer): FoundReport => {
    if (referralId !== undefined && referrer.referral === null) assertPurged(ctx, referralId);
    return { report, sales: sale_id === null ? [] : [{ id: sale_id }], ...referrer };
  };
  if (referralId === undefined) return found((await findSale(ctx.db, values))[0]!, { referral: null, referredId: null });
  const ofReferral = { ...values, referralId };
  if (identifiesPayer(seen) || codes.length > 0 || names.length > 0 || group !== null) {
    const row = (await findSaleAndReferral(ctx.db, ofReferral))[0]!;
    return found(row, { referral: REFERRAL.read(ctx, row), referredId: row.referred_id });
  }
  // PostgreSQL executes the second statement after the first, so it reads under the lock.
  const [locked, rows] = await Promise.all([lockClaimantOf(ctx, referralId), findSaleAndClaimant(ctx.db, ofReferral)]);
  const row = rows[0]!;
  const referral = REFERRAL.read(ctx, row);
  // The referral may have got a customer, and another affiliate may have got the referral, before the lock was granted.
  const isLocked = referral !== null && locked.of.has(referral.affiliate_id);
  // The referral got a customer while this transaction waited. The repeated transaction locks the customer before the affiliate.
  if (row.referred_id !== null && locked.of.size > 0) throw new LostRace();
  return found(row, { referral, referredId: row.referred_id, claimants: isLocked ? claimantIn(ctx, row, locked) : null });
}

/**
 * Accepts an unknown referral id only if its referral may have been purged: the merchant may keep the id longer than this service does. The
 * sale is then recorded as if it named no referral. Throws VALIDATION_ERROR.
 */
function assertPurged(ctx: WriteCtx, referralId: string): void {
  if (!mayBePurged(referralId, ctx.now)) throw invalid('referral_id', noSuch('referral'), 'not_found');
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

/** The values of `idOfSale`. Undefined values are not given. */
interface SoughtSale {
  accountId: string;
  external_id: string;
  names: readonly string[] | undefined;
  firstName: string | undefined;
  group: string | undefined;
}

function soughtSale(accountId: string, external_id: string, { names, group }: PaymentSeen): SoughtSale {
  return {
    accountId,
    external_id,
    names: names.length === 0 ? undefined : names,
    firstName: names[0],
    group: names.length === 0 && group !== null ? group.name : undefined,
  };
}

/**
 * SQL query: the id of the sale of a report. If one sale has the merchant's id and another one a name, it is the sale with the merchant's id. A report that
 * names only a group, e.g. an invoice with several payments, is about a payment of the group that a source has told and no report has named yet. The
 * text of the query depends only on which values are given.
 */
function idOfSale({ accountId, external_id, names, firstName, group }: SoughtSale) {
  const isNamed = (name: RawBuilder<unknown>) =>
    sql`id = any (array(select sale_id from payment_name where account_id = ${accountId} and name ${name}))`;
  const matches = [sql`external_id = ${external_id}`];
  const best = [sql`external_id = ${external_id} desc nulls last`];
  if (names !== undefined) {
    matches.push(isNamed(sql`= any (${names}::text[]) and not of_group`));
    best.push(sql`${firstName} = any (names) desc`);
  }
  if (group !== undefined) {
    matches.push(sql`${isNamed(sql`= ${group} and of_group`)} and livemode is not null`);
    best.push(sql`(external_id is null) desc`);
  }
  return sql<string>`
    select id from sale where account_id = ${accountId} and (${sql.join(matches, sql` or `)})
    order by ${sql.join([...best, sql`id`])} limit 1`;
}
