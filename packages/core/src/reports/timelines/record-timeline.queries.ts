import { type RawBuilder, sql } from 'kysely';
import { historyOf, type ReturnedMoney } from '../../intake/sales/facts-of-payment.ts';
import { HOLDS_PAYOUT } from '../../ledger/payouts/payout-attempt.entity.ts';
import { countedRefunds, type MerchantRefund } from '../../ledger/sales/refund.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { isVisibleTo, seesLiveOnly } from '../../platform/call/mode.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { ID_PREFIXES } from '../../platform/wire/ids.ts';
import type { EventType } from '../../webhooks/events/event-types.ts';
import type { RecordTimeline } from './record-timeline.schema.ts';

/** A refund, a failed refund or a lost dispute of a sale. */
export interface RefundEntry {
  at: Instant;
  kind: ReturnedMoney['kind'];
  record_id: string;
  amount_cents: number;
  currency: string;
  /** The kind of the source, or `report`. */
  actor: string;
}

/** SQL: the kind of the source that told a row of `sale`, or null. */
const SOURCE_OF_SALE = sql<string | null>`(select source from connection where connection.id = sale.connection_id)`;

interface Row {
  id: string;
  currency: string;
  source: string | null;
  reported: (MerchantRefund & { at: Instant })[];
  told: Parameters<typeof historyOf>[0] | null;
}

/**
 * Lists the refunds of sales, from the merchant's reports and from the payment provider. If both, or several reports, stated refunds of a sale,
 * returns only those of the source with the larger total, because only that total counts (docs/rules/intake.md#the-same-sale-twice).
 *
 * @param sales a query with the ids of sales of the account, in one column `id`
 */
export async function refundsOfSales(db: Db, sales: RawBuilder<unknown>): Promise<RefundEntry[]> {
  const { rows } = await sql<Row>`
    with in_sale as (${sales})
    select sale.id, sale.currency, ${SOURCE_OF_SALE} as source,
      coalesce((
        select json_agg(json_build_object('at', wire_time(refund.created_at), 'amount_cents', refund.amount_cents,
          'reported_sale_id', refund.reported_sale_id, 'repeated', refund.repeated))
        from refund where refund.sale_id = sale.id), '[]') as reported,
      (select json_build_object('refunds', refunds, 'disputes', disputes) from payment where payment.sale_id = sale.id) as told
    from in_sale join sale using (id)`.execute(db);
  return rows.flatMap(({ id, currency, source, reported, told }) => {
    const ofEvents = told === null ? [] : historyOf(told);
    const counted = countedRefunds(id, reported);
    const own = counted.map(({ at, amount_cents: amount }) => ({ at, kind: 'refund' as const, amount: -amount }));
    const [entries, actor] = sum(own) < sum(ofEvents) ? [own, 'report'] : [ofEvents, source ?? 'report'];
    return entries.map(({ at, kind, amount }) => ({ at, kind, record_id: id, amount_cents: amount, currency, actor }));
  });
}

function sum(entries: readonly { amount: number }[]): number {
  return entries.reduce((total, { amount }) => total + amount, 0);
}

/** Maximum number of records of one kind in a history. The latest are shown. */
const MAX_OF_KIND = 50;

type Entry = RecordTimeline['entries'][number];

/** Order of entries that have the same time. A consequence is listed before its cause, because the list is newest first. */
const NEWEST_FIRST: readonly Entry['kind'][] = [
  'payout_returned',
  'payout_paid',
  'payout_claimed',
  'commission_voided',
  'commission_paid',
  'commission_due',
  'commission_moved',
  'commission_changed',
  'adjustment_created',
  'commission_created',
  'dispute_lost',
  'refund_failed',
  'refund',
  'sale_assigned',
  'sale_corrected',
  'sale',
  'converted',
  'referral_created',
  'click',
  'deactivated',
];

