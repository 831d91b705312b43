import { asLongRead } from '@affiliate/postgres';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { asShown, visibleTo, withStoredMode } from '../../platform/call/mode.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { type CsvPart, csvPart, csvRows } from '../../platform/wire/csv.ts';
import { allOf, amountBetween, whatIds, whatValues, whenCreated } from '../../platform/wire/filters.ts';
import { checkAmountOrder, inOrder, listOrder } from '../../platform/wire/list-order.ts';
import { whatMerchantData } from '../../platform/wire/merchant-data.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { IS_HELD } from './payout-screening.entity.ts';
import { IS_OPEN, Payout, type PayoutStatus } from './payout.entity.ts';
import { type ListPayouts, type PayoutRecord, type PayoutsAsCsv, payoutExpansions } from './payout.expansions.ts';
import { PlainPayout } from './payout.schema.ts';

/** The wire record of a payout. `payoutView` computes the fields that are not columns. */
const RECORD = wireRecord(Payout, PlainPayout);
/** The columns of `payoutView` that a record shows. */
export const PAYOUT_COLUMNS = RECORD.names.map((name) => `payout.${name}` as const);

/** Returns the amounts, per currency, of the payouts that have this status. */
export function amountsOfPayouts(
  { db, accountId }: Pick<Ctx, 'db' | 'accountId'>,
  payoutIds: readonly string[],
  status: PayoutStatus,
): Promise<{ currency: string; amount_cents: number }[]> {
  return db
    .selectFrom('payout')
    .select(['currency', sql<number>`sum(amount_cents)::bigint`.as('amount_cents')])
    .where('account_id', '=', accountId)
    .where(oneOf('id', payoutIds))
    .where('status', '=', status)
    .groupBy('currency')
    .orderBy('currency')
    .execute();
}

/**
 * SQL expression: the reasons against paying a payout at a time. The only implementation of the eligibility rule (docs/rules/ledger.md#eligibility).
 * Needs `payout` with an amount and a currency, `affiliate`, `campaign` and `account`.
 */
export function obstaclesAt(at: Instant): RawBuilder<PlainPayout['ineligible_reasons']> {
  return sql`array_remove(array[
    case when payout.amount_cents <= 0 then 'not_positive' end,
    case when payout.currency = campaign.minimum_payout_currency and payout.amount_cents < campaign.minimum_payout_cents then 'below_minimum' end,
    case when affiliate.state = 'suspicious' then 'on_hold' end,
    case when affiliate.payouts_held_until > ${at}::timestamptz then 'details_changed' end,
    case when affiliate.archived_at is not null or affiliate.state not in ('active', 'suspicious') then 'affiliate_inactive' end,
    case when account.shadow <> 'off' then 'moving_in' end,
    case when ${IS_HELD} then 'screening' end
  ], null)`;
}

/**
 * Selects payouts in their wire form, under the alias `payout`. Eligibility depends on the current state of affiliate and campaign, so every read computes it, and it
 * is never stored. `obstacles` lists all reasons against paying a payout except `claimed`. A run checks `obstacles` again before it pays.
 *
 * Every payout has an affiliate, and every affiliate a campaign. The joins are left joins nevertheless, because PostgreSQL removes a left
 * join from a query that uses no column of the joined table, such as the count of a list.
 */
export function payoutView({ db, now }: { db: Pick<Db, 'selectFrom'>; now: Instant }) {
  const assessed = db
    .selectFrom('payout')
    .leftJoin('affiliate', 'affiliate.id', 'payout.affiliate_id')
    .leftJoin('campaign', 'campaign.id', 'affiliate.campaign_id')
    .leftJoin('account', 'account.id', 'campaign.account_id')
    .select([...RECORD.qualified, 'payout.account_id', 'payout.status', IS_OPEN.as('is_open'), obstaclesAt(now).as('obstacles')])
    .as('assessed');
  return db.selectFrom(
    db
      .selectFrom(assessed)
      .selectAll()
      .select([
        sql<
          PlainPayout['ineligible_reasons']
        >`case when is_open then obstacles when status = 'processing' then array['claimed'] else '{}' end`.as(
          'ineligible_reasons',
        ),
        sql<boolean>`is_open and obstacles = '{}'`.as('eligible'),
        sql<PlainPayout['state']>`case when not is_open then status when obstacles = '{}' then 'due' else 'pending' end`.as(
          'state',
        ),
      ])
      .as('payout'),
  );
}

/**
 * Selects the account's payouts of a mode that can be claimed and paid now. The condition on `status` is redundant, but lets PostgreSQL use
 * the index on open payouts.
 */
export function eligiblePayouts(ctx: Pick<Ctx, 'db' | 'now' | 'accountId'>, { livemode }: { livemode: boolean }) {
  return payoutView(ctx)
    .where('payout.account_id', '=', ctx.accountId)
    .where(IS_OPEN)
    .where('payout.livemode', '=', livemode)
    .where('payout.eligible', '=', true);
}

