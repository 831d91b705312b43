/**
 * All state changes of a payout and of the attempts to pay it: opened and filled (`collectCommissions`), emptied (`removeCommissions`), claimed,
 * released, paid, returned (docs/rules/ledger.md#payouts). Follows the pattern described in `commission.transitions.ts`, but payouts are changed in SQL only,
 * whether one or thousands. Payouts change under the locks of their affiliates. The events follow from the changes that are recorded
 * (`payout-events.ts`).
 */
import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { lock } from '../../platform/call/records.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { emit } from '../../webhooks/events/emit.ts';
import { assertLocked, type HeldAffiliates, lockAffiliates } from '../affiliate-lock.ts';
import {
  type ChangedSets,
  IS_PAYABLE,
  markCommissionsPaid,
  markCommissionsReturned,
} from '../commissions/commission.transitions.ts';
import { reopenDecisions } from '../queued-decisions/queue-decisions.ts';
import { HOLDS_PAYOUT, isUnfinished, PAID_BY_HAND, PAID_ELSEWHERE, PayoutAttempt, SCREENING } from './payout-attempt.entity.ts';
import { mergedPayout } from './payout-events.ts';
import { IS_OPEN, isOpen, type Payout } from './payout.entity.ts';

/** Locks the affiliates of payouts, in the order of the affiliates' ids. From then on, no other transaction can change these payouts. */
export function lockAffiliatesOfPayouts(ctx: WriteCtx, payoutIds: readonly string[]): Promise<HeldAffiliates> {
  return lockAffiliates(ctx, sql`select affiliate_id from payout where id = any (${payoutIds})`);
}

/**
 * Adds the given commissions to the open payout of their affiliate, currency and mode, and opens a payout if there is none. Skips
 * commissions that are not payable or that are in a payout already. Runs one statement, whether for one commission or for thousands.
 *
 * If another transaction is claiming the open payout, waits for that transaction. The commissions then start the next payout.
 */
export function collectCommissions(
  sets: ChangedSets,
  held: HeldAffiliates,
  at: Instant,
  commissionIds: readonly string[],
): Promise<void> {
  return collect(sets, held, at, commissionIds, IS_PAYABLE);
}

async function collect(
  { db, records }: ChangedSets,
  held: HeldAffiliates,
  at: Instant,
  commissionIds: readonly string[],
  which: RawBuilder<boolean>,
): Promise<void> {
  // A row that the upsert inserts has no `xmax`. `payout_item` is read by a scalar subquery. If rows have just been added to an empty table, PostgreSQL may plan a join with it as if it
  // were still empty.
  const { rows } = await sql<{ id: string; affiliate_id: string; is_new: boolean; ids: string[] } & Amounts>`
    with collected as materialized (
      select account_id, affiliate_id, currency, livemode, sum(amount_cents) as amount_cents, count(*) as commissions_count, array_agg(id) as ids
      from commission
      where commission.id = any (${commissionIds}::text[]) and ${which}
        and (select payout_id from payout_item where commission_id = commission.id) is null
      group by account_id, affiliate_id, currency, livemode
    ), holding as (
      insert into payout (id, account_id, affiliate_id, currency, livemode, status, amount_cents, commissions_count, created_at, updated_at)
      select new_id('payout', ${at}::timestamptz), account_id, affiliate_id, currency, livemode, 'open', amount_cents, commissions_count, ${at}, ${at}
      from collected order by affiliate_id, currency, livemode
      on conflict (account_id, affiliate_id, currency, livemode) where ${isOpen()} do update set
        amount_cents = payout.amount_cents + excluded.amount_cents,
        commissions_count = payout.commissions_count + excluded.commissions_count,
        updated_at = excluded.updated_at
      returning id, affiliate_id, currency, livemode, amount_cents, commissions_count, xmax = 0 as is_new
    ), item as (
      insert into payout_item (commission_id, payout_id)
      select unnest(collected.ids), holding.id from collected join holding using (affiliate_id, currency, livemode)
    )
    select holding.id, affiliate_id, holding.is_new, to_json(collected.ids) as ids,
      holding.amount_cents - collected.amount_cents as amount_cents, holding.commissions_count - collected.commissions_count as commissions_count
    from collected join holding using (affiliate_id, currency, livemode)`.execute(db);
  assertLocked(held, rows);
  for (const { id, affiliate_id: _, is_new, ids, ...previous } of rows) {
    if (is_new) records.noteCreated('payout', id);
    else records.noteChanged('payout', id, previous);
    for (const commissionId of ids) records.noteChanged('commission', commissionId, IN_NO_PAYOUT);
  }
}

