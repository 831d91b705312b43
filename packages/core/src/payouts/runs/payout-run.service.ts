import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { countPayment } from '../../identity/connectors/count-payment.ts';
import { PAID_BY_HAND } from '../../ledger/payouts/payout-attempt.entity.ts';
import { amountsOfPayouts, eligiblePayouts } from '../../ledger/payouts/payout.queries.ts';
import {
  addCandidates,
  findHeldBy,
  lockAffiliatesOfPayouts,
  releasePayouts,
  retryAttempts,
} from '../../ledger/payouts/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { storedModeOf } from '../../platform/call/mode.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { invalid, type ValidationDetail, validationError } from '../../platform/errors/errors.ts';
import { assertSameRequest, requestFingerprint } from '../../platform/idempotency/key-rules.ts';
import { STATES } from '../../platform/texts/refusal-words.ts';
import { newId } from '../../platform/wire/ids.ts';
import { type BatchItems, loadBatchAlone, STORED_ITEMS, withdrawn } from '../batches/batch.queries.ts';
import { claimForConnector } from '../batches/do-step.ts';
import { hasFailedItems } from '../batches/finish-batch.ts';
import { findCandidates } from '../batches/next-items.ts';
import type { BatchRow, ItemState } from '../batches/payout-batch.entity.ts';
import {
  changeBatch,
  createBatchOnce,
  finishWork,
  markBatchPaying,
  markBatchRetried,
  markBatchWithdrawn,
  type NewBatch,
  newBatch,
  notePayoutsCount,
} from '../batches/payout-batch.transitions.ts';
import { assertAffiliates, assertEligible } from '../methods/assert-eligible.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';
import { getRunRow, payoutRunRecord, stateOfRun, unpaidAmountsOf } from './payout-run.queries.ts';
import type { CreatePayoutRun, ExecutePayoutRun, PayoutRunRecord, RemediatePayoutRun } from './payout-run.schema.ts';
import { confirmRun, previewToEnd } from './preview-run.ts';
import type { RunWork } from './run-work.ts';

/**
 * Creates a run: claims the given payouts, or the eligible ones of the given affiliates or of all affiliates, and pays them if `execute_now` is set. If the
 * account has a run with this `idempotency_key`, continues with that run (docs/rules/payouts.md#payout-runs).
 *
 * One statement creates all items. Claims and payments follow in batches. If the process dies, the run is finished by a worker or by a repetition of
 * the same request.
 *
 * @throws VALIDATION_ERROR for unknown affiliates, for given payouts that are not eligible, and for a key that was used with other parameters
 */
export function createPayoutRun(input: CreatePayoutRun): RunWork<BegunRun> {
  return { begin: (ctx) => begin(ctx, input), preview: (ctx) => preview(ctx, input) };
}

/** The new run, or the existing run with the same idempotency key. */
interface BegunRun {
  id: string;
  created: boolean;
}

async function begin(ctx: WriteCtx, input: CreatePayoutRun): Promise<BegunRun> {
  const terms = await termsOf(ctx, input);
  if (!(await createBatchOnce(ctx, terms))) return { id: await findExisting(ctx, terms), created: false };
  // A repeated call finds its payouts paid, so they are checked only for a new run.
  if (input.payout_ids) await assertEligible(ctx, terms, input.payout_ids);
  await notePayoutsCount(
    ctx,
    terms.id,
    await addCandidates(ctx, { batchId: terms.id, method: PAID_BY_HAND }, newItems(ctx, terms, input)),
  );
  return { id: terms.id, created: true };
}

async function preview(ctx: WriteCtx, input: CreatePayoutRun): Promise<PayoutRunRecord> {
  const terms = await termsOf(ctx, input);
  const known = await ctx.db
    .selectFrom('payout_batch')
    .select('id')
    .where('account_id', '=', ctx.accountId)
    .where('idempotency_key', '=', terms.idempotency_key)
    .executeTakeFirst();
  if (known) return previewToEnd(ctx, await getRunRow(ctx, await findExisting(ctx, terms)), STORED_ITEMS);
  if (input.payout_ids) await assertEligible(ctx, terms, input.payout_ids);
  const items = newItems(ctx, terms, input);
  const { rows } = await sql<{ payouts_count: number }>`select count(*) as payouts_count from ${items} item`.execute(ctx.db);
  return previewToEnd(ctx, newBatch(ctx, { ...terms, ...rows[0]! }), items);
}

