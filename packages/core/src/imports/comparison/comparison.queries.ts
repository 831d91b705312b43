import { sql } from 'kysely';
import { type AnewVerdict, decideAnew } from '../../attribution/decide-anew.ts';
import type { SaleVerdict } from '../../attribution/decide/decide.ts';
import { explanationOf } from '../../attribution/explain-sale.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { WorkingSet } from '../../platform/call/working-set.ts';
import { invalid, noSuch } from '../../platform/errors/errors.ts';
import { allOf } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { compare, type Given } from './compare.ts';
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
  const customers: { customer_id: string; sales: ComparedSale[] }[] = [];
  for (const { id } of data) customers.push({ customer_id: id, sales: await salesOf(ctx, id, charged_since) });
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
  const sums = new Map<string, Omit<ShadowSums['data'][number], 'affiliate_name'>>();
  for (const { id } of summed)
    for (const { charged_at, there, here } of await salesOf(ctx, id, charged_since))
      for (const [side, given] of [
        ['there_cents', there],
        ['here_cents', here],
      ] as const) {
        if (given === null) continue;
        const { affiliate_id: earner, currency } = given;
        const month = charged_at.slice(0, 7);
        const key = `${earner} ${month} ${currency}`;
        const sum = sums.get(key) ?? { affiliate_id: earner, month, currency, there_cents: 0, here_cents: 0 };
        sums.set(key, { ...sum, [side]: sum[side] + given.amount_cents });
      }
  const found = [...sums.values()];
  const nameOf = await namesOf(ctx, found);
  return {
    data: found.map((sum) => ({ ...sum, affiliate_name: nameOf(sum) })),
    customers_count: summed.length,
    next: customers.length > SUMMED_AT_ONCE ? summed.at(-1)!.id : null,
  };
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

async function salesOf(ctx: Ctx, customerId: string, since = ''): Promise<ComparedSale[]> {
  const { db, accountId, now, services } = ctx;
  const decided = await decideAnew({ db, accountId, now, services, records: new WorkingSet() }, customerId);
  const there = await givenThere(ctx, decided);
  return decided.verdict.sales.flatMap((verdict) => {
    const { sale } = verdict.fact;
    if (sale.charged_at < since) return [];
    const here = givenHere(verdict);
    const voided = decided.actual.get(sale.id)!.commission;
    const found = compare({
      there: there.get(sale.id) ?? null,
      here,
      isVoidedThere: voided?.kind === 'imported' && voided.state === 'voided',
      refusal: verdict.refusal,
      basisPoints:
        'reward' in verdict && verdict.reward.worth.terms.lines.every(({ rule_id }) => rule_id === null)
          ? verdict.reward.basisPoints
          : null,
      sale,
    });
    if (found === null) return [];
    const { id: sale_id, charged_at } = sale;
    return [{ sale_id, charged_at, ...found, there: there.get(sale_id) ?? null, here, explanation: explanationOf(verdict) }];
  });
}

/** Bonuses in another currency than the commission are left out, because nothing is converted. */
function givenHere(verdict: SaleVerdict): Given | null {
  if (!('reward' in verdict) || verdict.claim === null) return null;
  const { worth } = verdict.reward;
  const { currency } = worth.terms;
  const amounts = [worth, ...worth.bonuses].filter(({ terms }) => terms.currency === currency);
  const amount_cents = amounts.reduce((sum, { amount }) => sum + amount.cents, 0);
  return amount_cents === 0 ? null : { affiliate_id: verdict.claim.affiliate_id, amount_cents, currency };
}

/** Returns what the former tool gives for sales: by their imported commissions, and by those that were not imported because the sale has earned here. */
async function givenThere({ db, accountId }: Ctx, { actual }: AnewVerdict): Promise<Map<string, Given>> {
  const commissions = [...actual.values()].flatMap(({ commission }) => commission ?? []);
  const ids = commissions.filter(({ kind }) => kind !== 'imported').map(({ id }) => id);
  const { rows } = await sql<{ sale_id: string; affiliate_id: string; amount_cents: number; currency: string }>`
    select commission.sale_id, commission.affiliate_id, (row.data ->> 'amount_cents')::bigint as amount_cents,
      coalesce(row.data ->> 'currency', data_import.currency) as currency
    from data_import_row row join data_import on data_import.id = row.import_id join commission on commission.id = row.record_id
    where row.reason = 'earned_here' and row.account_id = ${accountId} and row.record_id = any (${ids}::text[]) and row.data ->> 'state' <> 'voided'`.execute(
    db,
  );
  const imported = commissions.flatMap(({ sale_id, affiliate_id, imported_cents, currency, state, voided_by_refund }) =>
    sale_id === null || imported_cents === null || imported_cents === 0 || (state === 'voided' && !voided_by_refund)
      ? []
      : [{ sale_id, affiliate_id, amount_cents: imported_cents, currency }],
  );
  return new Map([...rows, ...imported].map(({ sale_id, ...given }) => [sale_id, given]));
}
