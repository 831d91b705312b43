/**
 * Decides whether payments may be sent now (docs/rules/payouts.md#approvals). Every way to have payments sent asks here, under one lock of the account, so
 * that two of them cannot both fit below a limit.
 */
import { type RawBuilder, sql } from 'kysely';
import { exceededLimit, needsSecondPerson, nextAllowed, rulesInForce } from '../../identity/sessions/payout-approval.ts';
import { isPaused } from '../../identity/sessions/payout-terms.ts';
import { assertFreshSession } from '../../identity/sessions/session.ts';
import { ARRIVED_AFTER_ALL } from '../../ledger/payouts/payout-attempt.entity.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock, type Locked } from '../../platform/call/locks.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { type Instant, plusDays } from '../../platform/time/instant.ts';
import type { BatchRow, PayoutBatch } from '../batches/payout-batch.entity.ts';
import { changeBatch, markBatchApproved } from '../batches/payout-batch.transitions.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';

interface Amount {
  currency: string;
  amount_cents: number;
}

type Reader = Pick<Ctx, 'db' | 'accountId' | 'now'>;

/** SQL query: payments with `affiliate_id`, `method`, `currency`, `amount_cents` and `method_versions`. */
type Payments = RawBuilder<unknown>;

/** SQL query: the payments of a batch that are not sent, or only that of a payout. */
export function unsentOf(batchId: string, payoutId: string | null = null): Payments {
  return sql`(
    select affiliate_id, method, currency, amount_cents, method_versions from payout_attempt
    where batch_id = ${batchId} and state in ('prepared', 'approved') and not superseded and payout_id = coalesce(${payoutId}, payout_id))`;
}

/** The decision about payments, and the input field that an error names. */
interface Decision {
  livemode: boolean;
  /** True if somebody else has approved exactly these payments. */
  isApproved: boolean;
  path: string;
}

/** Throws VALIDATION_ERROR (`approval_needed`) for payments that somebody else has to approve first, and otherwise as `mayGoOut` does. */
export async function authorizeSending(ctx: WriteCtx, payments: Payments, decision: Decision): Promise<void> {
  if (!(await mayGoOut(ctx, payments, decision))) throw invalid(decision.path, PAYOUT_REASONS.approval_needed, 'approval_needed');
}

/**
 * Returns false for payments that somebody else has to approve first. Test payments of a live account move no money, and need nothing.
 *
 * @throws VALIDATION_ERROR (`daily_limit`) for payments that exceed a limit
 */
export async function mayGoOut(ctx: WriteCtx, payments: Payments, { livemode, isApproved, path }: Decision): Promise<boolean> {
  if (!livemode) return true;
  // The preview of an export waits for no locks.
  if (!ctx.preview) await advisoryLock(ctx, 'payout sending');
  const { rules, wanted, sent, isNeeded } = await findRules(ctx, payments);
  if (!isApproved && isNeeded) return false;
  const over = exceededLimit(rules, wanted, sent);
  if (over) throw invalid(path, PAYOUT_REASONS.above_daily_limit({ currency: over.currency }), 'daily_limit');
  return true;
}

/** Reports whether payments could not be sent without an approval at the moment. */
export async function needsApproval(ctx: Reader, { livemode }: Pick<BatchRow, 'livemode'>, payments: Payments): Promise<boolean> {
  return livemode && (await findRules(ctx, payments)).isNeeded;
}

/** SQL expression: the time from which a payment that may be sent counts for a day. */
const COUNTED_FROM = sql<Instant>`(case when first_posted_at is null and lease_until is not null then 'infinity'::timestamptz
  else greatest(authorized_at, first_posted_at) end)`;

