/** Loads sales with their commissions, also those that only count towards limits. */
import { type RawBuilder, sql } from 'kysely';
import { Commission, IS_OF_SALE } from '../../ledger/commissions/commission.entity.ts';
import { OWED_CENTS } from '../../ledger/earning/credited.ts';
import { ENDED_BY_HAND_AT } from '../../ledger/earning/earn.ts';
import { IS_CLAIMED } from '../../ledger/payouts/payout.transitions.ts';
import { IS_IMPORTED_SALE, IS_LIVE_SALE, isLive, Sale } from '../../ledger/sales/sale.entity.ts';
import { selected } from '../../platform/call/records.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { earlierOf, type Instant } from '../../platform/time/instant.ts';
import { keyOf } from '../../program/customer-identities/customer-identity.ts';
import { identitiesOf } from '../../program/customers/customer.service.ts';
import { LIMIT_REASONS, limitsOf, restricts } from '../decide/decide.ts';
import { type ClaimFact, type SaleFact, type Payer, NOBODY } from '../decide/facts.ts';
import type { Reader, ClaimantFacts } from './claimants.ts';
import { type ScopeValues, salesOf } from './gather-scope.ts';

/** Adds the ids and the address that the merchant reported. */
export function payerOf({ report }: Pick<Sale, 'report'>, { ids, emails, references }: Payer): Payer {
  const { psp_customer_id, external_customer_id, customer_email: email } = report ?? {};
  const reported = identitiesOf({ psp_customer_id, external_customer_id }).map(keyOf);
  const addresses = identitiesOf({ email }).map(keyOf);
  return { ids: [...new Set([...ids, ...reported])], emails: [...new Set([...emails, ...addresses])], references };
}

export function factOfNew(sale: Sale, payer: Payer): SaleFact {
  return {
    sale,
    payer: payerOf(sale, payer),
    isCreated: true,
    reopenedBy: null,
    isOnlyCounted: false,
    commission: null,
    isClaimed: false,
    endedByHand: new Map(),
  };
}

const SALE = selected(Sale);

const COMMISSION = selected(Commission);

interface SaleRow extends Record<string, unknown> {
  payer: Payer | null;
}

interface CommissionRow extends Record<string, unknown>, Pick<Commission, 'affiliate_id' | 'superseded'> {
  sale_id: string;
  ended_by_hand_at: Instant | null;
  is_claimed: boolean;
}

/** SQL: the columns of a sale, and its payer. */
const SALE_COLUMNS = sql`${sql.raw(SALE.column)},
  case when sale.livemode is not null then (
    select payer from payment where payment.sale_id = sale.id) end as payer`;

/** SQL: the commissions, without bonuses, of the sales that `ids` finds, also the superseded ones. */
function commissionsOf(ids: RawBuilder<unknown>): RawBuilder<CommissionRow> {
  return sql<CommissionRow>`
    select ${sql.raw(COMMISSION.column)}, commission.sale_id, commission.affiliate_id, commission.superseded, ${ENDED_BY_HAND_AT} as ended_by_hand_at,
      commission.state in ('pending', 'due') and ${IS_CLAIMED} as is_claimed
    from commission where commission.sale_id in (${ids}) and ${IS_OF_SALE}`;
}

export const findSalesOfScope = prepared(
  (_db, { accountId, ...scope }: ScopeValues & { accountId: string }) => sql<SaleRow>`
    select ${SALE_COLUMNS} from sale where account_id = ${accountId} and id in (select id from (${salesOf(scope)}) found) and not ${IS_IMPORTED_SALE}`,
);

export const findCommissionsOfScope = prepared((_db, { accountId: _, ...scope }: ScopeValues & { accountId: string }) =>
  commissionsOf(sql`select id from (${salesOf(scope)}) found`),
);

export function salesWith(reader: Reader, sales: readonly SaleRow[], commissions: readonly CommissionRow[]): SaleFact[] {
  const ofSale = Map.groupBy(commissions, ({ sale_id }) => sale_id);
  return sales.map((row) => {
    const sale = SALE.read(reader, row)!;
    const rows = ofSale.get(sale.id) ?? [];
    const current = rows.find((each) => !each.superseded);
    const endedByHand = new Map<string, Instant>();
    for (const each of rows) {
      const before = endedByHand.get(each.affiliate_id);
      const at = each.ended_by_hand_at;
      if (at !== null && (before === undefined || before < at)) endedByHand.set(each.affiliate_id, at);
    }
    return {
      sale,
      payer: payerOf(sale, row.payer ?? NOBODY),
      isCreated: false,
      reopenedBy: null,
      isOnlyCounted: false,
      commission: current === undefined ? null : COMMISSION.read(reader, current),
      isClaimed: current?.is_claimed ?? false,
      endedByHand,
    };
  });
}

/**
 * Loads the other sales of the claims' referrals, e.g. those of other customers, if their campaign has limits, because they count towards the same
 * limits. A sale depends only on earlier ones, so of the sales before the decided ones no more are loaded than a limit has places.
 */
