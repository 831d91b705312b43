/**
 * All state changes of a commission, and the rules for them (docs/rules/ledger.md#commissions).
 *
 * All `*.transitions.ts` files follow one pattern. The entity holds columns and pure predicates. A function that takes a locked record writes
 * the change of that record. A function that takes `db` or `ctx` and ids changes many rows in SQL. A rule that both kinds of functions need is
 * written twice, side by side: as a TypeScript function and as an SQL fragment.
 *
 * A commission changes under the lock of its affiliate (`ledger/affiliate-lock.ts`). Nothing here changes payouts:
 * `book-commission.ts` updates the open payout, and the events follow from the changes (`commission.queries.ts`).
 */
import { post } from '@affiliate/postgres';
import { type RawBuilder, sql } from 'kysely';
import { callerId } from '../../platform/call/caller.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { held, type Locked } from '../../platform/call/locks.ts';
import { insert, insertParts, newRecordColumns, type Parts, save } from '../../platform/call/records.ts';
import { newMerchantColumns } from '../../platform/call/save-merchant-data.ts';
import type { Metadata } from '../../platform/db/columns.ts';
import type { Db } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { STATES } from '../../platform/texts/refusal-words.ts';
import { type Instant, plusDays } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import type { CampaignTerms } from '../../program/campaigns/campaign.service.ts';
import type { Amount } from '../../rewards/worth/amount-of.ts';
import type { Terms } from '../../rewards/worth/rule.ts';
import { assertLocked, type HeldAffiliates } from '../affiliate-lock.ts';
import { LEDGER_REASONS } from '../reasons.ts';
import type { Sale } from '../sales/sale.entity.ts';
import {
  Commission,
  type CommissionKind,
  type ContestedReward,
  isFlagged,
  isUnpaid,
  type ReviewReason,
  type ReviewStatus,
} from './commission.entity.ts';

/** Returns the due date of a commission that is earned at `at` under a campaign's terms (docs/rules/ledger.md#due-dates). */
export function dueDate(at: Instant, terms: Pick<CampaignTerms, 'days_until_commissions_are_due'>): Instant {
  return plusDays(at, terms.days_until_commissions_are_due);
}

/** Returns the state of an unpaid commission: due from its due date on, pending before (docs/rules/ledger.md#due-dates). */
function unpaidState(dueAt: Instant, at: Instant): 'pending' | 'due' {
  return dueAt <= at ? 'due' : 'pending';
}

/** SQL condition: a row of `commission` is pending, and its due date has come. */
function hasFallenDue(at: Instant | RawBuilder<unknown>) {
  return sql<boolean>`(commission.state = 'pending' and commission.due_at <= ${at})`;
}

/** True if the commission is payable: due and not flagged. Open payouts collect payable commissions only. */
export function isPayable(commission: Pick<Commission, 'state' | 'review_status'>): boolean {
  return commission.state === 'due' && !isFlagged(commission);
}

/** SQL equivalent of `isPayable` for a row of `commission`. */
export const IS_PAYABLE = sql<boolean>`(commission.state = 'due' and commission.review_status is distinct from 'suspicious')`;

/**
 * SQL condition: a row of `commission` is under review: unpaid, and flagged until somebody reviews it (docs/rules/ledger.md#review). The flag of a
 * reward for a lead ends without a review (docs/rules/rewards.md#rewards-for-leads). Null instead of false for some commissions. Literals, so that PostgreSQL can use the index on flagged commissions.
 */
export const NEEDS_REVIEW = sql<boolean>`(
  commission.review_status = 'suspicious' and commission.state in ('pending', 'due')
  and commission.review_reason is distinct from 'unpaid_lead')`;

/** The values that are decided when a commission is created. */
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
  /** Set if reward rules decided. The caller then gives the lines. */
  lines_currency?: string;
  rule_id?: string | null;
  milestone_since?: Instant;
  milestone_times?: number;
  reached_at?: Instant;
  due_at: Instant;
  due_by_hand?: boolean;
  review_status: ReviewStatus | null;
  review_reason: ReviewReason | null;
  /** `note` and `created_by` are set on manual commissions only. */
  note?: string;
  created_by?: string;
  external_id?: string | null;
  metadata?: Metadata;
}