/** Related records whose events are part of a record's history. Each field is a query with one column, `id`. */
interface Scope {
  referrals: RawBuilder<unknown>;
  sales: RawBuilder<unknown>;
  commissions: RawBuilder<unknown>;
  payouts: RawBuilder<unknown>;
}

const NONE = sql`select null::text as id where false`;
const OF_NOTHING = { referrals: NONE, sales: NONE, commissions: NONE };
/** SQL query: commissions of the sales in scope. */
const OF_SALES = sql`select commission.id from commission join in_sale on in_sale.id = commission.sale_id order by commission.id desc limit ${sql.lit(MAX_OF_KIND)}`;
/** SQL query: payouts that contain the commissions in scope, or contained them before they were returned. */
const OF_COMMISSIONS = sql`select payout_id as id from payout_item join in_commission on in_commission.id = commission_id
  union select payout_id from returned_payout_item join in_commission on in_commission.id = commission_id`;

const SCOPES = {
  customer: (id: string): Scope => ({
    referrals: sql`select id from referral where customer_id = ${id}`,
    sales: sql`select id from sale where customer_id = ${id} order by id desc limit ${sql.lit(MAX_OF_KIND)}`,
    commissions: OF_SALES,
    payouts: OF_COMMISSIONS,
  }),
  referral: (id: string): Scope => ({
    referrals: sql`select ${id}::text as id`,
    sales: sql`select id from sale where referral_id = ${id} order by id desc limit ${sql.lit(MAX_OF_KIND)}`,
    commissions: OF_SALES,
    payouts: OF_COMMISSIONS,
  }),
  sale: (id: string): Scope => ({
    referrals: sql`select referral_id as id from sale where id = ${id} and referral_id is not null`,
    sales: sql`select ${id}::text as id`,
    commissions: OF_SALES,
    payouts: OF_COMMISSIONS,
  }),
  commission: (id: string): Scope => ({
    referrals: sql`select referral_id as id from commission where id = ${id} and referral_id is not null`,
    sales: sql`select sale_id as id from commission where id = ${id} and sale_id is not null`,
    commissions: sql`select id from commission where id = ${id} or adjusts_commission_id = ${id}
      union select adjusts_commission_id from commission where id = ${id} and adjusts_commission_id is not null`,
    payouts: OF_COMMISSIONS,
  }),
  payout: (id: string): Scope => ({
    ...OF_NOTHING,
    payouts: sql`select ${id}::text as id`,
  }),
  campaign: (id: string): Scope => ({
    referrals: sql`select id from referral where campaign_id = ${id} order by id desc limit ${sql.lit(MAX_OF_KIND)}`,
    sales: sql`select sale_id as id from (${commissionsOfCampaign(id)}) latest join commission using (id) where sale_id is not null`,
    commissions: commissionsOfCampaign(id),
    payouts: NONE,
  }),
  link: (id: string): Scope => ({
    referrals: referralsOfLink(id),
    sales: sql`select id from sale where referral_id in (${referralsOfLink(id)}) order by id desc limit ${sql.lit(MAX_OF_KIND)}`,
    commissions: OF_SALES,
    payouts: NONE,
  }),
  payout_export: (id: string): Scope => ({ ...OF_NOTHING, payouts: claimedBy(id) }),
  payout_run: (id: string): Scope => ({ ...OF_NOTHING, payouts: claimedBy(id) }),
};

/** SQL query: the latest commissions of a campaign. */
function commissionsOfCampaign(id: string): RawBuilder<unknown> {
  return sql`select id from commission where campaign_id = ${id} order by id desc limit ${sql.lit(MAX_OF_KIND)}`;
}

/** SQL query: the latest referrals of a link. */
function referralsOfLink(id: string): RawBuilder<unknown> {
  return sql`select id from referral where link_id = ${id} order by id desc limit ${sql.lit(MAX_OF_KIND)}`;
}