/** Finds the rules in force, whether they ask for another person, and the sums of what was sent within a day. */
async function findRules({ db, accountId, now }: Reader, payments: Payments) {
  const rules = rulesInForce(await findAccountRules({ db, accountId }), now);
  const asksForNew = rules.some(({ new_methods }) => new_methods);
  const { rows: wanted } = await sql<Amount & { has_new: boolean }>`
    select currency, sum(amount_cents) as amount_cents, bool_or(${asksForNew} and not exists (
      select from payout_attempt known where known.account_id = ${accountId} and known.affiliate_id = payment.affiliate_id
        and known.method = payment.method and known.currency = payment.currency and known.livemode
        and known.method_versions is not distinct from payment.method_versions
        and known.state = 'arrived' and known.authorized_at is not null)) as has_new
    from ${payments} payment group by currency`.execute(db);
  // Payments that a rail has certainly refused do not count, nor do those that were withdrawn before they were sent. A file counts in any case: somebody
  // may have used it before its export was deleted. A payment that waits counts until a day after it is sent, because several may go out at once.
  const { rows: sent } = await sql<Amount & { unapproved_cents: number }>`
    select currency, sum(amount_cents) as amount_cents,
      coalesce(sum(amount_cents) filter (where approved_by is null), 0) as unapproved_cents
    from payout_attempt
    where account_id = ${accountId} and livemode and authorized_at is not null and ${COUNTED_FROM} > ${plusDays(now, -1)}::timestamptz
      and ((state <> 'withdrawn' and not (state = 'failed' and raw_state is not null and reason <> ${ARRIVED_AFTER_ALL}))
        or (select kind from payout_batch where payout_batch.id = batch_id) = 'export')
    group by currency`.execute(db);
  const unapproved = sent.map(({ currency, unapproved_cents }) => ({ currency, amount_cents: unapproved_cents }));
  return { rules, wanted, sent, isNeeded: wanted.some(({ has_new }) => has_new) || needsSecondPerson(rules, wanted, unapproved) };
}

async function findAccountRules({ db, accountId }: Pick<Reader, 'db' | 'accountId'>) {
  return db
    .selectFrom('account')
    .select(['payout_approval', 'former_payout_approvals', 'time_zone', 'payouts_stopped_at', 'payout_terms'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
}

/** Why payments that may be sent are not posted now, and until when. Null: until a person lets them go on. */
export interface Stop {
  cause: 'payouts_stopped' | 'method_paused' | 'allowed_hours';
  until: Instant | null;
}

/** Finds out whether payments may be posted at the moment. Test payments may be at every hour. Returns null if they may. */
export async function findStop(ctx: Reader, { livemode, method }: Pick<BatchRow, 'livemode' | 'method'>): Promise<Stop | null> {
  const account = await findAccountRules(ctx);
  if (account.payouts_stopped_at !== null) return { cause: 'payouts_stopped', until: null };
  if (isPaused(account.payout_terms, method)) return { cause: 'method_paused', until: null };
  const until = livemode ? nextAllowed(account, ctx.now) : null;
  return until === null ? null : { cause: 'allowed_hours', until };
}

/** SQL expression: the hash of payments, with their amounts and receivers. Whatever changes in them changes the hash. */
export const HASH_OF_PAYMENTS = sql<string | null>`encode(sha256(convert_to(string_agg(
  concat_ws('|', id, payout_id, affiliate_id, amount_cents, affiliate_fee_cents, currency, commissions_count, key_generation, method, sealed_receiver), E'\\n' order by id
), 'UTF8')), 'hex')`;

/** Returns the hash of the payments of a batch that are not sent, or null if there are none. */
export async function hashOfUnsent({ db }: Pick<Ctx, 'db'>, batchId: string): Promise<string | null> {
  const { rows } = await sql<{ hash: string | null }>`
    select ${HASH_OF_PAYMENTS} as hash
    from payout_attempt where batch_id = ${batchId} and state in ('prepared', 'approved') and not superseded`.execute(db);
  return rows[0]!.hash;
}

/**
 * Approves the payments of a batch that are not sent, by a signed-in person who is not behind the caller who prepared them. The affiliates of the payments are
 * locked. The approval is for exactly the payments of now. Returns the person.
 *
 * @throws FORBIDDEN for keys and assistants, for the person who prepared the payments, and (`sign_in_again`) for an old session; VALIDATION_ERROR if there are
 * none, if they are not those of `items_hash`, and if they are approved already
 */
export async function approveBatch(ctx: WriteCtx, batch: Locked<PayoutBatch>, items_hash: string | undefined): Promise<string> {
  const { principal } = ctx;
  if (principal.kind !== 'session')
    throw new DomainError('FORBIDDEN', PAYOUT_REASONS.person_needed_to_approve, { reason: 'person_needed' });
  if (principal.user_id === batch.prepared_by_person) throw new DomainError('FORBIDDEN', PAYOUT_REASONS.prepared_by_approver);
  await assertFreshSession(ctx.db, principal.id);
  const hash = await hashOfUnsent(ctx, batch.id);
  if (hash === null) throw invalid('id', PAYOUT_REASONS.nothing_to_approve, 'invalid_state');
  if (items_hash !== undefined && items_hash !== hash) throw invalid('items_hash', PAYOUT_REASONS.payments_changed, 'changed');
  if (batch.approved_hash === hash) throw invalid('id', PAYOUT_REASONS.batch_approved, 'invalid_state');
  await changeBatch(ctx, batch, (draft) => markBatchApproved(draft, { by: principal.user_id, hash }, ctx.now));
  return principal.user_id;
}
