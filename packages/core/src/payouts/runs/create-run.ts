import { sql } from 'kysely';
import { validationError } from '../../platform/errors/errors.ts';
import { assertSameRequest, requestFingerprint } from '../../platform/idempotency/idempotency.ts';
import { newId } from '../../platform/wire/ids.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import type { CreatePayoutRun, PayoutRunRecord } from './payout-run.schema.ts';
import { createRun } from './payout-run.transitions.ts';
import { workOnRun } from './work-on-run.ts';

/**
 * Plans a run: claims the eligible payouts of the given affiliates, or of all, and pays them if `execute_now` is set. The same
 * `idempotency_key` answers 200 with the same run (docs/domain-rules.md#payout-runs).
 *
 * One statement creates all items; claims and payments follow in batches. If the process dies on the way, a worker finishes the run, or the
 * same request sent again does.
 *
 * @throws VALIDATION_ERROR for unknown affiliates, and for a key that was used with other parameters
 */
export async function createPayoutRun(ctx: Ctx, input: CreatePayoutRun): Promise<PayoutRunRecord> {
  return workOnRun(ctx, { procedure: 'payoutRuns.create', input, status: 201, begin: (part) => begin(part, input) });
}

/** Returns the id of the new run, or of the run that has the key. */
async function begin(ctx: WriteCtx, input: CreatePayoutRun): Promise<string> {
  const affiliateIds = input.affiliate_ids ? [...new Set(input.affiliate_ids)].toSorted() : null;
  if (affiliateIds) await assertAffiliates(ctx, input.affiliate_ids!);
  const { execute_now, payment_reference = null } = input;
  const id = newId('payout_run', ctx.clock.now());
  const key = input.idempotency_key ?? id;
  const fingerprint = requestFingerprint('payout run', { affiliateIds, execute_now, payment_reference });
  const terms = {
    idempotency_key: key,
    request_fingerprint: fingerprint,
    affiliate_ids: affiliateIds,
    payment_reference,
    execute_now,
  };
  return (await createRun(ctx, { id, ...terms })) ? id : findExisting(ctx, key, fingerprint);
}

/** The run that has the key. Throws VALIDATION_ERROR when it was created with other parameters. */
async function findExisting(ctx: WriteCtx, key: string, fingerprint: string): Promise<string> {
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
  ctx.reply.status = 200;
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