/** The values that are decided when a run is created. */
interface NewPayoutRun extends NewBatch {
  idempotency_key: string;
  request_fingerprint: string;
}

/**
 * SQL query: the items of a new run, one for each payout that is eligible now. Does not lock the payouts. If another transaction claims or pays one of
 * them first, the run excludes that payout later, when it claims its payouts.
 */
function newItems(ctx: WriteCtx, terms: NewPayoutRun, { payout_ids }: CreatePayoutRun): RawBuilder<unknown> {
  let eligible = eligiblePayouts(ctx, terms).select([
    'payout.id as payout_id',
    'payout.affiliate_id',
    'payout.currency',
    'payout.amount_cents',
    'payout.commissions_count',
    'payout.livemode',
  ]);
  if (terms.affiliate_ids) eligible = eligible.where('payout.affiliate_id', '=', sql<string>`any (${terms.affiliate_ids})`);
  if (payout_ids) eligible = eligible.where('payout.id', '=', sql<string>`any (${payout_ids})`);
  return sql`(select eligible.*, ${terms.id}::text as batch_id, 'candidate' as state, null::text as issue_code,
    null::text as sealed_receiver, null::jsonb as method_versions, 0 as affiliate_fee_cents, null::bigint as quoted_fee_cents, null::text as quoted_fee_currency from (${eligible}) eligible)`;
}

/** Returns the values of a new run. Throws VALIDATION_ERROR for unknown affiliates. */
async function termsOf(ctx: WriteCtx, input: CreatePayoutRun): Promise<NewPayoutRun> {
  assertMayExecuteNow(ctx, input);
  const affiliateIds = input.affiliate_ids ? [...new Set(input.affiliate_ids)].toSorted() : null;
  if (affiliateIds) await assertAffiliates(ctx, input.affiliate_ids!);
  const { execute_now, payment_reference = null } = input;
  const livemode = storedModeOf(ctx, input.livemode);
  const id = newId('payout_run', ctx.clock.now());
  const key = input.idempotency_key ?? id;
  const fingerprint = requestFingerprint('payout run', {
    affiliateIds,
    payoutIds: input.payout_ids ? [...new Set(input.payout_ids)].toSorted() : null,
    execute_now,
    payment_reference,
    livemode,
  });
  return {
    id,
    kind: 'run',
    method: PAID_BY_HAND,
    idempotency_key: key,
    request_fingerprint: fingerprint,
    livemode,
    affiliate_ids: affiliateIds,
    payment_reference,
    stage: execute_now ? 'paying' : 'prepared',
    working: true,
  };
}

/**
 * Throws VALIDATION_ERROR when a connector with daily limits asks for a run that is executed at once. The amounts of a run are not final before
 * it has claimed its payouts, so they cannot be counted against the limits yet.
 */
function assertMayExecuteNow({ principal }: WriteCtx, { execute_now }: CreatePayoutRun): void {
  if (!execute_now || principal.kind !== 'connector' || principal.daily_pay_limits === null) return;
  throw invalid('execute_now', PAYOUT_REASONS.connector_with_limits, 'not_allowed');
}

/** Returns the id of the run with the same idempotency key. Throws VALIDATION_ERROR if that run was created with other parameters. */
async function findExisting(
  ctx: WriteCtx,
  { idempotency_key: key, request_fingerprint: fingerprint }: NewPayoutRun,
): Promise<string> {
  const run = await ctx.db
    .selectFrom('payout_batch')
    .select(['id', 'request_fingerprint'])
    .where('account_id', '=', ctx.accountId)
    .where('idempotency_key', '=', key)
    .executeTakeFirstOrThrow();
  assertSameRequest(run.request_fingerprint!, fingerprint, { path: 'idempotency_key', message: PAYOUT_REASONS.key_of_other_run });
  return run.id;
}

/**
 * Executes a run: checks every item again, and pays the items that pass. An item that fails gets an issue, and its payout is released. With
 * `async`, a worker does the work. If an earlier execution of the run was interrupted, continues it. If the execution has ended, returns the
 * run unchanged (docs/rules/payouts.md#payout-runs).
 *
 * @throws NOT_FOUND; VALIDATION_ERROR on a canceled run; PAY_LIMIT_EXCEEDED
 */