/** The former values of a commission that a payout collects. */
const IN_NO_PAYOUT = { payout_id: null } as const;

/** The columns of a payout that depend on its commissions. */
type Amounts = Pick<Payout, 'amount_cents' | 'commissions_count'>;

/** Removes commissions from their open payouts, and subtracts their current amounts. Claimed and paid payouts keep their commissions. */
export async function removeCommissions(
  { db, records }: ChangedSets,
  held: HeldAffiliates,
  at: Instant,
  commissionIds: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ id: string; affiliate_id: string; ids: string[] } & Amounts>`
    with removed as (
      delete from payout_item item using payout
      where item.payout_id = payout.id and ${IS_OPEN} and item.commission_id = any (${commissionIds})
      returning item.commission_id, item.payout_id
    ), change as (
      select payout_id, sum(amount_cents) as amount_cents, count(*) as commissions_count, array_agg(commission_id) as ids
      from removed join commission on commission.id = commission_id group by payout_id
    )
    update payout set
      amount_cents = payout.amount_cents - change.amount_cents,
      commissions_count = payout.commissions_count - change.commissions_count,
      updated_at = ${at}
    from change where payout.id = change.payout_id
    returning payout.id, payout.affiliate_id, change.ids, payout.amount_cents + change.amount_cents as amount_cents,
      payout.commissions_count + change.commissions_count as commissions_count`.execute(db);
  assertLocked(held, rows);
  for (const { id, affiliate_id: _, ids, ...previous } of rows) {
    records.noteChanged('payout', id, previous);
    for (const commissionId of ids) records.noteChanged('commission', commissionId, { payout_id: id });
  }
}

/**
 * Returns the claimed or paid payout that holds a commission, or null if the commission is in an open payout or in none. Locks the payout
 * that holds the commission, so that the result stays true until the transaction ends.
 */
export async function findClaimedPayoutOf(
  db: Db,
  commissionId: string,
): Promise<{ id: string; status: 'processing' | 'paid' } | null> {
  const row = await db
    .selectFrom('payout_item')
    .innerJoin('payout', 'payout.id', 'payout_item.payout_id')
    .select(['payout.id', 'payout.status'])
    .where('commission_id', '=', commissionId)
    .forUpdate(['payout'])
    .executeTakeFirst();
  // The status is never `returned` here, because a returned payout holds no commissions.
  return row?.status === 'processing' || row?.status === 'paid' ? { id: row.id, status: row.status } : null;
}

/** SQL condition: a row of `commission` is in a claimed or paid payout, as in `findClaimedPayoutOf`. */
export const IS_CLAIMED = sql<boolean>`exists (
  select from payout_item join payout on payout.id = payout_item.payout_id
  where payout_item.commission_id = commission.id and payout.status in ('processing', 'paid'))`;

/**
 * Adds candidates to a batch: attempts that do not hold their payouts yet.
 *
 * @param payouts SQL query of `payout_id`, `affiliate_id`, `livemode`, `currency`, `amount_cents`, `commissions_count`, `sealed_receiver`,
 * `method_versions`, `affiliate_fee_cents`, `quoted_fee_cents` and `quoted_fee_currency`
 * @returns the number of candidates
 */