/** The terms of a commission that reward rules decided, with what they pay now. They are frozen by line (docs/rules/rewards.md#terms). */
export interface CommissionLines {
  terms: Terms;
  amount: Amount;
}

/** Creates a commission, with its lines if reward rules decided. Its state is due if its due date has come, otherwise pending. */
export function createCommission(ctx: WriteCtx, terms: CommissionTerms, lines?: CommissionLines): Locked<Commission> {
  const values = {
    ...newRecordColumns(ctx, newId('commission', ctx.clock.now())),
    ...newMerchantColumns({}),
    note: null,
    created_by: null,
    imported_cents: null,
    lines_currency: null,
    rule_id: null,
    milestone_since: null,
    milestone_times: null,
    reached_at: null,
    contested: null,
    due_by_hand: false,
    ...terms,
    state: unpaidState(terms.due_at, ctx.now),
    paid_at: null,
    voided_at: null,
    void_reason: null,
    voided_by_refund: false,
    voided_by_hand: false,
    superseded: false,
  };
  return insert(ctx, Commission, values, lines && ((commission) => partsOf(commission, lines)));
}

/** An amount that goes into the open payout of an affiliate or, if it is negative, out of it. */
export interface Balance {
  affiliate_id: string;
  amount_cents: number;
  currency: string;
  livemode: boolean;
  /** Reason, for the merchant and the affiliate. */
  note: string;
}

/** Creates manual commissions of balances, which are due. Returns their ids. */
export async function createBalances(ctx: WriteCtx, held: HeldAffiliates, balances: readonly Balance[]): Promise<string[]> {
  assertLocked(held, balances);
  const { rows } = await sql<{ id: string }>`
    insert into commission (id, account_id, campaign_id, affiliate_id, kind, state, amount_cents, currency, livemode, due_at, note, created_by,
      created_at, updated_at)
    select new_id('com', ${ctx.now}::timestamptz), ${ctx.accountId}, campaign_id, affiliate.id, 'manual', 'due', balance.amount_cents, balance.currency, balance.livemode,
      ${ctx.now}, balance.note, ${callerId(ctx.principal)}, ${ctx.now}, ${ctx.now}
    from json_to_recordset(${JSON.stringify(balances)}::json) as balance (affiliate_id text, amount_cents bigint, currency text, livemode boolean, note text)
      join affiliate on affiliate.account_id = ${ctx.accountId} and affiliate.id = balance.affiliate_id
    returning commission.id`.execute(ctx.db);
  for (const { id } of rows) ctx.records.noteCreated('commission', id);
  return rows.map(({ id }) => id);
}

/** A commission that another tool has decided, after all refunds until then. */
export type ImportedCommission = Pick<
  Commission,
  | 'id'
  | 'campaign_id'
  | 'affiliate_id'
  | 'referral_id'
  | 'sale_id'
  | 'external_id'
  | 'state'
  | 'amount_cents'
  | 'currency'
  | 'due_at'
  | 'paid_at'
  | 'voided_at'
  | 'review_status'
  | 'review_reason'
  | 'created_at'
>;

/** Records commissions that another tool has decided, in the state that they had there. The caller adds the payable ones to open payouts. */
export async function recordImportedCommissions(
  ctx: WriteCtx,
  held: HeldAffiliates,
  commissions: readonly ImportedCommission[],
): Promise<void> {
  assertLocked(held, commissions);
  await sql`
    insert into commission (id, account_id, campaign_id, affiliate_id, referral_id, sale_id, external_id, kind, state, amount_cents, imported_cents, currency,
      due_at, paid_at, voided_at, voided_by_hand, review_status, review_reason, created_at, updated_at)
    select id, ${ctx.accountId}, campaign_id, affiliate_id, referral_id, sale_id, external_id, 'imported', state, amount_cents, amount_cents, currency,
      due_at, paid_at, voided_at, state = 'voided', review_status, review_reason, created_at, ${ctx.now}
    from json_to_recordset(${JSON.stringify(commissions)}::json) as told (id text, campaign_id text, affiliate_id text, referral_id text, sale_id text,
      external_id text, state text, amount_cents bigint, currency text, due_at timestamptz, paid_at timestamptz, voided_at timestamptz,
      review_status text, review_reason text, created_at timestamptz)`.execute(ctx.db);
}