export function executePayoutRun(input: ExecutePayoutRun): RunWork<{ id: string }> {
  return {
    begin: async (ctx) => {
      const run = await loadBatchAlone(ctx, 'run', input.id);
      const isStarting = run.stage === 'prepared';
      await changeBatch(ctx, run, (draft) => startExecution(ctx, draft, input));
      if (isStarting && run.livemode && ctx.principal.kind === 'connector') {
        await claimForConnector(ctx, run.id, await findCandidates(ctx, run.id));
        await countPayment(ctx, run.id, await unpaidAmountsOf(ctx, run.id));
      }
      return { id: input.id };
    },
    preview: async (ctx) => {
      const run = await getRunRow(ctx, input.id);
      if (run.stage === 'prepared' && run.livemode) await countPayment(ctx, run.id, await unpaidAmountsOf(ctx, run.id));
      startExecution(ctx, run, input);
      if (!input.async) return previewToEnd(ctx, run, STORED_ITEMS);
      await confirmRun(ctx, run, STORED_ITEMS);
      return payoutRunRecord(ctx, run, STORED_ITEMS);
    },
    // A worker does the remaining steps.
    ...(input.async ? { proceed: () => Promise.resolve() } : {}),
  };
}

/** Starts the execution of a run. Changes nothing on a run that was executed before. Throws VALIDATION_ERROR on a canceled run. */
function startExecution(ctx: WriteCtx, run: BatchRow, { payment_reference }: ExecutePayoutRun): void {
  if (run.stage === 'withdrawn') throw invalid('id', PAYOUT_REASONS.run_canceled, 'invalid_state');
  if (run.stage === 'prepared') markBatchPaying(run, payment_reference ?? run.payment_reference, ctx.now);
}

type Selection = Pick<RemediatePayoutRun, 'issue_code' | 'payout_ids'>;

/**
 * Handles the unpaid items of a run: `retry` claims, checks and pays failed items again; `exclude` removes failed items or, in a planned
 * run, the items in `payout_ids`; `cancel` releases all unpaid payouts (docs/rules/payouts.md#remediation). If no item matches, nothing
 * changes.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR if the state of the run, or of an item in `payout_ids`, does not allow the action;
 * PAY_LIMIT_EXCEEDED
 */
export function remediatePayoutRun(input: RemediatePayoutRun): RunWork<{ id: string }> {
  return {
    begin: async (ctx) => {
      const run = await loadBatchAlone(ctx, 'run', input.id);
      const { payoutIds, state } = await changeBatch(ctx, run, (draft) => decide(ctx, draft, input));
      if (payoutIds.length === 0) return { id: run.id };
      if (state === 'candidate') await retryAttempts(ctx, run.id, payoutIds);
      else {
        // A payout that could not be released when its attempt failed is released now.
        const held = await lockAffiliatesOfPayouts(ctx, payoutIds);
        await releasePayouts(ctx, held, run.id, withdrawn(payoutIds, state));
      }
      if (run.stage !== 'withdrawn' && state === 'candidate' && ctx.principal.kind === 'connector')
        await countRetry(ctx, run, await claimForConnector(ctx, run.id, payoutIds), 'processing');
      return { id: run.id };
    },
    preview: async (ctx) => {
      const run = await getRunRow(ctx, input.id);
      const { payoutIds, state } = await decide(ctx, run, input);
      if (run.stage !== 'withdrawn' && state === 'candidate') await countRetry(ctx, run, payoutIds, 'open');
      return previewToEnd(ctx, run, payoutIds.length === 0 ? STORED_ITEMS : movedItems(run.id, payoutIds, state));
    },
  };
}

/** Counts the payouts in this state against the daily limits of a connector. A retry counts again, even if the connector executed the run. */
async function countRetry(
  ctx: WriteCtx,
  { id, livemode }: BatchRow,
  payoutIds: readonly string[],
  status: 'open' | 'processing',
): Promise<void> {
  if (livemode) await countPayment(ctx, `${id} ${randomUUID()}`, await amountsOfPayouts(ctx, payoutIds, status));
}

/** The effect of an action on items: the payouts of the items, and their new state. */
interface Moves {
  payoutIds: string[];
  state: 'candidate' | 'excluded';
}

const NO_MOVES: Moves = { payoutIds: [], state: 'excluded' };

