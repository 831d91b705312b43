import { sql } from 'kysely';
import { type AnewVerdict, decideAnew } from '../../attribution/decide-anew.ts';
import type { SaleVerdict } from '../../attribution/decide/decide.ts';
import { explanationOf } from '../../attribution/explain-sale.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { WorkingSet } from '../../platform/call/working-set.ts';
import { invalid, noSuch } from '../../platform/errors/errors.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { allOf } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { compare, type Given, type Paid } from './compare.ts';
import type { ListShadows, ShadowCustomer, ShadowSums, SumShadows } from './comparison.schema.ts';

/**
 * Lists the customers of affiliates, newest first, with what a former tool and this service give for each of their sales. Computed when it is read, by the
 * decision that is made about every sale. Nothing changes.
 */
export async function listShadows(ctx: Ctx, { affiliate_id, charged_since, ...input }: ListShadows) {
  const { data, pagination } = await paginate(customersOf(ctx, affiliate_id), input, {
    order: listOrder('-created_at', { table: 'customer', kind: 'customer' }),
    select: (all) => all.select(['id', 'created_at']),
  });
  const readAt = await findReadAt(ctx);
  const customers: { customer_id: string; sales: ComparedSale[] }[] = [];
  for (const { id } of data) customers.push({ customer_id: id, sales: await salesOf(ctx, id, readAt, charged_since) });
  return { data: await withNames(ctx, customers), pagination };
}

/** Customers whose sums are computed at once. */
const SUMMED_AT_ONCE = 200;

/**
 * Adds up what a former tool and this service give to each affiliate in each month, for the next customers of affiliates in the order of their ids. The sums of
 * all parts together are those of the account.
 */
export async function sumShadows(ctx: Ctx, { affiliate_id, charged_since, after = '' }: SumShadows): Promise<ShadowSums> {
  if (after !== '' && (await customersOf(ctx, undefined).select('id').where('id', '=', after).execute()).length === 0)
    throw invalid('after', noSuch('customer'), 'not_found');
  const customers = await customersOf(ctx, affiliate_id)
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(SUMMED_AT_ONCE + 1)
    .execute();
  const summed = customers.slice(0, SUMMED_AT_ONCE);
  const readAt = await findReadAt(ctx);
  const compared: SummedUp[] = after === '' ? await withoutCustomer(ctx, affiliate_id, charged_since) : [];
  for (const { id } of summed)
    for (const sale of await salesOf(ctx, id, readAt, charged_since)) compared.push({ ...sale, count: 1 });
  const sums = sumsOf(compared);
  const nameOf = await namesOf(ctx, sums);
  return {
    data: sums.map((sum) => ({ ...sum, affiliate_name: nameOf(sum) })),
    causes: causesOf(compared),
    customers_count: summed.length,
    next: customers.length > SUMMED_AT_ONCE ? summed.at(-1)!.id : null,
  };
}

/** A compared sale, or `count` of them. */
type SummedUp = Pick<ComparedSale, 'charged_at' | 'outcome' | 'cause' | 'there' | 'here'> & { count: number };

/** Returns the amounts of both sides of a comparison. */
function sidesOf({ there, here }: SummedUp) {
  const sides = [
    ['there_cents', there],
    ['here_cents', here],
  ] as const;
  return sides.flatMap(([side, given]) => (given === null ? [] : [{ side, given }]));
}

function sumsOf(compared: readonly SummedUp[]) {
  const sums = new Map<string, Omit<ShadowSums['data'][number], 'affiliate_name'>>();
  for (const each of compared)
    for (const { side, given } of sidesOf(each)) {
      const { affiliate_id, currency } = given;
      const month = each.charged_at.slice(0, 7);
      const key = `${affiliate_id} ${month} ${currency}`;
      const sum = sums.get(key) ?? { affiliate_id, month, currency, there_cents: 0, here_cents: 0 };
      sums.set(key, { ...sum, [side]: sum[side] + given.amount_cents });
    }
  return [...sums.values()];
}