/** Deletes imported commissions that are in no payout. */
export async function removeImportedCommissions({ db, accountId }: WriteCtx, ids: RawBuilder<unknown>): Promise<void> {
  await sql`delete from commission where account_id = ${accountId} and id = ${ids} and kind = 'imported'`.execute(db);
}

/** Columns of the lines of a commission. */
const LINE_COLUMNS = [
  'line',
  'rule_id',
  'rule_version',
  'pay',
  'quantity',
  'at_most_cents',
  'note',
  'base_cents',
  'cents',
] as const;

function partsOf({ id, account_id }: Commission, { terms, amount }: CommissionLines): Parts {
  return {
    table: 'commission_line',
    common: { commission_id: id, account_id },
    columns: LINE_COLUMNS,
    rows: terms.lines.map(({ line, rule_id, rule_version, pay, quantity, at_most_cents, note }, i) => ({
      line,
      rule_id: rule_id ?? undefined,
      rule_version: rule_version ?? undefined,
      pay,
      quantity,
      at_most_cents: at_most_cents ?? undefined,
      note: note ?? undefined,
      ...amount.lines[i]!,
    })),
  };
}

/** Replaces the terms of an unpaid commission, with its lines if reward rules decided. */
export function replaceCommissionTerms(
  ctx: WriteCtx,
  commission: Locked<Commission>,
  terms: Pick<Commission, 'amount_cents' | 'basis_points' | 'lines_currency'>,
  lines?: CommissionLines,
): void {
  save(ctx, Commission, commission, { ...terms, updated_at: ctx.now });
  post(ctx.db, ctx.db.deleteFrom('commission_line').where('commission_id', '=', commission.id).compile());
  if (lines !== undefined) insertParts(ctx, partsOf(commission, lines));
}

/** Sets what each line of a commission earns for the sale as it is now. The terms stay as they are. */
export function revalueCommissionLines(ctx: WriteCtx, commission: Locked<Commission>, terms: Terms, amount: Amount): void {
  const revalued = sql`
    update commission_line set base_cents = now.base_cents, cents = now.cents, at_most_cents = now.at_most_cents
    from unnest(
      ${terms.lines.map(({ line }) => line)}::int[],
      ${amount.lines.map(({ base_cents }) => base_cents)}::bigint[],
      ${amount.lines.map(({ cents }) => cents)}::bigint[],
      ${terms.lines.map(({ at_most_cents }) => at_most_cents)}::bigint[]
    ) as now (line, base_cents, cents, at_most_cents)
    where commission_line.commission_id = ${commission.id} and commission_line.line = now.line`;
  post(ctx.db, revalued.compile(ctx.db));
}

/** The context of a statement that changes many records: the transaction, and the place to note the changes. */
export type ChangedSets = Pick<WriteCtx, 'db' | 'records'>;

/** An affiliate with pending commissions whose due date has come: their number, and the earliest due date. */
export interface AffiliateFallingDue {
  affiliate_id: string;
  due_at: Instant;
  commissions: number;
}

/** The clocks by which pending commissions fall due now. */
interface ClocksFallingDue {
  /** True if commissions fall due by the service's clock. They may belong to accounts whose clock is ahead. */
  services_own: boolean;
  /** Ids of the accounts whose clock is ahead of the service's. */
  ahead: string[];
  /** Ids of those accounts with a clock ahead by which commissions fall due. */
  ahead_falling_due: string[];
}

/** Returns the clocks by which pending commissions fall due at this time of the service's clock. */
export async function findClocksFallingDue(db: Db, at: Instant): Promise<ClocksFallingDue> {
  const ahead = sql`select id from account where clock_ahead_ms > 0`;
  const ownTime = sql`${at}::timestamptz + account.clock_ahead_ms * interval '1 ms'`;
  const { rows } = await sql<ClocksFallingDue>`
    select exists (select from commission where ${hasFallenDue(at)}) as services_own,
      to_json(array(${ahead})) as ahead,
      to_json(array(${ahead} and exists (
        select from commission where commission.account_id = account.id and ${hasFallenDue(ownTime)}))) as ahead_falling_due`.execute(
    db,
  );
  return rows[0]!;
}