export async function readCounted(
  reader: Reader,
  claims: readonly ClaimFact[],
  { campaigns }: ClaimantFacts,
  sales: readonly SaleFact[],
): Promise<SaleFact[]> {
  const limitsFor = ({ campaign_id }: ClaimFact) => {
    const { current, former } = campaigns.get(campaign_id)!.versions;
    return [current, ...former].map(limitsOf).filter(restricts);
  };
  const limited = claims.filter((claim) => claim.referral_id !== null && limitsFor(claim).length > 0);
  if (limited.length === 0 || sales.length === 0) return [];
  const given: Counted = {
    accountId: reader.accountId,
    referralIds: limited.map(({ referral_id }) => referral_id!),
    known: sales.map(({ sale }) => sale.id),
    reasons: LIMIT_REASONS,
    from: sales.map(({ sale }) => sale.charged_at).reduce(earlierOf),
    places: Math.max(1, ...limited.flatMap(limitsFor).map(({ maxCommissions }) => maxCommissions ?? 1)),
    modes: [...new Set(sales.map(({ sale }) => isLive(sale)))],
  };
  const counted = salesWith(
    reader,
    ...(await Promise.all([findCountedSales(reader.db, given), findCommissionsOfCounted(reader.db, given)])),
  );
  return counted.map((fact) => ({ ...fact, isOnlyCounted: true }));
}

interface Counted {
  accountId: string;
  referralIds: readonly string[];
  /** The ids of the decided sales. */
  known: readonly string[];
  reasons: readonly string[];
  /** The time of the first decided sale. */
  from: Instant;
  /** The largest number of commissions that a limit allows. */
  places: number;
  /** The modes of the decided sales. */
  modes: readonly boolean[];
}

/**
 * SQL query: the ids of the sales of the referrals that count. These are the sales from `from` on that earned or that limits refused and, of the earlier
 * ones, the first that earned, which begins the period, and the first `places` that held a place at `from`. Commissions of nothing, which have a bonus,
 * take no place.
 */
function countedSales({ referralIds, known, reasons, from, places, modes }: Counted): RawBuilder<unknown> {
  // A scalar subquery: PostgreSQL would join `exists` and sort all sales of the referral.
  const earlier = (holds: RawBuilder<boolean>, limit: RawBuilder<unknown>) => sql`(
    select sale.id from sale
    where sale.referral_id = referral.id and sale.charged_at < ${from}::timestamptz and sale.no_commission_reason is null
      and ${IS_LIVE_SALE} = mode.is_live
      and (select true from commission where commission.sale_id = sale.id and ${IS_OF_SALE} and not commission.superseded and ${holds})
    order by sale.charged_at limit ${limit})`;
  // A sale that earns nothing any more takes no place. The amount of a commission that the merchant voided is that from before.
  const isVoided = sql<boolean>`(commission.state = 'voided' and not commission.voided_by_refund)`;
  const takesPlace = sql<boolean>`(case when ${isVoided} then commission.amount_cents else ${OWED_CENTS} end > 0)`;
  const heldPlace = sql<boolean>`(${takesPlace} and (not ${isVoided} or commission.voided_at >= ${from}::timestamptz))`;
  return sql`
    select counted.id from unnest(${referralIds}::text[]) referral (id) cross join unnest(${modes}::boolean[]) mode (is_live)
    cross join lateral (
      select sale.id from sale where sale.referral_id = referral.id and sale.charged_at >= ${from}::timestamptz
        and (sale.no_commission_reason is null or sale.no_commission_reason = any (${reasons}::text[]))
      union ${earlier(heldPlace, sql`${places}::bigint`)}
      union ${earlier(takesPlace, sql`1`)}
    ) counted
    where counted.id <> all (${known}::text[])`;
}

const findCountedSales = prepared(
  (_db, given: Counted) => sql<SaleRow>`
    select ${SALE_COLUMNS} from sale where account_id = ${given.accountId} and id = any (array(${countedSales(given)}))`,
);

// Arrays, because PostgreSQL expects too many rows of the query, and would scan the tables.

const findCommissionsOfCounted = prepared((_db, given: Counted) =>
  commissionsOf(sql`select unnest(array(${countedSales(given)}))`),
);

export async function readSales(reader: Reader, ids: readonly string[]): Promise<SaleFact[]> {
  if (ids.length === 0) return [];
  const given = { accountId: reader.accountId, ids };
  return salesWith(reader, ...(await Promise.all([findSalesById(reader.db, given), findCommissionsById(reader.db, given)])));
}

/** Loads the imported sales of a customer, which decisions leave out. */
export async function readImported({ db, accountId, ...reader }: Reader, customerId: string): Promise<SaleFact[]> {
  const own = sql`select id from sale where account_id = ${accountId} and customer_id = ${customerId} and ${IS_IMPORTED_SALE}`;
  const { rows } = await sql<SaleRow>`select ${SALE_COLUMNS} from sale where id in (${own})`.execute(db);
  const { rows: commissions } = await commissionsOf(own).execute(db);
  return salesWith({ db, accountId, ...reader }, rows, commissions);
}

const findSalesById = prepared(
  (_db, { accountId, ids }: { accountId: string; ids: readonly string[] }) => sql<SaleRow>`
    select ${SALE_COLUMNS} from sale where account_id = ${accountId} and id = any (${ids}::text[]) and not ${IS_IMPORTED_SALE}`,
);

const findCommissionsById = prepared((_db, { ids }: { accountId: string; ids: readonly string[] }) =>
  commissionsOf(sql`select unnest(${ids}::text[])`),
);