/** Decides which items an action moves, and changes the draft of the run. Only reads from the database. */
async function decide(ctx: WriteCtx, run: BatchRow, input: RemediatePayoutRun): Promise<Moves> {
  if (input.remediation_action === 'cancel') return cancel(ctx, run, input);
  return input.remediation_action === 'retry' ? retry(ctx, run, input) : exclude(ctx, run, input);
}

async function cancel(ctx: WriteCtx, run: BatchRow, { issue_code, payout_ids }: Selection): Promise<Moves> {
  const narrowed = [issue_code === undefined ? [] : 'issue_code', payout_ids === undefined ? [] : 'payout_ids'].flat();
  if (narrowed.length > 0) {
    const message = PAYOUT_REASONS.cancel_is_for_run;
    throw validationError(narrowed.map((path) => ({ path, code: 'not_applicable', message })));
  }
  if (run.stage === 'withdrawn') return NO_MOVES;
  if (run.stage === 'paid') throw invalid('id', PAYOUT_REASONS.run_completed, 'invalid_state');
  markBatchWithdrawn(run, ctx.now);
  // The payouts of failed items are open again, except those that could not be released. The canceled run releases them like its unpaid ones.
  const failed = await select(ctx, run, {}, ['failed']);
  return { payoutIds: await findHeldBy(ctx.db, run.id, failed), state: 'candidate' };
}

async function retry(ctx: WriteCtx, run: BatchRow, selection: Selection): Promise<Moves> {
  if (run.stage !== 'partly_paid' && run.stage !== 'paid') throw wrongState(run);
  const failed = await select(ctx, run, selection, ['failed']);
  if (failed.length === 0) return NO_MOVES;
  markBatchRetried(run, ctx.now);
  return { payoutIds: failed, state: 'candidate' };
}

async function exclude(ctx: WriteCtx, run: BatchRow, selection: Selection): Promise<Moves> {
  if (run.stage === 'paying' || run.stage === 'withdrawn') throw wrongState(run);
  const named = selection.payout_ids !== undefined && run.stage === 'prepared';
  const dropped = await select(ctx, run, selection, named ? ['planned', 'candidate'] : ['failed']);
  if (dropped.length === 0) return NO_MOVES;
  if (run.stage === 'partly_paid') finishWork(run, await hasFailedItems(ctx, run.id, dropped), ctx.now);
  return { payoutIds: dropped, state: 'excluded' };
}

/** SQL query: the items of a run as an action would leave them. */
function movedItems(runId: string, payoutIds: readonly string[], state: Moves['state']): BatchItems {
  return sql`(
    select item.batch_id, item.payout_id, item.affiliate_id, item.currency, item.amount_cents, item.commissions_count,
      case when moved.payout_id is null then item.state else ${state} end as state,
      case when moved.payout_id is null then item.issue_code end as issue_code
    from ${STORED_ITEMS} item left join unnest(${payoutIds}::text[]) moved (payout_id) on moved.payout_id = item.payout_id
    where item.batch_id = ${runId})`;
}

/**
 * Returns the payouts of the items to which an action applies. Throws VALIDATION_ERROR naming the payouts in `payout_ids` whose items are
 * in none of the states.
 */
async function select(ctx: WriteCtx, run: BatchRow, selection: Selection, states: ItemState[]): Promise<string[]> {
  const { rows } = await sql<{ payout_id: string }>`
    select payout_id from ${STORED_ITEMS} item where batch_id = ${run.id} and ${oneOf('state', states)}
      and issue_code is not distinct from coalesce(${selection.issue_code ?? null}, issue_code)`.execute(ctx.db);
  const available = new Set(rows.map(({ payout_id }) => payout_id));
  if (!selection.payout_ids) return [...available];
  const details = selection.payout_ids.flatMap((id, index): ValidationDetail[] =>
    available.has(id)
      ? []
      : [
          {
            path: `payout_ids.${index}`,
            code: 'not_applicable',
            message: PAYOUT_REASONS.not_an_item({ payout: id, state: STATES[states.includes('failed') ? 'failed' : 'planned'] }),
          },
        ],
  );
  if (details.length > 0) throw validationError(details);
  return [...new Set(selection.payout_ids)];
}

function wrongState(run: BatchRow) {
  return invalid('remediation_action', PAYOUT_REASONS.action_not_allowed({ state: STATES[stateOfRun(run)] }), 'invalid_state');
}
