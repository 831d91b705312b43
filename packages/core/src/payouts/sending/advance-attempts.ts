/**
 * Sends prepared payments, and follows them to their end (docs/rules/payouts.md#attempts).
 *
 * The row of an attempt is committed with its key before the first byte is sent. If a process dies
 * - before that, the attempt is prepared, and is sent later.
 * - after that, the attempt is sent without an answer. When its lease has ended, the same payment is sent again with the same key, which the rail
 *   knows, until the rail may have forgotten the key. From then on a person decides.
 * - after the answer, the attempt has the answer or is asked about again.
 */
import { sql } from 'kysely';
import { type HeldAffiliates, lockAffiliate } from '../../ledger/affiliate-lock.ts';
import { payPayouts, returnPaid } from '../../ledger/payouts/pay-payouts.ts';
import { ARRIVED_AFTER_ALL, type PayoutAttempt, SCREENING, sentCents } from '../../ledger/payouts/payout-attempt.entity.ts';
import { IS_UNCLEARED } from '../../ledger/payouts/payout-screening.entity.ts';
import { Payout } from '../../ledger/payouts/payout.entity.ts';
import { changeAttempt, findHeldBy, lockAttempt, releasePayouts } from '../../ledger/payouts/payout.transitions.ts';
import type { Services, WriteCtx } from '../../platform/call/context.ts';
import { lock } from '../../platform/call/records.ts';
import { inTransaction, type Step, systemContext } from '../../platform/call/transaction.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { OutsideError } from '../../platform/operations/operation.ts';
import { Failures } from '../../platform/sweeps/failures.ts';
import { type Instant, plusDays, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { findStop } from '../approvals/authorize-sending.ts';
import { announceFailed } from '../batches/finish-batch.ts';
import { sendingMethods } from '../methods/methods.ts';
import { findChanges } from '../methods/recheck.ts';
import { quotedFee } from '../port/fee.ts';
import type { Outgoing, Quote, Receiver, SendingMethod } from '../port/method.ts';
import { type RailAccess, RailError, stateAfter, type Word } from '../port/rail.ts';
import {
  accessTo,
  type ConnectedRail,
  findConnectedRail,
  findRailFor,
  modeOfPayment,
  pauseRail,
  stopRail,
  takeCall,
} from '../rails/open-rail.ts';
import { unlessFailed } from './ask-rail.ts';
import { tellOfDoubt, tellOfStop } from './tell-of-trouble.ts';

/** Attempts that are found by one statement. */
const BATCH = 100;
/** Time that one call may take, after which another process asks again. */
export const LEASE_MS = 60_000;
/** Time between two questions about a payment. */
const LOOK_MS = 300_000;
/** The same for a payment that waits for its receiver, which takes days. */
const UNCLAIMED_LOOK_MS = 3_600_000;
/** Days for which a payment that has arrived is watched, once a day, because it may come back. */
const WATCHED_DAYS = 60;
/** Calls in succession without an answer after which the other payments of a rail wait for the next pass, so that they do not delay those of other rails. */
const SILENT_CALLS = 3;
/** Time between two searches for a payment whose key has expired. */
const FIND_MS = 86_400_000;
/** The time by which a key is trusted less than its rail promises. */
const KEY_MARGIN_MS = 3_600_000;

/**
 * Sends or asks about every attempt that is due. Several processes may do this at the same time.
 *
 * @throws the first failure, after all others have been tried
 */
export async function advancePayoutAttempts(services: Services, mustStop: MustStop = () => false): Promise<void> {
  const methods = sendingMethods(services);
  if (methods.size === 0) return;
  const failures = new Failures(services, 'payout attempt not advanced; will be continued');
  const failed: string[] = [];
  /** Accounts, each with a method, whose rail takes no further call at the moment. */
  const paced: string[] = [];
  /** The same lanes with the number of their last calls that had no answer. */
  const silent = new Map<string, number>();
  for (;;) {
    const due = await services.database.kysely
      .selectFrom('payout_attempt')
      .select(['id', 'account_id', 'affiliate_id', 'method'])
      .where('lease_until', '<=', toInstant(services.clock.now()))
      .where('method', 'in', [...methods.keys()])
      .where(sql<boolean>`id <> all (${failed}::text[])`)
      .where(sql<boolean>`account_id || ' ' || method <> all (${paced}::text[])`)
      // Payments go before questions about fees.
      .orderBy(sql`authorized_at is null`)
      .orderBy('lease_until')
      .limit(BATCH)
      .execute();
    if (due.length === 0) break;
    for (const found of due) {
      if (mustStop()) return;
      const { id: payout_attempt_id, account_id } = found;
      const lane = `${account_id} ${found.method}`;
      if (paced.includes(lane)) continue;
      const work = async (): Promise<true> => {
        const outcome = await advance(services, methods.get(found.method)!, found);
        if (outcome !== 'done') silent.set(lane, outcome === 'silent' ? (silent.get(lane) ?? 0) + 1 : 0);
        if (outcome === 'paced' || silent.get(lane) === SILENT_CALLS) paced.push(lane);
        return true;
      };
      // An attempt that was advanced has another lease.
      if (!(await failures.attempt({ account_id, payout_attempt_id }, work))) failed.push(found.id);
    }
  }
  failures.throwFirst();
}

type Found = Pick<PayoutAttempt, 'id' | 'account_id' | 'affiliate_id'>;

/** A call that this process may make until `lease`. */
interface Call {
  what: 'send' | 'look' | 'find' | 'cancel' | 'quote';
  lease: Instant;
  payment: Outgoing;
  /** The account at the rail. Null if the rail needs none. */
  rail: ConnectedRail | null;
}

/** `paced`: the rail takes no call at the moment; `silent`: it gave no certain answer; `done`: there was nothing to call. */
type Outcome = 'paced' | 'silent' | 'answered' | 'done';

async function advance(services: Services, method: SendingMethod, found: Found): Promise<Outcome> {
  const step: Step = (part) => inTransaction(systemContext(services, found.account_id, found.id), part);
  const call = await step((ctx) => begin(ctx, method, found));
  if (call === null) return 'done';
  if (call === 'paced') return call;
  const access = call.rail && accessTo(services, call.rail);
  if (call.what === 'quote') {
    let retryAfter: number | null = null;
    const answer = method.quote!([call.payment], access).catch((error: unknown) => {
      if (error instanceof RailError) ({ retryAfter } = error);
      throw error;
    });
    const quote = await unlessFailed(services, { account_id: found.account_id, kind: method.kind }, answer);
    await step((ctx) => recordQuote(ctx, found, call, { quote: quote && quote[0]!, retryAfter }));
    return quote === undefined ? 'silent' : 'answered';
  }
  const answer = await ask(method, { ...call, what: call.what }, access);
  await step((ctx) => record(ctx, found, { ...call, ...answer }));
  return answer.isSilent ? 'silent' : 'answered';
}

/** The answer of a rail. Without a word, it gave no certain answer, or (`isRefused`) will not call the payment back. */
interface Answer {
  word: Word | null;
  /** True if it gave no certain answer. */
  isSilent?: boolean;
  isRefused?: boolean;
  /** Why no further payment is sent through the rail. */
  problem?: string | undefined;
  /** Seconds for which the rail asks to wait. */
  retryAfter?: number | null;
}

/** Calls the rail. Only a certain refusal to send is a failure. */
async function ask(
  method: SendingMethod,
  { what, payment }: Call & { what: Exclude<Call['what'], 'quote'> },
  access: RailAccess | null,
): Promise<Answer> {
  try {
    const word = await method[what]!(payment, access);
    return { word, ...(word?.stopsRail && { problem: word.reason ?? word.raw_state }) };
  } catch (error) {
    if (what !== 'send' && !(error instanceof OutsideError)) throw error;
    const certain = error instanceof OutsideError && !error.outcomeUnknown ? error : null;
    const { word, stopsRail, retryAfter = null } = error instanceof RailError ? error : {};
    const problem = stopsRail && what === 'send' ? (error as RailError).message : undefined;
    if (what !== 'send' || certain === null)
      return { word: null, isSilent: certain === null, isRefused: certain !== null, problem, retryAfter };
    return { word: { state: 'failed', raw_state: word ?? certain.name, reason: certain.message }, problem, retryAfter };
  }
}

/** Takes the lease of an attempt that is due, and decides what to call. Null: nothing; `paced`: nothing more through this rail at the moment. */
async function begin(ctx: WriteCtx, method: SendingMethod, found: Found): Promise<Call | 'paced' | null> {
  const held = await lockAffiliate(ctx, found.affiliate_id);
  const attempt = await lockAttempt(ctx, held, found.id);
  if (attempt.lease_until === null || attempt.lease_until > ctx.now) return null;
  const lease = plusMilliseconds(ctx.now, LEASE_MS);
  const isNew = attempt.state === 'prepared' || attempt.state === 'approved';
  const rail = method.accounts ? await railOf(ctx, attempt) : null;
  // Only the rail's word about what it has is still asked for.
  const posts = attempt.provider_item_id === null && attempt.provider_batch_id === null;
  const stop = posts ? await findStop(ctx, attempt) : null;
  // A repetition may be the first one that arrives.
  const isHeld = posts && !isNew && (await isUncleared(ctx, attempt));
  const isOpen = stop === null && !isHeld && (!method.accounts || (rail !== null && (rail.problem === null || !isNew)));
  const call = (what: Call['what']): Call => ({ what, lease, rail, payment: outgoing(ctx, attempt, !isNew) });
  const { perMinute, quotesPerMinute = perMinute } = method.limits;
  const isFree = async (most = perMinute) => rail === null || most === undefined || (await takeCall(ctx, rail.id, most));
  const wait = async () => {
    await changeAttempt(ctx, attempt.id, {
      lease_until: stop?.until ?? plusMilliseconds(ctx.now, LOOK_MS),
    });
    return null;
  };
  // Nobody has said that it may be sent.
  if (isNew && attempt.authorized_at === null) {
    const asks = method.quote !== undefined && attempt.quoted_fee_cents === null && (!method.accounts || rail?.problem === null);
    if (asks && !(await isFree(quotesPerMinute))) return 'paced';
    // A fee that the affiliate bears has to be known before the payment is sent.
    const later = attempt.affiliate_fee_cents === null ? plusMilliseconds(ctx.now, LOOK_MS) : null;
    await changeAttempt(ctx, attempt.id, { lease_until: asks ? lease : later });
    return asks ? call('quote') : null;
  }
  if (isNew) {
    const reason = await obstacleTo(ctx, attempt);
    if (reason === SCREENING) {
      await changeAttempt(ctx, attempt.id, { reason, lease_until: plusMilliseconds(ctx.now, LOOK_MS) });
      ctx.afterCommit(() => ctx.services.jobs.send('payout_screenings'));
      return null;
    }
    if (reason !== null) {
      await releasePayouts(ctx, held, attempt.batch_id!, new Map([[attempt.payout_id, { state: 'withdrawn', reason }]]));
      return null;
    }
    if (!isOpen) return wait();
    if (!(await isFree())) return 'paced';
    const posted = { first_posted_at: ctx.now, sent_at: ctx.now, lease_until: lease, rail_id: rail?.id ?? null };
    await changeAttempt(ctx, attempt.id, { state: 'sent', reason: null, ...posted });
    return call('send');
  }
  if (!posts) {
    if (!isOpen) return wait();
    if (!(await isFree())) return 'paced';
    await changeAttempt(ctx, attempt.id, { lease_until: lease });
    return call(attempt.cancel_requested_at !== null && method.cancel && attempt.provider_item_id !== null ? 'cancel' : 'look');
  }
  const trustedUntil = plusMilliseconds(attempt.first_posted_at!, method.limits.keyMs - KEY_MARGIN_MS);
  // A late notice may ask about a payment that has ended: it is only sought, and its state stays.
  const isOver = isGivenUp(attempt) || attempt.arrived_at !== null;
  const isTrusted = !isOver && ctx.now < trustedUntil;
  if (isTrusted && !isOpen) return wait();
  const isSought = !isTrusted && method.find !== undefined && (!method.accounts || rail !== null);
  if ((isTrusted || isSought) && !(await isFree())) return 'paced';
  await changeAttempt(ctx, attempt.id, {
    ...(!isOver && { state: 'unknown', reason: isTrusted ? 'no_answer' : 'key_expired' }),
    lease_until: isTrusted || isSought ? lease : null,
  });
  if (!isTrusted && !isOver && attempt.reason !== 'key_expired') await tellOfDoubt(ctx, attempt);
  return isTrusted ? call('send') : isSought ? call('find') : null;
}

/** Finds the rail of a payment: the one through which it was sent, if it is still connected, or the one for new payments. */
function railOf(ctx: WriteCtx, { rail_id, method, livemode }: PayoutAttempt): Promise<ConnectedRail | null> {
  return rail_id === null
    ? findRailFor(ctx, method, modeOfPayment(ctx.accountId, { livemode }))
    : findConnectedRail(ctx.db, rail_id);
}

/** Returns why a prepared payment must not be sent, or (`SCREENING`) not yet, or null. */
async function obstacleTo(ctx: WriteCtx, attempt: PayoutAttempt): Promise<string | null> {
  const only = [attempt.payout_id];
  if ((await findHeldBy(ctx.db, attempt.batch_id!, only)).length === 0) return 'amount_mismatch';
  const change = (await findChanges(ctx, attempt.batch_id!, { asPrepared: true }, { only })).get(attempt.payout_id) ?? null;
  return (change === null || change === SCREENING) && (await isRenamed(ctx, attempt)) ? 'payout_details_changed' : change;
}

/** True if the affiliate of a payment, under the name to which it goes, has not been cleared. */
async function isUncleared(ctx: WriteCtx, attempt: PayoutAttempt): Promise<boolean> {
  const { rows } = await sql`
    select from affiliate join account on account.id = affiliate.account_id where affiliate.id = ${attempt.affiliate_id} and ${IS_UNCLEARED}`.execute(
    ctx.db,
  );
  return rows.length > 0 || (await isRenamed(ctx, attempt));
}

/** True if a payment would go to a former name of the affiliate, in an account that compares names: only the current one is compared. */
async function isRenamed({ db, services }: WriteCtx, { affiliate_id, sealed_receiver }: PayoutAttempt): Promise<boolean> {
  const { rows } = await sql<Pick<Receiver, 'first_name' | 'last_name'>>`
    select first_name, last_name from affiliate join account on account.id = affiliate.account_id
    where affiliate.id = ${affiliate_id} and account.screening_version is not null`.execute(db);
  if (rows.length === 0) return false;
  const prepared = JSON.parse(services.secrets.open(sealed_receiver!)) as Receiver;
  return rows[0]!.first_name !== prepared.first_name || rows[0]!.last_name !== prepared.last_name;
}

function outgoing({ services, now }: WriteCtx, attempt: PayoutAttempt, isRepeat: boolean): Outgoing {
  const receiver = JSON.parse(services.secrets.open(attempt.sealed_receiver!)) as Receiver;
  const { id, key_generation, payout_id, affiliate_id, currency, commissions_count, livemode } = attempt;
  const { provider_batch_id, provider_item_id, first_posted_at } = attempt;
  const payment = { payout_id, affiliate_id, amount_cents: sentCents(attempt), currency, commissions_count, livemode };
  const sent = { first_posted_at: first_posted_at ?? now, key: id, key_generation, isRepeat };
  return { ...receiver, ...payment, ...sent, provider_batch_id, provider_item_id };
}

/**
 * Records the fee that a rail has quoted for a payment, and the part of the affiliate, unless the payment was sent since. Null: it does not say, so the
 * merchant bears the fee. Undefined: it did not answer.
 */
async function recordQuote(
  ctx: WriteCtx,
  found: Found,
  { lease, rail }: Call,
  { quote, retryAfter }: { quote: Quote | null | undefined; retryAfter: number | null },
): Promise<void> {
  const held = await lockAffiliate(ctx, found.affiliate_id);
  const attempt = await lockAttempt(ctx, held, found.id);
  if (rail !== null && retryAfter) await pauseRail(ctx, rail.id, retryAfter);
  if (attempt.lease_until !== lease) return;
  const isAsked = attempt.affiliate_fee_cents === null && quote !== undefined;
  const fee = isAsked && quote ? quotedFee(attempt, quote) : 0;
  if (fee > 0 && fee >= attempt.amount_cents) {
    const ending = { state: 'withdrawn', reason: 'fee_exceeds_amount' } as const;
    return releasePayouts(ctx, held, attempt.batch_id!, new Map([[attempt.payout_id, ending]]));
  }
  await changeAttempt(ctx, found.id, {
    lease_until: quote === undefined ? plusMilliseconds(ctx.now, LOOK_MS) : null,
    ...(quote && { quoted_fee_cents: quote.fee.cents, quoted_fee_currency: quote.fee.currency }),
    ...(isAsked && { affiliate_fee_cents: fee }),
  });
}

/** Records the answer to a call, unless another process has called since. */
async function record(
  ctx: WriteCtx,
  found: Found,
  { what, lease, rail, word, isRefused, problem, retryAfter }: Call & Answer,
): Promise<void> {
  const held = await lockAffiliate(ctx, found.affiliate_id);
  const attempt = await lockAttempt(ctx, held, found.id);
  if (problem !== undefined && rail !== null && (await stopRail(ctx, rail.id, problem))) await tellOfStop(ctx, rail, problem);
  if (rail !== null && retryAfter) await pauseRail(ctx, rail.id, retryAfter);
  // A person may have given up a payment that is found now.
  if (attempt.lease_until !== lease && !(what === 'find' && word !== null && isGivenUp(attempt))) return;
  if (word === null) {
    const later = attempt.state === 'arrived' ? nextLook(ctx, attempt, null) : plusMilliseconds(ctx.now, LOOK_MS);
    if (what === 'find') {
      const isWatched = attempt.first_posted_at! > plusDays(ctx.now, -WATCHED_DAYS);
      await changeAttempt(ctx, attempt.id, { lease_until: isWatched ? plusMilliseconds(ctx.now, FIND_MS) : null });
      return;
    }
    // The rail knows why it does not call the payment back, so it is asked at once.
    const outcome = isRefused ? { cancel_requested_at: null, lease_until: ctx.now } : { lease_until: later };
    await changeAttempt(ctx, attempt.id, { ...outcome, ...(what === 'send' && { state: 'unknown', reason: 'no_answer' }) });
    return;
  }
  const { amount, facts, raw_state } = word;
  const isOpen = !isGivenUp(attempt) && attempt.arrived_at === null;
  if (isOpen && amount && (amount.amount_cents !== sentCents(attempt) || amount.currency !== attempt.currency)) {
    ctx.services.log.error({ account_id: found.account_id, payout_attempt_id: found.id }, 'the rail names another amount');
    await changeAttempt(ctx, attempt.id, { ...facts, raw_state, state: 'unknown', reason: 'amount_mismatch', lease_until: null });
    await tellOfDoubt(ctx, attempt);
    return;
  }
  const state = stateAfter(attempt.state, word);
  if (state === null && isGivenUp(attempt) && word.state !== 'failed' && word.state !== 'returned') {
    // Its payout may have been paid in another way since.
    ctx.services.log.error(
      { account_id: found.account_id, payout_attempt_id: found.id },
      'a payment that was given up has been made',
    );
    await changeAttempt(ctx, attempt.id, { ...facts, raw_state, reason: ARRIVED_AFTER_ALL, lease_until: null });
    await tellOfDoubt(ctx, attempt);
    return;
  }
  const decided = what === 'cancel' ? { cancel_requested_at: null } : {};
  await changeAttempt(ctx, attempt.id, { ...facts, ...decided, raw_state, lease_until: nextLook(ctx, attempt, state) });
  if (state !== null && state !== attempt.state)
    await moveAttempt(ctx, held, attempt, { state, reason: word.reason ?? raw_state });
}

/** Reports whether an attempt has ended without a payment. */
function isGivenUp({ state, arrived_at }: PayoutAttempt): boolean {
  return state === 'failed' || state === 'withdrawn' || (state === 'returned' && arrived_at === null);
}

/** Returns the time of the next question about a payment, or null if there is none. */
function nextLook(ctx: WriteCtx, attempt: PayoutAttempt, state: PayoutAttempt['state'] | null): Instant | null {
  const is = state ?? attempt.state;
  if (is === 'arrived') return (attempt.arrived_at ?? ctx.now) > plusDays(ctx.now, -WATCHED_DAYS) ? plusDays(ctx.now, 1) : null;
  if (is === 'unclaimed') return plusMilliseconds(ctx.now, UNCLAIMED_LOOK_MS);
  return is === 'sent' || is === 'in_transit' ? plusMilliseconds(ctx.now, LOOK_MS) : null;
}

/** Moves an attempt that was sent to another state, with the effect on its payout. */
export async function moveAttempt(
  ctx: WriteCtx,
  held: HeldAffiliates,
  attempt: PayoutAttempt,
  { state, reason }: { state: PayoutAttempt['state']; reason: string },
): Promise<void> {
  const { id, payout_id, batch_id, arrived_at } = attempt;
  if (state === 'arrived') await payPayouts(ctx, held, batch_id, [payout_id], id);
  else if (state === 'returned' && arrived_at !== null) await returnPaid(ctx, held, await lock(ctx, Payout, payout_id), reason);
  else if (state === 'failed' || state === 'returned') {
    await announceFailed(ctx, new Map([[payout_id, reason]]));
    await releasePayouts(ctx, held, batch_id!, new Map([[payout_id, { state, reason }]]));
  } else await changeAttempt(ctx, id, { state, reason: null });
}
