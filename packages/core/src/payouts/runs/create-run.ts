import { type RawBuilder, sql } from 'kysely';
import { PAID_BY_HAND } from '../../ledger/payouts/payout-attempt.entity.ts';
import { eligiblePayouts } from '../../ledger/payouts/payout.queries.ts';
import { addCandidates } from '../../ledger/payouts/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { storedModeOf } from '../../platform/call/mode.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { assertSameRequest, requestFingerprint } from '../../platform/idempotency/key-rules.ts';
import { newId } from '../../platform/wire/ids.ts';
import { STORED_ITEMS } from '../batches/batch.queries.ts';
import { createBatchOnce, type NewBatch, newBatch, notePayoutsCount } from '../batches/payout-batch.transitions.ts';
import { assertAffiliates, assertEligible } from '../methods/assert-eligible.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';
import { getRunRow } from './payout-run.queries.ts';
import type { CreatePayoutRun, PayoutRunRecord } from './payout-run.schema.ts';
import { previewToEnd } from './preview-run.ts';
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