/**
 * Returns the next affiliates after `last` that have pending commissions whose due date has come. The earliest due date comes first.
 *
 * @param accounts condition on the `account_id` of the commissions
 * @param except ids of commissions that are left out
 */
export async function findAffiliatesFallingDue(
  db: Db,
  at: Instant,
  {
    last,
    limit,
    accounts,
    except,
  }: { last: AffiliateFallingDue | undefined; limit: number; accounts: RawBuilder<boolean>; except: readonly string[] },
): Promise<AffiliateFallingDue[]> {
  const after = last === undefined ? sql`true` : sql`(min(due_at), affiliate_id) > (${last.due_at}, ${last.affiliate_id})`;
  // `offset 0` keeps the planner from reading all pending commissions in the order of their affiliates.
  const { rows } = await sql<AffiliateFallingDue>`
    select affiliate_id, min(due_at) as due_at, count(*) as commissions
    from (select affiliate_id, due_at from commission where ${hasFallenDue(at)} and ${accounts} and id <> all (${except}::text[]) offset 0) falling_due
    group by affiliate_id having ${after} order by min(due_at), affiliate_id limit ${limit}`.execute(db);
  return rows;
}

/** Returns the ids of at most `limit` pending commissions of an affiliate whose due date has come, in random order. */
export async function findCommissionsFallingDue(
  db: Db,
  at: Instant,
  { affiliateId, limit, except }: { affiliateId: string; limit: number; except: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select commission.id from affiliate join commission on commission.account_id = affiliate.account_id and commission.affiliate_id = affiliate.id
    where affiliate.id = ${affiliateId} and ${hasFallenDue(at)} and commission.id <> all (${except}::text[])
    order by random() limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The commissions that fall due at once: at most `limit` of some affiliates, without those of `except`, or those of `only`. */
export interface FallingDue {
  affiliateIds: readonly string[];
  limit: number;
  except: readonly string[];
  only?: readonly string[];
}

/**
 * Moves commissions from pending to due, if their due date has come. Ends the hold of rewards for leads. Locks the affiliates itself,
 * in the order of their ids. Skips affiliates that another transaction has locked.
 *
 * @returns the ids of the commissions that fell due, and the locks on their affiliates
 */
export async function markCommissionsDue(
  { db, records }: ChangedSets,
  at: Instant,
  { affiliateIds, limit, except, only }: FallingDue,
): Promise<{ ids: string[]; held: HeldAffiliates }> {
  const which = only === undefined ? sql`commission.id <> all (${except}::text[])` : sql`commission.id = any (${only}::text[])`;
  // Updates rows at the place where it has found them, without looking them up again. A row that has moved since then is left to the next pass.
  const { rows } = await sql<{ ids: string[]; held_leads: string[]; locked: string[] }>`
    with locked as materialized (
      select id, account_id from affiliate where id = any (${affiliateIds}) order by id for no key update skip locked
    ), candidate as materialized (
      select commission.ctid as place, (commission.review_status = 'suspicious' and commission.review_reason = 'unpaid_lead') is true as was_held
      from locked join commission on commission.account_id = locked.account_id and commission.affiliate_id = locked.id
      where ${hasFallenDue(at)} and ${which} limit ${limit}
    ), fallen as (
      update commission set state = 'due', updated_at = ${at},
        review_status = case when was_held then null else review_status end, review_reason = case when was_held then null else review_reason end
      from candidate where commission.ctid = candidate.place and ${hasFallenDue(at)}
      returning commission.id, was_held
    )
    select to_json(array(select id from fallen)) as ids, to_json(array(select id from fallen where was_held)) as held_leads,
      to_json(array(select id from locked)) as locked`.execute(db);
  const { ids, held_leads, locked } = rows[0]!;
  const heldLeads = new Set(held_leads);
  for (const id of ids) records.noteChanged('commission', id, heldLeads.has(id) ? PENDING_LEAD : PENDING);
  return { ids, held: held({}, 'affiliate', locked) };
}

/**
 * Sets a new due date. An unpaid commission becomes pending or due by the new date, and the hold of a reward for a lead ends when it is due. A paid or
 * voided commission keeps its state.
 */
export function rescheduleCommission(
  ctx: WriteCtx,
  commission: Locked<Commission>,
  dueAt: Instant,
  { isByHand }: { isByHand: boolean },
): void {
  const state = unpaidState(dueAt, ctx.now);
  save(ctx, Commission, commission, {
    due_at: dueAt,
    due_by_hand: isByHand,
    ...(isUnpaid(commission) && { state }),
    ...(isUnpaid(commission) && state === 'due' && isHeldLead(commission) && { review_status: null, review_reason: null }),
    updated_at: ctx.now,
  });
}

/**
 * Records the result of a review, and sets the state to due if the due date has come, otherwise to pending. Throws VALIDATION_ERROR on a
 * paid or voided commission.
 *
 * @param isDisputed true while a dispute of the sale is open. An approval then stands for this dispute too, whatever the flag was for
 */
export function markCommissionReviewed(
  ctx: WriteCtx,
  commission: Locked<Commission>,
  status: ReviewStatus,
  { isDisputed }: { isDisputed: boolean },
): void {
  assertReviewable(commission);
  save(ctx, Commission, commission, {
    review_status: status,
    ...(status === 'approved' && isDisputed && { review_reason: 'dispute' as const }),
    // Facts must not release what a person has flagged, whether or not the service had flagged it before.
    ...(status === 'suspicious' && { review_reason: null }),
    state: unpaidState(commission.due_at, ctx.now),
    updated_at: ctx.now,
  });
}

/** The changes that hold a commission because of a dispute. */
export interface DisputeFlag {
  review_status: 'suspicious';
  review_reason: 'dispute';
}

/**
 * Returns the changes that hold a commission because of an open dispute of its sale, or null if it stays as it is
 * (docs/rules/ledger.md#disputes):
 *
 * - The flag replaces other automatic flags, which are decided again when the dispute ends. The flag of a person stays.
 * - An approval from before the dispute does not count, because the dispute is a new fact. An approval despite the dispute stays.
 * - A commission that takes money back is not held.
 */
export function disputeFlag(
  commission: Pick<Commission, 'review_status' | 'review_reason' | 'amount_cents'>,
): DisputeFlag | null {
  const { review_status: status, review_reason: reason, amount_cents: amount } = commission;
  const stays = status === 'suspicious' ? reason === null : status === 'approved' && reason === 'dispute';
  if (stays || amount <= 0 || (status === 'suspicious' && reason === 'dispute')) return null;
  return { review_status: 'suspicious', review_reason: 'dispute' };
}

/** SQL condition: a row of `commission` that becomes unpaid again is held by an open dispute of its sale, as in `disputeFlag`. A flag stays. */
const IS_HELD_BY_DISPUTE = sql<boolean>`(
  commission.amount_cents > 0 and commission.review_status is distinct from 'suspicious'
  and (commission.review_status, commission.review_reason) is distinct from ('approved', 'dispute')
  and exists (select from sale where sale.id = commission.sale_id and sale.disputed))`;

/** Holds a commission because of an open dispute of its sale. */
export function markCommissionDisputed(ctx: WriteCtx, commission: Locked<Commission>, flag: DisputeFlag): void {
  save(ctx, Commission, commission, { ...flag, updated_at: ctx.now });
}

/** Ends the hold of a dispute. A person's approval stays, but no longer stands for a later dispute. */
export function markCommissionReleased(ctx: WriteCtx, commission: Locked<Commission>): void {
  save(ctx, Commission, commission, {
    review_status: isFlagged(commission) ? null : commission.review_status,
    review_reason: null,
    updated_at: ctx.now,
  });
}

/** The flag of a reward for a lead who has not paid. */
const HELD_LEAD = { review_status: 'suspicious', review_reason: 'unpaid_lead' } as const;

/** Former values of a commission that falls due, and those of a held reward for a lead. */
const PENDING = { state: 'pending' } as const;
const PENDING_LEAD = { ...PENDING, ...HELD_LEAD } as const;

/** True for the flagged reward for a lead who has not paid yet. */
function isHeldLead({ review_status, review_reason }: Commission): boolean {
  return review_status === HELD_LEAD.review_status && review_reason === HELD_LEAD.review_reason;
}

/** The consequence of the customer's payments for an unpaid reward for a lead: `reason` is that of its flag, null for none, and undefined if the flag stays. */
export interface LeadHold {
  due_at: Instant;
  reason: ReviewReason | null | undefined;
}

/** Holds a reward for a lead until the customer pays, or ends the hold. */
export function holdLead(ctx: WriteCtx, commission: Locked<Commission>, { due_at, reason }: LeadHold): void {
  save(ctx, Commission, commission, {
    ...(reason !== undefined && { review_status: reason === null ? null : ('suspicious' as const), review_reason: reason }),
    due_at,
    state: unpaidState(due_at, ctx.now),
    updated_at: ctx.now,
  });
}

/** Changes an unpaid reward for a lead, because another rule decides about it. Its flag stays. */
export function reviseLead(
  ctx: WriteCtx,
  commission: Locked<Commission>,
  terms: { rule_id: string; amount_cents: number; due_at: Instant },
): void {
  save(ctx, Commission, commission, { ...terms, state: unpaidState(terms.due_at, ctx.now), updated_at: ctx.now });
}

/** Records that another charge reaches an unpaid milestone, and sets the due date that follows. A due date that a person has set stays (null). */
export function moveMilestone(
  ctx: WriteCtx,
  commission: Locked<Commission>,
  { reachedAt, dueAt }: { reachedAt: Instant; dueAt: Instant | null },
): void {
  const due = dueAt === null ? {} : { due_at: dueAt, state: unpaidState(dueAt, ctx.now) };
  save(ctx, Commission, commission, { reached_at: reachedAt, ...due, updated_at: ctx.now });
}

/** Records that facts contradict a claimed or paid bonus, reward for a lead or milestone, or that they contradict it no longer (null). */
export function setRewardContested(ctx: WriteCtx, commission: Locked<Commission>, contested: ContestedReward | null): void {
  if (!isSameContest(commission.contested, contested)) save(ctx, Commission, commission, { contested, updated_at: ctx.now });
}

/** True if two contests of a reward are the same. */
export function isSameContest(one: ContestedReward | null, other: ContestedReward | null): boolean {
  return one?.affiliate_id === other?.affiliate_id && one?.amount_cents === other?.amount_cents;
}

/** SQL condition: a row of `commission` is flagged because its affiliate is suspicious. */
const IS_FLAGGED_BY_SUSPICION = sql<boolean>`(
  commission.review_status = 'suspicious' and commission.review_reason = 'suspicious_affiliate')`;

/**
 * True if the service may flag the commission or replace the reason of its flag: the commission is unpaid, and no person has reviewed it. A dispute
 * keeps its flag until it ends.
 */
export function mayBeFlagged(commission: Pick<Commission, 'state' | 'review_status' | 'review_reason'>): boolean {
  const { review_status: status, review_reason: reason } = commission;
  return isUnpaid(commission) && (status === null || (status === 'suspicious' && reason !== null && reason !== 'dispute'));
}

/** SQL equivalent of `mayBeFlagged` for a row of `commission`. */
export const MAY_BE_FLAGGED = sql<boolean>`(
  commission.state in ('pending', 'due')
  and (commission.review_status is null or (commission.review_status = 'suspicious' and commission.review_reason <> 'dispute')))`;

/**
 * Releases the commissions of an affiliate that were flagged because the affiliate was suspicious. Also releases those that a refund voided, because the
 * flag would pass to the adjustment that gives the amount back if the refund fails.
 *
 * @returns the ids of the commissions
 */
export async function releaseSuspicion(ctx: WriteCtx, affiliateId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update commission set review_status = null, review_reason = null, updated_at = ${ctx.now}
    where affiliate_id = ${affiliateId} and ${IS_FLAGGED_BY_SUSPICION} and (state <> 'voided' or voided_by_refund)
    returning id`.execute(ctx.db);
  for (const { id } of rows)
    ctx.records.noteChanged('commission', id, { review_status: 'suspicious', review_reason: 'suspicious_affiliate' });
  return rows.map(({ id }) => id);
}

/** Flags a commission, with the reason. */
export function markCommissionFlagged(ctx: WriteCtx, commission: Locked<Commission>, reason: ReviewReason): void {
  save(ctx, Commission, commission, { review_status: 'suspicious', review_reason: reason, updated_at: ctx.now });
}

/** Throws VALIDATION_ERROR on a paid or voided commission. */
export function assertReviewable(commission: Commission): void {
  if (!isUnpaid(commission))
    throw invalid(
      'review_action',
      LEDGER_REASONS.commission_not_reviewable({ state: STATES[commission.state] }),
      'invalid_state',
    );
}

/** Returns what facts would give instead of a paid bonus, reward for a lead or milestone. Throws VALIDATION_ERROR if they do not contradict it. */
export function contestOf({ state, contested }: Commission): ContestedReward {
  if (state === 'paid' && contested !== null) return contested;
  throw invalid('review_action', LEDGER_REASONS.only_contradicted_reviewable, 'invalid_state');
}

/** Records that a paid reward stands, although facts contradict it. It is contested again when other facts do. Does nothing if it is recorded already. */
export function keepReward(ctx: WriteCtx, commission: Locked<Commission>): void {
  const contested = contestOf(commission);
  if (contested.kept === undefined)
    save(ctx, Commission, commission, { contested: { ...contested, kept: true }, updated_at: ctx.now });
}

/** Marks a commission paid by hand, outside of any payout. Throws VALIDATION_ERROR on a voided commission. */
export function markCommissionPaid(ctx: WriteCtx, commission: Locked<Commission>, paidAt: Instant): void {
  assertNotVoided(commission);
  save(ctx, Commission, commission, { state: 'paid', paid_at: paidAt, updated_at: ctx.now });
}

/** Marks the commissions of payouts paid. Voided commissions stay voided. */
export async function markCommissionsPaid(
  { db, records }: ChangedSets,
  at: Instant,
  payoutIds: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update commission set state = 'paid', paid_at = ${at}, updated_at = ${at}
    from payout_item item
    where item.payout_id = any (${payoutIds}) and commission.id = item.commission_id and commission.state <> 'voided'
    returning commission.id`.execute(db);
  for (const { id } of rows) records.noteChanged('commission', id, UNPAID);
}

/** Former values of a commission that is paid with its payout, which holds due commissions only. */
const UNPAID = { state: 'due', paid_at: null } as const;

/**
 * Moves the paid commissions of a returned payout back to due. Voided commissions stay voided. Clears `paid_at` of all of them, because the
 * money was not paid after all. Flags the commissions of sales with an open dispute.
 */
export async function markCommissionsReturned(ctx: WriteCtx, payoutId: string): Promise<void> {
  const { rows } = await sql<
    { id: string } & Pick<Commission, 'state' | 'due_at' | 'paid_at' | 'review_status' | 'review_reason'>
  >`
    with former as (
      select id, state, due_at, paid_at, review_status, review_reason from commission
      where id in (select commission_id from payout_item where payout_id = ${payoutId})
    )
    update commission set
      state = case when commission.state = 'paid' then 'due' else commission.state end,
      due_at = case when commission.state = 'paid' then least(commission.due_at, ${ctx.now}::timestamptz) else commission.due_at end,
      review_status = case when commission.state = 'paid' and ${IS_HELD_BY_DISPUTE} then 'suspicious' else commission.review_status end,
      review_reason = case when commission.state = 'paid' and ${IS_HELD_BY_DISPUTE} then 'dispute' else commission.review_reason end,
      paid_at = null, updated_at = ${ctx.now}
    from former where commission.id = former.id
    returning former.*`.execute(ctx.db);
  for (const { id, ...previous } of rows) ctx.records.noteChanged('commission', id, previous);
}

/**
 * Moves a paid commission back to due if its due date has come, otherwise to pending. Flags it if a dispute of its sale is open. Throws
 * VALIDATION_ERROR on a voided commission.
 */
export function markCommissionUnpaid(
  ctx: WriteCtx,
  commission: Locked<Commission>,
  { isDisputed }: { isDisputed: boolean },
): void {
  assertNotVoided(commission);
  save(ctx, Commission, commission, {
    state: unpaidState(commission.due_at, ctx.now),
    paid_at: null,
    ...(isDisputed && disputeFlag(commission)),
    updated_at: ctx.now,
  });
}

/**
 * Voids a commission permanently, because a person decided so. Keeps `paid_at`, which shows that the amount was paid; an adjustment takes the
 * amount back.
 */
export function markCommissionVoided(ctx: WriteCtx, commission: Locked<Commission>, reason: string | null): void {
  save(ctx, Commission, commission, { ...voided(reason, ctx.now), voided_by_hand: true });
}

/** `void_reason` of a paid reward that a person had decided again. */
export const RECONSIDERED = 'reconsidered';

/** Voids a paid reward, so that the facts decide about it again as if it had not been earned. Keeps `paid_at`, like `markCommissionVoided`. */
export function markRewardReconsidered(ctx: WriteCtx, commission: Locked<Commission>): void {
  save(ctx, Commission, commission, { ...voided(RECONSIDERED, ctx.now), superseded: true, contested: null });
}

function voided(reason: string | null, at: Instant): Partial<Commission> {
  return { state: 'voided', voided_at: at, void_reason: reason, updated_at: at };
}

/** Voids a commission because nothing is left of its sale: the sale was refunded, or nothing was charged after all. */
export function markCommissionRefunded(
  ctx: WriteCtx,
  commission: Locked<Commission>,
  sale: Pick<Sale, 'charge_amount_cents'>,
): void {
  const reason = sale.charge_amount_cents === 0 ? 'nothing_charged' : 'refunded';
  save(ctx, Commission, commission, { ...voided(reason, ctx.now), voided_by_refund: true });
}

/** `void_reason` of a commission that was voided because a late fact gave its sale to another referral or to none. */
export const REATTRIBUTED = 'reattributed';

/** Marks a commission as superseded: it no longer counts as the commission of its sale. With `voidReason`, also voids it. */
export function markCommissionSuperseded(ctx: WriteCtx, commission: Locked<Commission>, voidReason?: string): void {
  save(ctx, Commission, commission, {
    ...(voidReason !== undefined && voided(voidReason, ctx.now)),
    superseded: true,
    updated_at: ctx.now,
  });
}

/** Moves a commission with its adjustments, and the bonuses of its sale, to another referral of the same affiliate and campaign. Works in every state. */
export async function moveCommissionToReferral(ctx: WriteCtx, commission: Locked<Commission>, referralId: string): Promise<void> {
  const { referral_id } = commission;
  save(ctx, Commission, commission, { referral_id: referralId, updated_at: ctx.now });
  const { rows } = await sql<{ id: string }>`
    update commission set referral_id = ${referralId}, updated_at = ${ctx.now}
    where adjusts_commission_id = ${commission.id} or id <> ${commission.id} and rule_id is not null
      and sale_id = ${commission.sale_id} and affiliate_id = ${commission.affiliate_id} and referral_id = ${referral_id}
    returning id`.execute(ctx.db);
  for (const { id } of rows) ctx.records.noteChanged('commission', id, { referral_id });
}

/** Sets a new amount on an unpaid commission. The amount of a paid commission never changes; adjustments correct it. */
export function revalueCommission(ctx: WriteCtx, commission: Locked<Commission>, amountCents: number): void {
  save(ctx, Commission, commission, { amount_cents: amountCents, updated_at: ctx.now });
}

function assertNotVoided(commission: Commission): void {
  if (commission.state === 'voided') throw invalid('paid_at', LEDGER_REASONS.voided_commission_not_paid, 'invalid_state');
}