export async function addCandidates(
  ctx: WriteCtx,
  { batchId, method, keyGeneration = 1 }: { batchId: string; method: string; keyGeneration?: number },
  payouts: RawBuilder<unknown>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into payout_attempt (id, account_id, payout_id, affiliate_id, batch_id, method, livemode, amount_cents, currency, commissions_count,
      sealed_receiver, method_versions, affiliate_fee_cents, quoted_fee_cents, quoted_fee_currency, key_generation, state, created_at, updated_at)
    select new_id('patt', ${ctx.now}::timestamptz), ${ctx.accountId}, payout_id, affiliate_id, ${batchId}, ${method}, livemode, amount_cents, currency,
      commissions_count, sealed_receiver, method_versions, affiliate_fee_cents, quoted_fee_cents, quoted_fee_currency, ${keyGeneration}, 'candidate', ${ctx.now}, ${ctx.now}
    from ${payouts} chosen`.execute(ctx.db);
  return Number(numAffectedRows);
}

/** SQL condition: the attempt `attempt` is the latest one of these payouts in a batch. */
function isOf(batchId: string, payoutIds: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`attempt.batch_id = ${batchId} and attempt.payout_id = any (${payoutIds}::text[]) and not attempt.superseded`;
}

/**
 * Claims open payouts for the candidates of a batch (open → processing, candidate → prepared). A claimed payout takes no more commissions, and nothing
 * else can pay it. Ignores payouts that are not open.
 *
 * @returns the ids of the payouts that were claimed
 */
export async function claimPayouts(
  ctx: WriteCtx,
  held: HeldAffiliates,
  batchId: string,
  payoutIds: readonly string[],
): Promise<string[]> {
  // The list of ids is not a condition of both tables: PostgreSQL would compare every payout with every attempt, because the tables have just grown.
  const { rows } = await sql<{ payout_id: string; affiliate_id: string }>`
    with claimed as (
      update payout set status = 'processing', updated_at = ${ctx.now}
      where id = any (${payoutIds}) and account_id = ${ctx.accountId} and ${IS_OPEN}
      returning id, amount_cents, commissions_count
    )
    update payout_attempt attempt set state = 'prepared', prepared_at = ${ctx.now}, updated_at = ${ctx.now},
      amount_cents = claimed.amount_cents, commissions_count = claimed.commissions_count
    from claimed where attempt.payout_id = claimed.id and attempt.batch_id = ${batchId} and not attempt.superseded
    returning attempt.payout_id, attempt.affiliate_id`.execute(ctx.db);
  assertLocked(held, rows);
  for (const { payout_id } of rows) ctx.records.noteChanged('payout', payout_id, { status: 'open' });
  return rows.map(({ payout_id }) => payout_id);
}

/** How attempts end without a payment. `returned`: the money came back before it arrived. */
export interface Ending {
  state: 'failed' | 'withdrawn' | 'returned';
  reason: string;
}

/**
 * Ends attempts of a batch that paid nothing, each in its own way, and releases the payouts that they hold (processing → open). An affiliate has at
 * most one open payout per currency and mode, so a payout that was opened after the claim is merged into the released one and deleted. Commissions that
 * were flagged since the claim leave the payout.
 */
export async function releasePayouts(
  ctx: WriteCtx,
  held: HeldAffiliates,
  batchId: string,
  endings: ReadonlyMap<string, Ending>,
): Promise<void> {
  if (endings.size === 0) return;
  const [ids, ways] = [[...endings.keys()], [...endings.values()]];
  // PostgreSQL before version 18 returns no former values, so the former state is read by a join.
  const { rows } = await sql<{ payout_id: string; was_held: boolean }>`
    update payout_attempt attempt set state = ending.state, reason = ending.reason, ended_at = ${ctx.now}, updated_at = ${ctx.now}, lease_until = null,
      returned_at = case ending.state when 'returned' then ${ctx.now}::timestamptz end
    from unnest(${ids}::text[], ${ways.map(({ state }) => state)}::text[], ${ways.map(({ reason }) => reason)}::text[])
        ending (payout_id, state, reason)
      join payout_attempt former using (payout_id)
      left join payout on payout.id = ending.payout_id
    where ${isOf(batchId, ids)} and attempt.payout_id = ending.payout_id and former.id = attempt.id and former.account_id = attempt.account_id
      and (attempt.state in ('candidate', 'failed') or ${isUnfinished()})
    returning attempt.payout_id, ${isUnfinished('former')} and coalesce(payout.status = 'processing', false) as was_held`.execute(
    ctx.db,
  );
  await reopen(
    ctx,
    held,
    rows.filter(({ was_held }) => was_held).map(({ payout_id }) => payout_id),
  );
}

/** Opens payouts whose attempts have ended without a payment. */
async function reopen(ctx: WriteCtx, held: HeldAffiliates, released: readonly string[]): Promise<void> {
  if (released.length === 0) return;
  for (const id of released) ctx.records.noteChanged('payout', id, { ...CLAIMED });
  await mergeNewer(ctx, released);
  await sql`update payout set status = 'open', updated_at = ${ctx.now} where id = any (${released})`.execute(ctx.db);
  await removeFlagged(ctx, held, released);
  reopenDecisions(ctx, sql`select commission_id from payout_item where payout_id = any (${released})`);
}

/**
 * Notes at unfinished attempts why they could neither be made nor released. Candidates fail.
 *
 * @returns false if nothing changed, because the reason is noted already
 */
export async function noteStuck(ctx: WriteCtx, batchId: string, payoutIds: readonly string[], reason: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update payout_attempt attempt set reason = ${reason}, updated_at = ${ctx.now},
      state = case state when 'candidate' then 'failed' else state end, ended_at = case state when 'candidate' then ${ctx.now}::timestamptz end
    where ${isOf(batchId, payoutIds)} and attempt.state in ('candidate', 'prepared') and reason is null`.execute(ctx.db);
  return Number(numAffectedRows) > 0;
}