/** Returns the conditions of a list, on `payoutView` or on the table. Those of states that depend on eligibility need the view. */
async function filtersOf(ctx: Ctx, input: Omit<PayoutsAsCsv, 'after' | 'sort'>): Promise<RawBuilder<boolean>> {
  const { affiliate_id, state, livemode, updated_since, updated_until } = input;
  return allOf([
    sql<boolean>`payout.account_id = ${ctx.accountId}`,
    ...(affiliate_id === undefined ? [] : [sql<boolean>`payout.affiliate_id = ${affiliate_id}`]),
    ...(state ? [hasStatusOf(state)] : []),
    ...(state && dependsOnEligibility(state) ? [oneOf('payout.state', state)] : []),
    // A literal, so that PostgreSQL can use the index on payouts of the test mode.
    ...(livemode === undefined ? [] : [sql<boolean>`payout.livemode = ${sql.lit(livemode)}`]),
    ...(updated_since ? [sql<boolean>`payout.updated_at >= ${updated_since}`] : []),
    ...(updated_until ? [sql<boolean>`payout.updated_at <= ${updated_until}`] : []),
    ...whenCreated('payout', input),
    ...amountBetween('amount_cents', input),
    ...whatMerchantData(ctx.accountId, input),
    ...whatIds('payout.id', input),
    ...whatValues({ payment_reference: input.payment_reference }),
    ...(input.campaign_id === undefined ? [] : [await isOfCampaign(ctx, input.campaign_id)]),
  ]);
}

/** Number of affiliates up to which the payouts of a campaign are found through the affiliates. */
const FEW_AFFILIATES = 1_000;

/**
 * Returns the SQL condition: the payout's affiliate is in the campaign. The payouts of a few affiliates are looked up. Those of many are found by reading
 * the list of payouts, because nearly every payout matches. The planner cannot choose between the two, because it does not know the campaign.
 */
async function isOfCampaign({ db, accountId }: Ctx, campaignId: string): Promise<RawBuilder<boolean>> {
  const affiliates = sql`select id from affiliate where account_id = ${accountId} and campaign_id = ${campaignId}`;
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (${affiliates} limit ${sql.lit(FEW_AFFILIATES + 1)}) found`.execute(db);
  return rows[0]!.n <= FEW_AFFILIATES
    ? sql<boolean>`payout.affiliate_id = any(array(${affiliates}))`
    : sql<boolean>`payout.affiliate_id in (${affiliates})`;
}

/** Returns the next part of the list as CSV, starting after the position `after`. */
export async function payoutsAsCsv(ctx: Ctx, { after, sort, ...asked }: PayoutsAsCsv): Promise<CsvPart> {
  const filters = withStoredMode(ctx, asked);
  const all = payoutView(ctx).where(await filtersOf(ctx, filters));
  await checkAmountOrder(ctx.db, all, sort);
  const order = listOrder(sort, { table: 'payout' });
  const query = csvRows(all.select(PAYOUT_COLUMNS), after, order);
  const read = async () => asShown(ctx, await payoutExpansions.find(ctx, query, ['affiliate']));
  return csvPart(after, read, order, RECORD.names, {
    affiliate_email: ({ affiliate }) => affiliate?.email,
    affiliate_name: ({ affiliate }) => [affiliate?.first_name, affiliate?.last_name].filter(Boolean).join(' '),
  });
}

/**
 * Lists payouts, newest first unless sorted otherwise. With `eligible` true, returns all eligible payouts without pagination
 * (docs/rules/ledger.md#eligibility).
 */
export async function listPayouts(
  ctx: Ctx,
  asked: ListPayouts,
): Promise<{ data: PayoutRecord[]; pagination?: Page<never>['pagination'] }> {
  const input = withStoredMode(ctx, asked);
  const livemode = input.livemode ?? (input.eligible ? true : undefined);
  const filters = await filtersOf(ctx, { ...input, livemode });
  let query = payoutView(ctx).where(filters);
  if (input.eligible !== undefined) query = query.where('payout.eligible', '=', input.eligible);
  await checkAmountOrder(ctx.db, query, input.sort);
  const order = listOrder(input.sort, { table: 'payout' });
  if (input.eligible && livemode !== undefined) {
    const rows = inOrder(query.where(IS_OPEN).select(PAYOUT_COLUMNS), order);
    return { data: await asLongRead(() => payoutExpansions.find(ctx, rows, input.expand)) };
  }
  const isComputed = input.eligible !== undefined || (input.state !== undefined && dependsOnEligibility(input.state));
  // The table alone is counted, because PostgreSQL reads the rows of a view with joins even if an index has all columns.
  const known = isComputed ? undefined : sql<number>`(select count(*) from payout where ${filters})`;
  return paginate(query, input, { order, select: (all) => all.select(PAYOUT_COLUMNS), known }, (page) =>
    payoutExpansions.find(ctx, page, input.expand),
  );
}

/** Returns one payout. Throws NOT_FOUND. */
export async function getPayout(
  ctx: Ctx,
  { id, expand = [] }: { id: string; expand?: readonly string[] },
): Promise<PayoutRecord> {
  const one = payoutView(ctx).select(PAYOUT_COLUMNS).where('payout.account_id', '=', ctx.accountId).where('payout.id', '=', id);
  const [row] = await payoutExpansions.find(ctx, one, expand);
  return foundOrThrow(visibleTo(ctx, row), 'payout');
}

/** True if the states include one of the two states of an open payout, so that its eligibility must be computed for each payout. */
function dependsOnEligibility(states: readonly PlainPayout['state'][]): boolean {
  return states.includes('pending') !== states.includes('due');
}

/**
 * SQL condition: the stored status belongs to one of the states in responses. A single status is a literal, so that PostgreSQL can use the index on
 * payouts with this status.
 */
function hasStatusOf(states: readonly PlainPayout['state'][]): RawBuilder<boolean> {
  const statuses = [...new Set(states.map((state): PayoutStatus => (state === 'pending' || state === 'due' ? 'open' : state)))];
  return statuses.length === 1 ? sql<boolean>`payout.status = ${sql.lit(statuses[0])}` : oneOf('payout.status', statuses);
}