/** SQL query: the latest payouts of a run or an export. */
function claimedBy(batchId: string): RawBuilder<unknown> {
  return sql`select payout_id as id from payout_attempt attempt where batch_id = ${batchId} and ${HOLDS_PAYOUT} order by payout_id desc limit ${sql.lit(MAX_OF_KIND)}`;
}

/**
 * Returns the history of a record and of the records related to it, from the click to the payout, newest first.
 *
 * @throws NOT_FOUND
 */
export async function getRecordTimeline(ctx: Ctx, kind: keyof typeof SCOPES, id: string): Promise<RecordTimeline> {
  const { db, accountId, services } = ctx;
  const table = (services.database.namedTables[kind] ?? kind) as Exclude<typeof kind, 'payout_export' | 'payout_run'>;
  const record = await db
    .selectFrom(table)
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where(isOneOf(WITH_MODE, kind) ? isVisibleTo(ctx, table) : sql<boolean>`true`)
    // Exports and runs share a table. A caller who may read only one of them must not find the other.
    .where('id', 'like', `${ID_PREFIXES[kind]}\\_%`)
    .executeTakeFirst();
  foundOrThrow(record, kind);
  const scope = visiblePart(ctx, SCOPES[kind](id));
  const [entries, refunds] = await Promise.all([entriesOf({ db, accountId }, scope), refundsOfSales(db, scope.sales)]);
  return {
    entries: [
      ...entries,
      ...refunds.map((refund) => ({ ...refund, previous_amount_cents: null, note: null, actor_name: null })),
    ].toSorted(newestFirst),
  };
}

/** Kinds of records that may be of the payment provider's test mode. */
const WITH_MODE = ['sale', 'commission', 'payout', 'payout_export', 'payout_run'] as const;

function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return (names as readonly string[]).includes(name);
}

/** Leaves the records out of a scope that the caller does not see because of their mode. */
function visiblePart(ctx: Ctx, { referrals, sales, commissions, payouts }: Scope): Scope {
  if (!seesLiveOnly(ctx)) return { referrals, sales, commissions, payouts };
  const visible = (table: 'sale' | 'commission' | 'payout', found: RawBuilder<unknown>) =>
    sql`select id from ${sql.table(table)} where ${isVisibleTo(ctx, table)} and id in (${found})`;
  return {
    referrals,
    sales: visible('sale', sales),
    commissions: visible('commission', commissions),
    payouts: visible('payout', payouts),
  };
}

function newestFirst(a: Entry, b: Entry): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1;
  return NEWEST_FIRST.indexOf(a.kind) - NEWEST_FIRST.indexOf(b.kind);
}

/** The changes of records that events tell of: what the entry is, and which former value makes an event such a change. */
const CHANGES: readonly { kind: Entry['kind']; type: EventType; field: string; amount: string }[] = [
  { kind: 'sale_corrected', type: 'sale.updated', field: 'charge_amount_cents', amount: 'charge_amount_cents' },
  { kind: 'sale_assigned', type: 'sale.updated', field: 'affiliate_id', amount: 'charge_amount_cents' },
  { kind: 'commission_changed', type: 'commission.updated', field: 'amount_cents', amount: 'amount_cents' },
  { kind: 'commission_moved', type: 'commission.updated', field: 'affiliate_id', amount: 'amount_cents' },
];