function causesOf(compared: readonly SummedUp[]): ShadowSums['causes'] {
  const sums = new Map<string, ShadowSums['causes'][number]>();
  for (const each of compared) {
    const { outcome, cause, count } = each;
    for (const currency of new Set(sidesOf(each).map(({ given }) => given.currency))) {
      const key = `${outcome} ${cause} ${currency}`;
      const sum = sums.get(key) ?? { outcome, cause, currency, sales_count: 0, there_cents: 0, here_cents: 0 };
      for (const { side, given } of sidesOf(each)) if (given.currency === currency) sum[side] += given.amount_cents;
      sums.set(key, { ...sum, sales_count: sum.sales_count + count });
    }
  }
  return [...sums.values()];
}

/** Returns the time until which a former tool was read; null if none was. It cannot know of later refunds. */
async function findReadAt({ db, accountId }: Ctx): Promise<Instant | null> {
  const { rows } = await sql<{ read_at: Instant | null }>`
    select wire_time(max(read_at)) as read_at from data_import where account_id = ${accountId} and state <> 'undone'`.execute(db);
  return rows[0]!.read_at;
}

/** SQL condition: the former tool gives the commission. */
const IS_GIVEN = sql<boolean>`
  commission.kind = 'imported' and commission.imported_cents <> 0 and (commission.state <> 'voided' or commission.voided_by_refund)`;

/** Sums up the commissions of a former tool that belong to no customer of an affiliate, by affiliate, month and currency. */
async function withoutCustomer({ db, accountId }: Ctx, affiliateId?: string, since?: Instant): Promise<SummedUp[]> {
  const ofAffiliate = affiliateId === undefined ? sql`` : sql`and commission.affiliate_id = ${affiliateId}`;
  const ofTime = since === undefined ? sql`` : sql`and coalesce(sale.charged_at, commission.created_at) >= ${since}::timestamptz`;
  const { rows } = await sql<Given & { month: Instant; is_further: boolean; count: number }>`
    select affiliate_id, currency, wire_time(month) as month, is_further, sum(imported_cents)::bigint as amount_cents, count(*)::int as count
    from (
      select commission.affiliate_id, commission.currency, commission.imported_cents,
        date_trunc('month', coalesce(sale.charged_at, commission.created_at), 'UTC') as month, exists (
          select from data_import_row row, jsonb_array_elements_text(row.data -> 'sale' -> 'names') named
          join payment_name on payment_name.account_id = ${accountId} and payment_name.name = named
          where row.kind = 'commission' and row.record_id = commission.id and commission.sale_id is null) as is_further
      from commission left join sale on sale.id = commission.sale_id
      where commission.account_id = ${accountId} and ${IS_GIVEN} and commission.referral_id is null ${ofAffiliate} ${ofTime}
        and not exists (select from attribution_claim claim where claim.customer_id = sale.customer_id)) given
    group by affiliate_id, currency, month, is_further`.execute(db);
  return rows.map(({ month, is_further, count, ...there }) => ({
    charged_at: month,
    outcome: 'only_there',
    cause: is_further ? 'duplicate' : 'no_customer',
    there,
    here: null,
    count,
  }));
}

/** The customers who have a referral or a code of an affiliate, or of any. */
function customersOf({ db, accountId }: Ctx, affiliateId: string | undefined) {
  const ofAffiliate = affiliateId === undefined ? sql`` : sql`and claim.affiliate_id = ${affiliateId}`;
  return db
    .selectFrom('customer')
    .where('account_id', '=', accountId)
    .where(
      allOf([sql<boolean>`exists (select from attribution_claim claim where claim.customer_id = customer.id ${ofAffiliate})`]),
    );
}

