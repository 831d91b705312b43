import { sql } from 'kysely';
import { countPayment } from '../../identity/connectors/count-payment.ts';
import { payPayouts } from '../../ledger/payouts/pay-payouts.ts';
import { previewPaid } from '../../ledger/payouts/payout-events.ts';
import { lockAffiliatesOfPayouts } from '../../ledger/payouts/payout.transitions.ts';
import type { Ctx, Services, WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { lock } from '../../platform/call/records.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { type StepwiseRequest, onceInSteps } from '../../platform/idempotency/idempotency.ts';
import { confirmEffect } from '../../platform/previews/confirm-effect.ts';
import { emit } from '../../webhooks/events/emit.ts';
import { assertUnchanged } from './check-export.ts';
import { PayoutExport } from './payout-export.entity.ts';
import { getExportRow, getPayoutExportRecord, payoutExportRecord } from './payout-export.queries.ts';
import type { PayoutExportRecord, PayPayoutExport } from './payout-export.schema.ts';
import { changeExport, countPaidPayouts, markExportPaid, markExportPaying } from './payout-export.transitions.ts';

/** Maximum numbers of payouts and commissions per transaction. Small, because other transactions wait for the locks on the affiliates. */
const MAX_PAYOUTS = 500;
const MAX_COMMISSIONS = 10_000;
/** Maximum number of steps that the request performs after the first one. A worker performs the remaining steps. */
const STEPS_OF_REQUEST = 3;

/**
 * Marks the payouts of an export paid (docs/rules/payouts.md#exports). The first step is part of the
 * transaction that starts the payment, so a small export is paid in one transaction. For a large export, the request performs a few steps
 * and returns the export in state `paying`; a worker performs the remaining steps. If a process dies, the stored export says which payouts
 * are left.
 *
 * All payouts are checked before the first one is paid. The later steps do not check again, because the payment has been decided then, and
 * the response has said so.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR if the export is being paid, paid or released already, and naming the payouts that must not be paid,
 * unless the money was sent already; CONFLICT if the export no longer holds all its payouts, which only a change of the database from outside
 * the service can cause
 */
export function payPayoutExport(
  ctx: Ctx,
  request: StepwiseRequest<{ id: string; isPaid: boolean }>,
  input: PayPayoutExport,
): Promise<PayoutExportRecord> {
  const { payout_export_id: id, payment_reference, already_sent } = input;
  if (ctx.preview) return inTransaction(ctx, (tx) => previewPayment(tx, input));
  return onceInSteps(ctx, request, {
    begin: async (tx) => {
      const payoutExport = await lock(tx, PayoutExport, id);
      changeExport(tx, payoutExport, (draft) => markExportPaying(draft, payment_reference ?? null, tx.now));
      await confirmEffect(tx, () => effectOfPayment(payoutExport));
      await assertHoldsAll(tx, payoutExport);
      await payNext(tx, payoutExport, already_sent ? undefined : () => assertUnchanged(tx, id));
      if (payoutExport.livemode) await countPayment(tx, id, payoutExport.totals);
      if (payoutExport.state === 'paying') tx.afterCommit(() => tx.services.jobs.send('payout_exports'));
      return { id, isPaid: payoutExport.state === 'paid' };
    },
    proceed: async (step, { isPaid }) => {
      if (isPaid) return;
      for (let steps = 0; steps < STEPS_OF_REQUEST; steps += 1) if (!(await step((tx) => advanceExport(tx, id)))) return;
    },
    respond: (tx) => getPayoutExportRecord(tx, id),
  });
}

/**
 * Returns the export as `payPayoutExport` would return it, and adds the events of that payment to the preview. Changes and locks nothing, so that the
 * preview of a large export does not block other requests.
 */
async function previewPayment(
  ctx: WriteCtx,
  { payout_export_id: id, payment_reference, already_sent }: PayPayoutExport,
): Promise<PayoutExportRecord> {
  const row = await getExportRow(ctx, id);
  markExportPaying(row, payment_reference ?? null, ctx.now);
  await confirmEffect(ctx, () => effectOfPayment(row));
  await assertHoldsAll(ctx, row);
  if (row.livemode) await countPayment(ctx, id, row.totals);
  if (!already_sent) await assertUnchanged(ctx, id);
  for (let steps = 0; steps <= STEPS_OF_REQUEST && row.state === 'paying'; steps += 1) {
    const { ids, isLast } = await nextPayouts(ctx, row);
    const last = ids.at(-1);
    if (last !== undefined) {
      await previewPaid(ctx, ids, row.payment_reference);
      countPaidPayouts(row, ids.length, last, ctx.now);
    }
    if (isLast) {
      markExportPaid(row, ctx.now);
      emit(ctx, 'payout_export.paid', payoutExportRecord(row));
    }
  }
  return payoutExportRecord(row);
}

/** The payouts of an export never change, so its payment has the effect that a preview showed if the totals are the same. */
function effectOfPayment({ payouts_count, totals, payment_reference }: PayoutExport) {
  return { payouts_count, totals, payment_reference };
}

/**
 * Pays the remaining payouts of all exports that are being paid, with one step of each export in turn. Several processes may do this at the
 * same time.
 *
 * @param mustStop checked between steps; the work ends when it returns true
 * @throws an error that names the exports that failed, after the others have been paid
 */
export async function advancePayoutExports(services: Services, mustStop: () => boolean = () => false): Promise<void> {
  const failed = new Set<string>();
  for (;;) {
    const paying = await services.database.kysely
      .selectFrom('payout_export')
      .select(['id', 'account_id'])
      .where('state', '=', 'paying')
      .orderBy('id')
      .execute();
    const exports = paying.filter(({ id }) => !failed.has(id));
    if (exports.length === 0) break;
    for (const { id, account_id } of exports) {
      if (mustStop()) return;
      try {
        await inTransaction(systemContext(services, account_id, id), (ctx) => advanceExport(ctx, id));
      } catch (err) {
        failed.add(id);
        services.log.error({ err, payout_export_id: id, account_id }, 'payment of an export failed; will be continued');
      }
    }
  }
  if (failed.size > 0) throw new Error(`Payments of exports failed: ${[...failed].join(', ')}.`);
}

/** Performs the next step of paying an export. Returns true if further steps are left. */
async function advanceExport(ctx: WriteCtx, id: string): Promise<boolean> {
  const payoutExport = await lock(ctx, PayoutExport, id);
  if (payoutExport.state !== 'paying') return false;
  await payNext(ctx, payoutExport);
  return payoutExport.state === 'paying';
}

/**
 * Pays the next payouts of an export and locks their affiliates, in the caller's transaction.
 *
 * @param check runs under these locks, before the payouts are paid
 */
async function payNext(ctx: WriteCtx, payoutExport: Locked<PayoutExport>, check?: () => Promise<void>): Promise<void> {
  const { id, payment_reference } = payoutExport;
  const { ids, isLast } = await nextPayouts(ctx, payoutExport);
  const last = ids.at(-1);
  let paid: string[] = [];
  if (last !== undefined) {
    const held = await lockAffiliatesOfPayouts(ctx, ids);
    await check?.();
    // Payouts that the export no longer holds are left out; reconciliation reports them.
    paid = await payPayouts(ctx, held, { export_id: id }, ids, payment_reference);
  }
  changeExport(ctx, payoutExport, (draft) => {
    if (last !== undefined) countPaidPayouts(draft, paid.length, last, ctx.now);
    if (isLast) markExportPaid(draft, ctx.now);
  });
  const { paid_count: done, payouts_count: total } = payoutExport;
  ctx.afterCommit(() => ctx.onProgress?.({ done, total }));
  if (isLast) emit(ctx, 'payout_export.paid', payoutExportRecord(payoutExport));
}

/** Returns the next payouts in the order of their ids, as many as fit into one step, and whether they are the last ones. */
async function nextPayouts(
  ctx: WriteCtx,
  { id, paid_through }: Pick<PayoutExport, 'id' | 'paid_through'>,
): Promise<{ ids: string[]; isLast: boolean }> {
  const { rows } = await sql<{ payout_id: string; fits: boolean }>`
    select payout_id,
      row_number() over (order by payout_id) <= ${MAX_PAYOUTS}
        and sum(commissions_count) over (order by payout_id) - commissions_count < ${MAX_COMMISSIONS} as fits
    from (
      select payout_id, commissions_count from payout_export_item
      where export_id = ${id} and payout_id > ${paid_through ?? ''} order by payout_id limit ${MAX_PAYOUTS + 1}
    ) next
    order by payout_id`.execute(ctx.db);
  const ids = rows.filter(({ fits }) => fits).map(({ payout_id }) => payout_id);
  return { ids, isLast: ids.length === rows.length };
}

/**
 * Throws CONFLICT if the export no longer holds all its payouts. Reads the claims in a scalar subquery instead of a join: if the tables
 * have just grown, PostgreSQL may execute a join by comparing every payout with every claim.
 */
async function assertHoldsAll(ctx: WriteCtx, { id }: Pick<PayoutExport, 'id'>): Promise<void> {
  const { rows } = await sql<{ payout_id: string }>`
    select payout_id from payout_export_item item
    where export_id = ${id} and (
      select claim.export_id from payout join payout_claim claim on claim.payout_id = payout.id
      where payout.id = item.payout_id and payout.status = 'processing') is distinct from ${id}
    limit 1`.execute(ctx.db);
  if (rows.length > 0) {
    throw new DomainError(
      'CONFLICT',
      'This export no longer holds all of its payouts. Reconcile the payouts to see the differences.',
    );
  }
}