/** Adds new candidates for failed attempts of a batch. An attempt that still holds its payout is continued instead. */
export async function retryAttempts(ctx: WriteCtx, batchId: string, payoutIds: readonly string[]): Promise<void> {
  await sql`
    update payout_attempt attempt set reason = null, updated_at = ${ctx.now}
    where ${isOf(batchId, payoutIds)} and attempt.state = 'prepared'`.execute(ctx.db);
  await sql`
    with former as (
      update payout_attempt attempt set superseded = true, updated_at = ${ctx.now}
      where ${isOf(batchId, payoutIds)} and attempt.state = 'failed'
      returning *
    )
    insert into payout_attempt (id, account_id, payout_id, affiliate_id, batch_id, method, livemode, amount_cents, currency, commissions_count,
      key_generation, state, created_at, updated_at)
    select new_id('patt', ${ctx.now}::timestamptz), account_id, payout_id, affiliate_id, batch_id, method, livemode, amount_cents, currency,
      commissions_count, key_generation + 1, 'candidate', ${ctx.now}, ${ctx.now}
    from former`.execute(ctx.db);
}

/** The former values of a claimed payout. \`state\` is the status as responses show it. */
const CLAIMED = { status: 'processing', state: 'processing' };

/** Merges open payouts into the released payouts of the same affiliate, currency and mode. */
async function mergeNewer(ctx: WriteCtx, released: readonly string[]): Promise<void> {
  const { rows: moved } = await sql<{ commission_id: string; payout_id: string }>`
    update payout_item set payout_id = released.id
    from payout newer join payout released using (affiliate_id, currency, livemode)
    where payout_item.payout_id = newer.id and ${isOpen('newer')} and released.id = any (${released})
    returning payout_item.commission_id, newer.id as payout_id`.execute(ctx.db);
  for (const { commission_id, payout_id } of moved) ctx.records.noteChanged('commission', commission_id, { payout_id });
  // The newer payouts are deleted before the released ones become open, because a unique index allows one open payout per affiliate,
  // currency and mode.
  const { rows: merged } = await sql<MergedPayout>`
    with merged as (
      delete from payout newer using payout released
      where newer.affiliate_id = released.affiliate_id and newer.currency = released.currency and newer.livemode = released.livemode
        and ${isOpen('newer')}
        and released.id = any (${released})
      returning released.id as merged_into, newer.*
    )
    update payout set
      amount_cents = payout.amount_cents + merged.amount_cents,
      commissions_count = payout.commissions_count + merged.commissions_count
    from merged where payout.id = merged.merged_into
    returning merged.*, payout.amount_cents - merged.amount_cents as former_cents,
      payout.commissions_count - merged.commissions_count as former_count`.execute(ctx.db);
  for (const { merged_into, former_cents, former_count, ...newer } of merged) {
    ctx.records.noteChanged('payout', merged_into, { amount_cents: former_cents, commissions_count: former_count });
    ctx.records.forget('payout', newer.id);
    emit(ctx, 'payout.merged', mergedPayout(newer, merged_into));
  }
}

