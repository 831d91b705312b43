/**
 * Every state change of a commission, and the rules that decide them (docs/domain-rules.md#commissions).
 *
 * All `*.transitions.ts` files follow one pattern. The entity holds columns and pure predicates. A function that takes the entity changes
 * that one record in memory: the caller has locked it, and flushes. A function that takes `db` or `ctx` and ids changes many rows in SQL.
 * A rule that both need stands here twice, side by side: as a TypeScript function and as an SQL fragment.
 *
 * The caller holds the lock of the commission's affiliate (`lockAffiliate`), unless a function says that it takes the lock itself.
 * Nothing here touches payouts or emits events: `book-commission.ts` keeps the open payout in step, `commission.events.ts` announces.
 */
import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { newRecordColumns } from '../../platform/call/records.ts';
import type { Db } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors/errors.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { Commission, type CommissionKind, type ReviewReason, type ReviewStatus } from './commission.entity.ts';
import type { CommissionState } from './commission.states.ts';

/** State of an unpaid commission: due from its due date on, pending before (docs/domain-rules.md#due-dates). */
export function unpaidState(dueAt: Instant, at: Instant): 'pending' | 'due' {
  return dueAt <= at ? 'due' : 'pending';
}

/** `unpaidState` for rows of `commission`: pending ones whose due date has come. */
function hasFallenDue(at: Instant) {
  return sql<boolean>`(commission.state = 'pending' and commission.due_at <= ${at})`;
}

/** Payable: due and not flagged. Open payouts collect payable commissions only. */
export function isPayable(commission: Commission): boolean {
  return commission.state === 'due' && !commission.isFlagged();
}

/** `isPayable` for rows of `commission`. */
export const IS_PAYABLE = sql<boolean>`(commission.state = 'due' and commission.review_status is distinct from 'suspicious')`;

/** Everything that is decided when a commission is created. */
export interface CommissionTerms {
  kind: CommissionKind;
  campaign_id: string;
  affiliate_id: string;
  referral_id: string | null;
  sale_id: string | null;
  /** On an adjustment: the commission that it corrects. */
  adjusts_commission_id: string | null;
  amount_cents: number;
  currency: string;
  livemode: boolean;
  basis_points: number | null;
  due_at: Instant;
  review_status: ReviewStatus | null;
  review_reason: ReviewReason | null;
  /** On a manual commission. */
  note?: string;
  created_by?: string;
}

/** Creates a commission, pending or due by its due date. */
export function createCommission(ctx: WriteCtx, terms: CommissionTerms): Commission {
  return ctx.em.create(Commission, {
    ...newRecordColumns(ctx, newId('commission', ctx.clock.now())),
    note: null,
    created_by: null,
    ...terms,
    state: unpaidState(terms.due_at, ctx.now),
    paid_at: null,
    voided_at: null,
    void_reason: null,
    voided_by_refund: false,
    superseded: false,
  });
}

/** An affiliate with commissions whose due date has come, the first of them at `due_at`. */
export interface AffiliateFallingDue {
  affiliate_id: string;
  due_at: Instant;
  commissions: number;
}

/** The next affiliates after `last` with commissions whose due date has come, the longest due first. */
export async function findAffiliatesFallingDue(
  db: Db,
  at: Instant,
  last: AffiliateFallingDue | undefined,
  limit: number,
): Promise<AffiliateFallingDue[]> {
  const after = last === undefined ? sql`true` : sql`(min(due_at), affiliate_id) > (${last.due_at}, ${last.affiliate_id})`;
  // `offset 0` keeps the planner from reading all that is pending in the order of affiliates.
  const { rows } = await sql<AffiliateFallingDue>`
    select affiliate_id, min(due_at) as due_at, count(*) as commissions
    from (select affiliate_id, due_at from commission where ${hasFallenDue(at)} offset 0) falling_due
    group by affiliate_id having ${after} order by min(due_at), affiliate_id limit ${limit}`.execute(db);
  return rows;
}

/** Ids of many records, as PostgreSQL writes an array. It goes back to PostgreSQL as it came, so that a million ids leave no garbage here. */
export type IdsAsText = string & { readonly __ids: unique symbol };

/**
 * Pending → due for commissions of the given affiliates whose due date has come, at most `limit` of them. Locks the affiliates itself, in the
 * order of their ids; passes over those that another transaction has locked.
 *
 * @returns the ids of the commissions that fell due, and their number
 */
export async function markCommissionsDue(
  db: Db,
  at: Instant,
  affiliateIds: readonly string[],
  limit: number,
): Promise<{ ids: IdsAsText; count: number }> {
  const { rows } = await sql<{ ids: IdsAsText; count: number }>`
    with locked as materialized (
      select id from affiliate where id = any (${affiliateIds}) order by id for no key update skip locked
    ), candidate as materialized (
      select commission.id from locked join commission on commission.affiliate_id = locked.id where ${hasFallenDue(at)} limit ${limit}
    ), fallen as (
      update commission set state = 'due', updated_at = ${at}
      from candidate where commission.id = candidate.id and ${hasFallenDue(at)}
      returning commission.id
    )
    select coalesce(array_agg(id), '{}')::text as ids, count(*) as count from fallen`.execute(db);
  return rows[0]!;
}

