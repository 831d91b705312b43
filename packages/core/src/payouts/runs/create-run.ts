import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { storedModeOf } from '../../platform/call/mode.ts';
import { invalid, validationError } from '../../platform/errors/errors.ts';
import { assertSameRequest, requestFingerprint } from '../../platform/idempotency/key-rules.ts';
import { newId } from '../../platform/wire/ids.ts';
import { getRunRow } from './payout-run.queries.ts';
import type { CreatePayoutRun, PayoutRunRecord } from './payout-run.schema.ts';
import { type NewPayoutRun, createRun, newItems, newRun } from './payout-run.transitions.ts';
import { previewToEnd } from './preview-run.ts';
import { STORED_ITEMS } from './run-item.ts';
import type { RunWork } from './run-work.ts';

/**
 * Creates a run: claims the eligible payouts of the given affiliates, or of all affiliates, and pays them if `execute_now` is set. If the
 * account has a run with this `idempotency_key`, continues with that run (docs/rules/payouts.md#payout-runs).
 *
 * One statement creates all items. Claims and payments follow in batches. If the process dies, the run is finished by a worker or by a repetition of
 * the same request.
 *
 * @throws VALIDATION_ERROR for unknown affiliates, and for a key that was used with other parameters
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
  if (await createRun(ctx, terms)) return { id: terms.id, created: true };
  return { id: await findExisting(ctx, terms), created: false };
}

async function preview(ctx: WriteCtx, input: CreatePayoutRun): Promise<PayoutRunRecord> {
  const terms = await termsOf(ctx, input);
  const known = await ctx.db
    .selectFrom('payout_run')
    .select('id')
    .where('account_id', '=', ctx.accountId)
    .where('idempotency_key', '=', terms.idempotency_key)
    .executeTakeFirst();
  if (known) return previewToEnd(ctx, await getRunRow(ctx, await findExisting(ctx, terms)), STORED_ITEMS);
  const items = newItems(ctx, terms);
  const { rows } = await sql<{ items_total: number }>`select count(*) as items_total from ${items} item`.execute(ctx.db);
  return previewToEnd(ctx, { ...newRun(ctx, terms), ...rows[0]! }, items);
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
    execute_now,
    payment_reference,
    livemode,
  });
  return {
    id,
    idempotency_key: key,
    request_fingerprint: fingerprint,
    livemode,
    affiliate_ids: affiliateIds,
    payment_reference,
    execute_now,
  };
}

/**
 * Throws VALIDATION_ERROR when a connector with daily limits asks for a run that is executed at once. The amounts of a run are not final before
 * it has claimed its payouts, so they cannot be counted against the limits yet.
 */
function assertMayExecuteNow({ principal }: WriteCtx, { execute_now }: CreatePayoutRun): void {
  if (!execute_now || principal.kind !== 'connector' || principal.daily_pay_limits === null) return;
  throw invalid('execute_now', 'This connector has daily limits. Create the run first, then execute it.', 'not_allowed');
}

/** Returns the id of the run with the same idempotency key. Throws VALIDATION_ERROR if that run was created with other parameters. */
async function findExisting(
  ctx: WriteCtx,
  { idempotency_key: key, request_fingerprint: fingerprint }: NewPayoutRun,
): Promise<string> {
  const run = await ctx.db
    .selectFrom('payout_run')
    .select(['id', 'request_fingerprint'])
    .where('account_id', '=', ctx.accountId)
    .where('idempotency_key', '=', key)
    .executeTakeFirstOrThrow();
  assertSameRequest(run.request_fingerprint, fingerprint, {
    path: 'idempotency_key',
    message: 'This key was already used for a run with other parameters. Use a new key.',
  });
  return run.id;
}

/** Throws VALIDATION_ERROR naming the affiliates that are unknown. */
async function assertAffiliates(ctx: WriteCtx, ids: readonly string[]): Promise<void> {
  const rows = await ctx.db
    .selectFrom('affiliate')
    .select('id')
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', sql<string>`any (${ids})`)
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  const details = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `affiliate_ids.${index}`, code: 'not_found', message: 'No such affiliate.' }],
  );
  if (details.length > 0) throw validationError(details);
}