/** Adds the names of the affiliates. */
async function withNames(
  ctx: Ctx,
  customers: readonly { customer_id: string; sales: ComparedSale[] }[],
): Promise<ShadowCustomer[]> {
  const nameOf = await namesOf(
    ctx,
    customers.flatMap(({ sales }) => sales.flatMap(({ there, here }) => [there ?? [], here ?? []].flat())),
  );
  const named = (given: Given | null) => given && { ...given, affiliate_name: nameOf(given) };
  return customers.map(({ customer_id, sales }) => ({
    customer_id,
    sales: sales.map(({ there, here, ...sale }) => ({ ...sale, there: named(there), here: named(here) })),
  }));
}

/** Reads the names of affiliates. */
async function namesOf(
  { db, accountId }: Ctx,
  earners: readonly { affiliate_id: string }[],
): Promise<(earner: { affiliate_id: string }) => string> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), email) as name from affiliate
    where account_id = ${accountId} and id = any (${[...new Set(earners.map(({ affiliate_id }) => affiliate_id))]}::text[])`.execute(
    db,
  );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return ({ affiliate_id }) => names.get(affiliate_id)!;
}

type ComparedSale = Omit<ShadowCustomer['sales'][number], 'there' | 'here'> & { there: Given | null; here: Given | null };

async function salesOf(ctx: Ctx, customerId: string, readAt: Instant | null, since = ''): Promise<ComparedSale[]> {
  const { db, accountId, now, services } = ctx;
  const decided = await decideAnew({ db, accountId, now, services, records: new WorkingSet() }, customerId, readAt);
  const { there, further } = await givenThere(ctx, decided);
  const sales = decided.verdict.sales.flatMap((verdict): ComparedSale[] => {
    const { sale } = verdict.fact;
    const here = givenHere(verdict);
    const voided = decided.actual.get(sale.id)!.commission;
    const found = compare({
      there: there.get(sale.id)?.given ?? null,
      here,
      isVoidedThere: voided?.kind === 'imported' && voided.state === 'voided',
      refusal: verdict.refusal,
      basisPoints:
        'reward' in verdict && verdict.reward.worth.terms.lines.every(({ rule_id }) => rule_id === null)
          ? verdict.reward.basisPoints
          : null,
      sale,
      told: there.get(sale.id)?.paid ?? null,
    });
    if (found === null) return [];
    const { id: sale_id, charged_at } = sale;
    const given = there.get(sale.id)?.given ?? null;
    return [{ sale_id, charged_at, ...found, there: given, here, explanation: explanationOf(verdict) }];
  });
  const others = further.map(({ sale_id, charged_at, given }): ComparedSale => {
    const cause = sale_id === null ? 'no_payment' : 'duplicate';
    return { sale_id, charged_at, outcome: 'only_there', cause, there: given, here: null, explanation: FURTHER[cause] };
  });
  return [...sales, ...others]
    .filter(({ charged_at }) => charged_at >= since)
    .toSorted((one, other) => (one.charged_at < other.charged_at ? -1 : one.charged_at > other.charged_at ? 1 : 0));
}

const FURTHER = {
  duplicate: 'The former tool has a further commission for the same payment.',
  no_payment: 'The former tool names no payment for the commission.',
};

/** Bonuses in another currency than the commission are left out, because nothing is converted. */
function givenHere(verdict: SaleVerdict): Given | null {
  if (!('reward' in verdict) || verdict.claim === null) return null;
  const { worth } = verdict.reward;
  const { currency } = worth.terms;
  const amounts = [worth, ...worth.bonuses].filter(({ terms }) => terms.currency === currency);
  const amount_cents = amounts.reduce((sum, { amount }) => sum + amount.cents, 0);
  return amount_cents === 0 ? null : { affiliate_id: verdict.claim.affiliate_id, amount_cents, currency };
}

/** The commission of a former tool, and the payment as the tool knows it. */
interface There {
  given: Given;
  paid: Paid | null;
}

/** A commission of the former tool that no sale has: a second one for the same payment, or one without a payment. */
interface Further {
  sale_id: string | null;
  charged_at: Instant;
  given: Given;
}

/** The part of a row of a commission by which it is compared. */
interface CommissionRow {
  record_id: string;
  source_id: string;
  reason: string | null;
  data: { amount_cents: number; currency: string | null; state: string; sale: (Paid & { names: string[] }) | null };
  currency: string | null;
}

/**
 * Returns what the former tool gives for sales: by their imported commissions, and by those that were not imported because the sale has earned here; and its
 * further commissions for the customer.
 */
async function givenThere(
  ctx: Ctx,
  { actual, facts }: AnewVerdict,
): Promise<{ there: ReadonlyMap<string, There>; further: readonly Further[] }> {
  const alone = await findAlone(
    ctx,
    facts.claims.flatMap(({ referral_id }) => referral_id ?? []),
  );
  const sales = [...actual.values()];
  const commissions = sales.flatMap(({ commission }) => commission ?? []);
  const rows = await findRows(
    ctx,
    [...commissions, ...alone].map(({ id }) => id),
  );
  const there = new Map<string, There>();
  const further: Further[] = [];
  for (const { sale, commission } of sales) {
    if (commission === null) continue;
    const { affiliate_id, imported_cents, currency, state, voided_by_refund } = commission;
    const ofCommission = rows.get(commission.id) ?? [];
    if (commission.kind === 'imported') {
      if (imported_cents === null || imported_cents === 0 || (state === 'voided' && !voided_by_refund)) continue;
      const paid = ofCommission.find(({ reason }) => reason !== 'earned_here')?.data.sale ?? null;
      there.set(sale.id, { given: { affiliate_id, amount_cents: imported_cents, currency }, paid });
    } else
      for (const { data, currency: unit } of ofCommission) {
        if (data.state === 'voided') continue;
        const given = { affiliate_id, amount_cents: data.amount_cents, currency: data.currency ?? unit ?? currency };
        if (there.has(sale.id)) further.push({ sale_id: sale.id, charged_at: sale.charged_at, given });
        else there.set(sale.id, { given, paid: data.sale });
      }
  }
  for (const { id, created_at, affiliate_id, imported_cents: amount_cents, currency } of alone) {
    const names = rows.get(id)?.[0]?.data.sale?.names ?? [];
    const sale = sales.find((each) => each.sale.names.some((name) => names.includes(name)))?.sale;
    const given = { affiliate_id, amount_cents, currency };
    further.push({ sale_id: sale?.id ?? null, charged_at: sale?.charged_at ?? created_at, given });
  }
  return { there, further };
}

/** Finds the commissions of the former tool for referrals that no sale has. */
async function findAlone({ db, accountId }: Ctx, referralIds: readonly string[]) {
  const { rows } = await sql<{
    id: string;
    created_at: Instant;
    affiliate_id: string;
    imported_cents: number;
    currency: string;
  }>`
    select id, wire_time(created_at) as created_at, affiliate_id, imported_cents, currency from commission
    where account_id = ${accountId} and referral_id = any (${referralIds}::text[]) and sale_id is null and ${IS_GIVEN}
    order by id`.execute(db);
  return rows;
}

/** Finds the rows of commissions, those of the latest import first, one for each commission of the former tool. */
async function findRows({ db, accountId }: Ctx, ids: readonly string[]): Promise<Map<string, CommissionRow[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<CommissionRow>`
    select distinct on (row.record_id, row.source_id) row.record_id, row.source_id, row.reason, row.data, data_import.currency
    from data_import_row row join data_import on data_import.id = row.import_id
    where row.kind = 'commission' and row.account_id = ${accountId} and row.record_id = any (${ids}::text[]) and row.data <> '{}'
    order by row.record_id, row.source_id, row.id desc`.execute(db);
  return Map.groupBy(rows, ({ record_id }) => record_id);
}