/** SQL: the amount that the event of this type about a record told, or the current amount if the event is no longer kept. */
function amountTold(type: EventType, id: RawBuilder<unknown>, field: string, current: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((select (data ->> ${sql.lit(field)})::bigint from told where type = ${sql.lit(type)} and subject_id = ${id} limit 1), ${current})`;
}

/** SQL: the changes of the records in scope, as entries. The events of sales and commissions are in `told`. */
const TOLD_CHANGES = sql.join(
  CHANGES.map(
    ({ kind, type, field, amount }) => sql`
      select at, ${sql.lit(kind)}, subject_id, (data ->> ${sql.lit(amount)})::bigint, data ->> 'currency', null,
        nullif(actor, 'system'), (previous ->> ${sql.lit(amount)})::bigint
      from told where type = ${sql.lit(type)} and previous -> ${sql.lit(field)} is not null`,
  ),
  sql` union all `,
);

async function entriesOf(
  { db, accountId }: Pick<Ctx, 'db' | 'accountId'>,
  { referrals, sales, commissions, payouts }: Scope,
): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    with in_referral as (${referrals}), in_sale as (${sales}), in_commission as (${commissions}), in_payout as (${payouts}),
    told as materialized (
      select occurred_at as at, type, subject_id, body::json -> 'data' as data, body::json -> 'previous_attributes' as previous,
        body::json -> 'actor' ->> 'id' as actor
      from event where account_id = ${accountId} and not is_test
        and subject_id in (select id from in_sale union all select id from in_commission)
    ),
    entry (at, kind, record_id, amount_cents, currency, note, actor) as (
      (select at, 'click', referral_id, null::bigint, null, coalesce(utm_source, referrer_host), 'visitor'
        from click join in_referral on in_referral.id = click.referral_id
        where account_id = ${accountId} and bot_reason is null order by at desc limit ${sql.lit(MAX_OF_KIND)})
      union all
      select created_at, 'referral_created', id, null, null, null, null from referral join in_referral using (id)
      union all
      select converted_at, 'converted', id, null, null, null, null from referral join in_referral using (id) where converted_at is not null
      union all
      select deactivated_at, 'deactivated', id, null, null, null, null from referral join in_referral using (id) where deactivated_at is not null
      union all
      select charged_at, 'sale', id, ${amountTold('sale.recorded', sql`sale.id`, 'charge_amount_cents', sql`charge_amount_cents`)}, currency, no_commission_reason, case when external_id is null then ${SOURCE_OF_SALE} else 'report' end
        from sale join in_sale using (id)
      union all
      select created_at, case kind when 'adjustment' then 'adjustment_created' else 'commission_created' end, id,
          ${amountTold('commission.created', sql`commission.id`, 'amount_cents', sql`amount_cents`)}, currency, note, created_by
        from commission join in_commission using (id)
      union all
      select due_at, 'commission_due', id, ${amountTold('commission.due', sql`commission.id`, 'amount_cents', sql`amount_cents`)}, currency, null, null
        from commission join in_commission using (id)
        where state in ('due', 'paid') and kind in ('sale', 'imported')
      union all
      select paid_at, 'commission_paid', id, amount_cents, currency, null, null from commission join in_commission using (id)
        where state = 'paid' and not exists (select from payout_item where commission_id = commission.id)
      union all
      select voided_at, 'commission_voided', id, ${amountTold('commission.voided', sql`commission.id`, 'amount_cents', sql`amount_cents`)}, currency, void_reason, null from commission join in_commission using (id)
        where voided_at is not null
      union all
      select attempt.prepared_at, 'payout_claimed', payout.id, payout.amount_cents, payout.currency, null, attempt.batch_id
        from payout join in_payout using (id) join payout_attempt attempt on attempt.payout_id = payout.id
        where attempt.batch_id is not null and ${HOLDS_PAYOUT}
      union all
      select payout.paid_at, 'payout_paid', payout.id, payout.amount_cents, payout.currency, payment_reference, attempt.batch_id
        from payout join in_payout using (id) left join payout_attempt attempt on attempt.payout_id = payout.id and ${HOLDS_PAYOUT}
        where payout.paid_at is not null
      union all
      select returned_at, 'payout_returned', id, amount_cents, currency, return_reason, null from payout join in_payout using (id)
        where returned_at is not null
    ),
    listed as (select entry.*, null::bigint as previous_amount_cents from entry union all (${TOLD_CHANGES}))
    select listed.*, coalesce(
      (select name from auth_user where id = actor), (select name from api_key where id = actor), (select name from connector where id = actor)
    ) as actor_name
    from listed`.execute(db);
  return rows;
}