/** An open payout that was merged into another one, and the former amounts of that one. */
interface MergedPayout extends Payout {
  merged_into: string;
  former_cents: number;
  former_count: number;
}

/** Removes commissions from open payouts that were flagged while the payouts were claimed, which only a dispute can cause. */
async function removeFlagged(ctx: WriteCtx, held: HeldAffiliates, payoutIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select commission.id from payout_item item join commission on commission.id = item.commission_id
    where item.payout_id = any (${payoutIds}) and commission.state <> 'voided' and commission.review_status = 'suspicious'`.execute(
    ctx.db,
  );
  if (rows.length === 0) return;
  await removeCommissions(
    ctx,
    held,
    ctx.now,
    rows.map(({ id }) => id),
  );
}

/**
 * Marks payouts and their commissions paid (open or processing → paid, prepared → arrived). With a batch, pays only payouts that its attempts hold.
 * Without a batch (null: paid by hand), pays only open payouts.
 *
 * @returns the ids of the payouts that were paid
 */
export async function markPayoutsPaid(
  ctx: WriteCtx,
  held: HeldAffiliates,
  batchId: string | null,
  payoutIds: readonly string[],
  paymentReference: string | null,
): Promise<string[]> {
  const { now } = ctx;
  const paidColumns = sql`status = 'paid', paid_at = ${now}, payment_reference = ${paymentReference}, updated_at = ${now}`;
  const { rows } = await sql<{ payout_id: string; affiliate_id: string }>`${
    batchId === null
      ? sql`
    with paid as (update payout set ${paidColumns} where id = any (${payoutIds}) and ${IS_OPEN} returning payout.*)
    insert into payout_attempt (id, account_id, payout_id, affiliate_id, method, livemode, amount_cents, currency, commissions_count, state,
      prepared_at, sent_at, arrived_at, created_at, updated_at)
    select new_id('patt', ${now}::timestamptz), account_id, id, affiliate_id, ${PAID_BY_HAND}, livemode, amount_cents, currency, commissions_count,
      'arrived', ${now}, ${now}, ${now}, ${now}, ${now}
    from paid returning payout_id, affiliate_id`
      : sql`
    with paid as (
      update payout set ${paidColumns}
      from payout_attempt attempt
      where payout.id = any (${payoutIds}) and payout.status = 'processing' and attempt.payout_id = payout.id and ${isOf(batchId, payoutIds)}
        and ${isUnfinished()}
      returning payout.id
    )
    update payout_attempt attempt set state = 'arrived', reason = null, sent_at = coalesce(sent_at, ${now}), arrived_at = ${now}, updated_at = ${now}
    from paid where attempt.payout_id = paid.id and ${isOf(batchId, payoutIds)}
    returning attempt.payout_id, attempt.affiliate_id`
  }`.execute(ctx.db);
  assertLocked(held, rows);
  const paid = rows.map(({ payout_id }) => payout_id);
  const former = { ...(batchId === null ? { status: 'open' } : CLAIMED), paid_at: null, payment_reference: null };
  for (const id of paid) ctx.records.noteChanged('payout', id, former);
  await markCommissionsPaid(ctx, now, paid);
  return paid;
}

/** A payout that was paid elsewhere, with the commissions that it paid. */
export type PaidElsewhere = Pick<
  Payout,
  'id' | 'affiliate_id' | 'currency' | 'amount_cents' | 'external_id' | 'payment_reference' | 'paid_at' | 'created_at'
> & { commission_ids: readonly string[] };

/** Records payouts that were paid elsewhere. Their commissions are paid already, and in no payout. */
export async function recordPaidPayouts(ctx: WriteCtx, held: HeldAffiliates, payouts: readonly PaidElsewhere[]): Promise<void> {
  assertLocked(held, payouts);
  await sql`
    with told as materialized (
      select * from json_to_recordset(${JSON.stringify(payouts)}::json) as told (id text, affiliate_id text, currency text, amount_cents bigint,
        external_id text, payment_reference text, paid_at timestamptz, created_at timestamptz, commission_ids text[])
    ), recorded as (
      insert into payout (id, account_id, affiliate_id, currency, status, amount_cents, commissions_count, payment_reference, paid_at, external_id,
        created_at, updated_at)
      select id, ${ctx.accountId}, affiliate_id, currency, 'paid', amount_cents, cardinality(commission_ids), payment_reference, paid_at, external_id,
        created_at, ${ctx.now} from told returning *
    ), item as (
      insert into payout_item (commission_id, payout_id) select unnest(commission_ids), id from told
    )
    insert into payout_attempt (id, account_id, payout_id, affiliate_id, method, livemode, amount_cents, currency, commissions_count, state, raw_state,
      prepared_at, sent_at, arrived_at, created_at, updated_at)
    select new_id('patt', ${ctx.now}::timestamptz), account_id, id, affiliate_id, ${PAID_BY_HAND}, livemode, amount_cents, currency, commissions_count,
      'arrived', ${PAID_ELSEWHERE}, paid_at, paid_at, paid_at, created_at, ${ctx.now}
    from recorded`.execute(ctx.db);
}

/** Deletes payouts that were recorded as paid elsewhere (`recordPaidPayouts`). Their commissions stay paid. */
export async function removePaidPayouts({ db, accountId }: WriteCtx, ids: RawBuilder<unknown>): Promise<void> {
  const own = sql`select id from payout where account_id = ${accountId} and id = ${ids}`;
  await sql`delete from payout_item where payout_id in (${own})`.execute(db);
  await sql`delete from payout_attempt where account_id = ${accountId} and payout_id in (${own})`.execute(db);
  await sql`delete from payout where id in (${own})`.execute(db);
}

/** Deletes those of the payouts that are open and have no commissions. */
export async function removeEmptyPayouts({ db, accountId }: WriteCtx, ids: RawBuilder<unknown>): Promise<void> {
  await sql`delete from payout where account_id = ${accountId} and id = ${ids} and ${IS_OPEN} and commissions_count = 0`.execute(
    db,
  );
}

/**
 * Marks a paid payout returned. Keeps a list of its commissions, and moves them to the open payout. Voided commissions are moved, too,
 * because the adjustments that take their amounts back still count (docs/rules/payouts.md#returned-payouts).
 */
export async function markPayoutReturned(
  ctx: WriteCtx,
  held: HeldAffiliates,
  payout: Locked<Payout>,
  reason: string,
): Promise<void> {
  assertLocked(held, [payout]);
  const { id: payoutId } = payout;
  await sql`
    update payout set status = 'returned', returned_at = ${ctx.now}, return_reason = ${reason}, updated_at = ${ctx.now}
    where id = ${payoutId}`.execute(ctx.db);
  await sql`
    update payout_attempt attempt set state = 'returned', reason = ${reason}, returned_at = ${ctx.now}, updated_at = ${ctx.now}
    where payout_id = ${payoutId} and ${HOLDS_PAYOUT}`.execute(ctx.db);
  ctx.records.noteChanged('payout', payoutId, { status: 'paid', state: 'paid', returned_at: null, return_reason: null });
  await markCommissionsReturned(ctx, payoutId);
  const { rows } = await sql<{ commission_id: string }>`
    with item as (
      delete from payout_item where payout_id = ${payoutId} returning commission_id
    )
    insert into returned_payout_item (payout_id, commission_id, amount_cents)
    select ${payoutId}, commission.id, commission.amount_cents from item join commission on commission.id = item.commission_id
    returning commission_id`.execute(ctx.db);
  const ids = rows.map(({ commission_id }) => commission_id);
  for (const id of ids) ctx.records.noteChanged('commission', id, { payout_id: payoutId });
  await collect(ctx, held, ctx.now, ids, sql`(${IS_PAYABLE} or commission.state = 'voided')`);
  reopenDecisions(ctx, sql`select unnest(${ids}::text[])`);
}

/**
 * Notes that the attempts of a batch, or that of one of its payouts, which are not sent may be paid.
 *
 * @param dueAt time from which the service sends them. Null for those of a file
 */
export async function authorizeAttempts(
  ctx: WriteCtx,
  held: HeldAffiliates,
  batchId: string,
  { payoutId = null, approvedBy, dueAt }: { payoutId?: string | null; approvedBy: string | null; dueAt: Instant | null },
): Promise<void> {
  const { rows } = await sql<{ affiliate_id: string }>`
    update payout_attempt set lease_until = ${dueAt}, authorized_at = ${ctx.now}, approved_by = ${approvedBy}
    where batch_id = ${batchId} and state in ('prepared', 'approved') and payout_id = coalesce(${payoutId}, payout_id)
    returning affiliate_id`.execute(ctx.db);
  assertLocked(held, rows);
}

/** Lets the service ask for the fees of the prepared attempts of a batch that are not known. */
export async function scheduleQuotes(ctx: WriteCtx, held: HeldAffiliates, batchId: string): Promise<void> {
  const { rows } = await sql<{ affiliate_id: string }>`
    update payout_attempt set lease_until = ${ctx.now}
    where batch_id = ${batchId} and state = 'prepared' and authorized_at is null and quoted_fee_cents is null
    returning affiliate_id`.execute(ctx.db);
  assertLocked(held, rows);
}

/** Has the payments of an affiliate that wait for a screening sent as soon as possible. */
export async function resumeScreened(ctx: WriteCtx, held: HeldAffiliates, affiliateId: string): Promise<void> {
  const { rows } = await sql<{ affiliate_id: string }>`
    update payout_attempt set lease_until = ${ctx.now}, reason = null, updated_at = ${ctx.now}
    where account_id = ${ctx.accountId} and affiliate_id = ${affiliateId} and state in ('prepared', 'approved') and reason = ${SCREENING}
      and authorized_at is not null
    returning affiliate_id`.execute(ctx.db);
  assertLocked(held, rows);
}

/** Marks the prepared attempts of a batch approved. */
export async function approveAttempts(ctx: WriteCtx, held: HeldAffiliates, batchId: string): Promise<void> {
  const { rows } = await sql<{ affiliate_id: string }>`
    update payout_attempt set state = 'approved', updated_at = ${ctx.now} where batch_id = ${batchId} and state = 'prepared'
    returning affiliate_id`.execute(ctx.db);
  assertLocked(held, rows);
}

/** Notes that attempts do not count in their batch any more: it tries again to pay the payout, or a person took the payout out. */
export async function supersedeAttempts(ctx: WriteCtx, ids: readonly string[]): Promise<void> {
  await sql`
    update payout_attempt set superseded = true, updated_at = ${ctx.now} where account_id = ${ctx.accountId} and id = any (${ids})`.execute(
    ctx.db,
  );
}

/** Loads an attempt of a locked affiliate, and locks its row. */
export async function lockAttempt(ctx: WriteCtx, held: HeldAffiliates, id: string): Promise<Locked<PayoutAttempt>> {
  const attempt = await lock(ctx, PayoutAttempt, id);
  assertLocked(held, [attempt]);
  return attempt;
}

/** Changes columns of an attempt that do not change what its payout is. The time of the first sending never moves, because the key expires after it. */
export async function changeAttempt(ctx: WriteCtx, id: string, changes: Partial<PayoutAttempt>): Promise<void> {
  const { first_posted_at, ...others } = changes;
  const posted = first_posted_at && { first_posted_at: sql`coalesce(first_posted_at, ${first_posted_at}::timestamptz)` };
  const attempt = ctx.db.updateTable('payout_attempt').where('account_id', '=', ctx.accountId).where('id', '=', id);
  await attempt.set({ ...others, ...posted, updated_at: ctx.now } as never).execute();
}

/** Replaces the receiver of an attempt, whose personal data are erased. */
export async function replaceReceiver(
  db: Db,
  { accountId, id, sealed_receiver }: { accountId: string; id: string; sealed_receiver: string },
): Promise<void> {
  await sql`update payout_attempt set sealed_receiver = ${sealed_receiver} where account_id = ${accountId} and id = ${id}`.execute(
    db,
  );
}

/** Returns those of the payouts that the batch has claimed and neither paid nor released. */
export async function findHeldBy(db: Db, batchId: string, payoutIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ payout_id: string }>`
    select attempt.payout_id from payout_attempt attempt join payout on payout.id = attempt.payout_id
    where ${isOf(batchId, payoutIds)} and payout.status = 'processing' and ${isUnfinished()}
    order by attempt.payout_id`.execute(db);
  return rows.map(({ payout_id }) => payout_id);
}
