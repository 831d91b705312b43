import { sql } from 'kysely';
import { validationError } from '../../platform/errors/errors.ts';
import { assertSameRequest, requestFingerprint } from '../../platform/idempotency/idempotency.ts';
import { newId } from '../../platform/wire/ids.ts';
import { newRecordColumns } from '../../platform/call/records.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { payoutView } from '../payouts/payout.queries.ts';
import type { CreatePayoutRun, PayoutRunRecord } from './payout-run.schema.ts';
import { workOnRun } from './work-on-run.ts';

/**
 * Plans a run: claims the eligible payouts, of the given affiliates or of all, and with `execute_now` pays them. The same
 * `idempotency_key` answers 200 with the same run (docs/domain-rules.md#payout-runs).
 *
 * The list of items is made in one statement; claims and payments follow in batches. A request that dies on the way is finished by
 * a worker, or by the same request sent again.
 *
 * @throws VALIDATION_ERROR for unknown affiliates, and for a key that was used with other parameters
 */
export async function createPayoutRun(ctx: Ctx, input: CreatePayoutRun): Promise<PayoutRunRecord> {
  return workOnRun(ctx, { procedure: 'payoutRuns.create', input, status: 201, begin: (part) => begin(part, input) });
}

/** Returns the id of the new run, or of the one that has the key. */
async function begin(ctx: WriteCtx, input: CreatePayoutRun): Promise<string> {
  const affiliateIds = input.affiliate_ids ? [...new Set(input.affiliate_ids)].toSorted() : null;
  if (affiliateIds) await assertAffiliates(ctx, input.affiliate_ids!);
  const { execute_now, payment_reference = null } = input;
  const id = newId('payout_run', ctx.clock.now());
  const key = input.idempotency_key ?? id;
  const fingerprint = requestFingerprint('payout run', { affiliateIds, execute_now, payment_reference });
  const inserted = await ctx.db
    .insertInto('payout_run')
    .values({
      ...newRecordColumns(ctx, id),
      idempotency_key: key,
      request_fingerprint: fingerprint,
      state: execute_now ? 'executing' : 'planned',
      working: true,
      affiliate_ids: affiliateIds,
      payment_reference,
      items_total: 0,
      items_done: 0,
      executed_at: execute_now ? ctx.now : null,
      completed_at: null,
      canceled_at: null,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'idempotency_key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return existing(ctx, key, fingerprint);
  await listCandidates(ctx, id, affiliateIds);
  return id;
}

async function existing(ctx: WriteCtx, key: string, fingerprint: string): Promise<string> {
  const run = await ctx.db
    .selectFrom('payout_run')
    .select(['id', 'request_fingerprint'])
    .where('account_id', '=', ctx.accountId)
    .where('idempotency_key', '=', key)
    .executeTakeFirstOrThrow();
  assertSameRequest(run.request_fingerprint, fingerprint, {
    path: 'idempotency_key',
    message: 'This key was used for a run with other parameters',
  });
  ctx.reply.status = 200;
  return run.id;
}

/** What is eligible at this moment. Nothing is locked: claiming finds out what has been taken elsewhere since. */
async function listCandidates(ctx: WriteCtx, runId: string, affiliateIds: readonly string[] | null): Promise<void> {
  let eligible = payoutView(ctx.db)
    .select(['payout.id', 'payout.affiliate_id', 'payout.currency', 'payout.amount_cents', 'payout.commissions_count'])
    .where('payout.account_id', '=', ctx.accountId)
    .where('payout.status', '=', 'open')
    .where('payout.eligible', '=', true);
  if (affiliateIds) eligible = eligible.where('payout.affiliate_id', '=', sql<string>`any (${affiliateIds})`);
  await sql`
    with item as (
      insert into payout_run_item (run_id, payout_id, affiliate_id, currency, amount_cents, commissions_count, state)
      select ${runId}, id, affiliate_id, currency, amount_cents, commissions_count, 'candidate' from ${eligible.as('eligible')}
      returning payout_id
    )
    update payout_run set items_total = (select count(*) from item) where id = ${runId}`.execute(ctx.db);
}

async function assertAffiliates(ctx: WriteCtx, ids: readonly string[]): Promise<void> {
  const rows = await ctx.db
    .selectFrom('affiliate')
    .select('id')
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', sql<string>`any (${ids})`)
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  const details = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `affiliate_ids.${index}`, code: 'not_found', message: 'No such affiliate' }],
  );
  if (details.length > 0) throw validationError(details);
}