/** New due date. An unpaid commission becomes pending or due by it; a paid or voided one keeps its state. */
export function rescheduleCommission(commission: Commission, dueAt: Instant, at: Instant): void {
  commission.due_at = dueAt;
  commission.updated_at = at;
  if (commission.isUnpaid()) commission.state = unpaidState(dueAt, at);
}

/** Result of a review. Throws VALIDATION_ERROR on a paid or voided commission. */
export function markCommissionReviewed(commission: Commission, status: ReviewStatus, at: Instant): void {
  assertReviewable(commission);
  commission.review_status = status;
  commission.updated_at = at;
  commission.state = unpaidState(commission.due_at, at);
}

/** Flags an unpaid commission that nobody has reviewed, and says why. */
export function markCommissionFlagged(commission: Commission, reason: ReviewReason, at: Instant): void {
  commission.review_status = 'suspicious';
  commission.review_reason = reason;
  commission.updated_at = at;
}

/** Throws VALIDATION_ERROR on a paid or voided commission. */
export function assertReviewable(commission: Commission): void {
  if (!commission.isUnpaid())
    throw invalid('review_action', `A ${commission.state} commission cannot be reviewed.`, 'invalid_state');
}

/** Paid by hand, outside any payout. Throws VALIDATION_ERROR on a voided commission. */
export function markCommissionPaid(commission: Commission, paidAt: Instant, at: Instant): void {
  assertNotVoided(commission);
  commission.state = 'paid';
  commission.paid_at = paidAt;
  commission.updated_at = at;
}

/** Paid together with the payouts that hold them; voided commissions stay voided. Called by the payouts' own transition. */
export async function markCommissionsPaid(db: Db, at: Instant, payoutIds: readonly string[]): Promise<void> {
  await sql`
    update commission set state = 'paid', paid_at = ${at}, updated_at = ${at}
    from payout_item item
    where item.payout_id = any (${payoutIds}) and commission.id = item.commission_id and commission.state <> 'voided'`.execute(
    db,
  );
}

/**
 * Paid → due, for the commissions of a payout whose transfer was returned. Voided ones stay voided; their money was not paid after all.
 *
 * @returns the ids of the commissions that are due again
 */
export async function markCommissionsReturned(db: Db, at: Instant, payoutId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string; state: CommissionState }>`
    update commission set
      state = case when commission.state = 'paid' then 'due' else commission.state end,
      due_at = case when commission.state = 'paid' then least(commission.due_at, ${at}::timestamptz) else commission.due_at end,
      paid_at = null, updated_at = ${at}
    from payout_item item where item.payout_id = ${payoutId} and commission.id = item.commission_id
    returning commission.id, commission.state`.execute(db);
  return rows.filter(({ state }) => state === 'due').map(({ id }) => id);
}

/** Paid → pending or due, by its due date. Throws VALIDATION_ERROR on a voided commission. */
export function markCommissionUnpaid(commission: Commission, at: Instant): void {
  assertNotVoided(commission);
  commission.state = unpaidState(commission.due_at, at);
  commission.paid_at = null;
  commission.updated_at = at;
}

/** Voids it, permanently. Keeps `paid_at`, which shows that money was paid; an adjustment takes that back. */
export function markCommissionVoided(commission: Commission, reason: string | null, at: Instant): void {
  commission.state = 'voided';
  commission.voided_at = at;
  commission.void_reason = reason;
  commission.updated_at = at;
}

/** Voided by a full refund of its sale. */
export function markCommissionRefunded(commission: Commission, at: Instant): void {
  markCommissionVoided(commission, 'refunded', at);
  commission.voided_by_refund = true;
}

/** `void_reason` of a commission that a late fact took away. */
export const REATTRIBUTED = 'reattributed';

/** No longer the commission of its sale; with a reason, voided as well. */
export function markCommissionSuperseded(commission: Commission, at: Instant, voidReason?: string): void {
  commission.superseded = true;
  commission.updated_at = at;
  if (voidReason !== undefined) markCommissionVoided(commission, voidReason, at);
}

/** Goes with its sale to another referral of the affiliate in the same campaign, in any state, together with its adjustments. */
export async function moveCommissionToReferral(ctx: WriteCtx, commission: Commission, referralId: string): Promise<void> {
  commission.referral_id = referralId;
  commission.updated_at = ctx.now;
  await sql`
    update commission set referral_id = ${referralId}, updated_at = ${ctx.now}
    where adjusts_commission_id = ${commission.id}`.execute(ctx.db);
}

/** New amount of an unpaid commission. The amount of a paid one never changes: adjustments correct it. */
export function revalueCommission(commission: Commission, amountCents: number, at: Instant): void {
  commission.amount_cents = amountCents;
  commission.updated_at = at;
}

function assertNotVoided(commission: Commission): void {
  if (commission.state === 'voided')
    throw invalid('paid_at', 'A voided commission cannot be marked paid or unpaid.', 'invalid_state');
}
