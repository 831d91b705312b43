import { type RawBuilder, sql } from 'kysely';
import { countPayment } from '../../identity/connectors/count-payment.ts';
import type { HeldAffiliates } from '../../ledger/affiliate-lock.ts';
import { payPayouts } from '../../ledger/payouts/pay-payouts.ts';
import { isUnfinished } from '../../ledger/payouts/payout-attempt.entity.ts';
import { previewPaid } from '../../ledger/payouts/payout-events.ts';
import { lockAffiliatesOfPayouts, releasePayouts } from '../../ledger/payouts/payout.transitions.ts';
import type { Ctx, Services, WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { lock } from '../../platform/call/records.ts';
import { inTransaction, type Step, systemContext } from '../../platform/call/transaction.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { type StepwiseRequest, onceInSteps } from '../../platform/idempotency/idempotency.ts';
import { confirmEffect } from '../../platform/previews/confirm-effect.ts';
import { Leftovers, mayLieInOne, workApart } from '../../platform/sweeps/work-apart.ts';
import { emit } from '../../webhooks/events/emit.ts';
import { announceFailed } from '../failed-payouts.ts';
import { refuse } from '../methods/assert-eligible.ts';
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
export async function payPayoutExport(
  ctx: Ctx,
  request: StepwiseRequest<{ id: string; isPaid: boolean }>,
  input: PayPayoutExport,
): Promise<PayoutExportRecord> {
  const { payout_export_id: id, payment_reference, already_sent, refused } = input;
  if (ctx.preview) return inTransaction(ctx, (tx) => previewPayment(tx, input));
  const check = already_sent ? undefined : (tx: WriteCtx) => assertUnchanged(tx, id);
  let isPayingFirst = false;
  const pay = (isPayingAtOnce: boolean) =>
    onceInSteps(ctx, request, {
      begin: async (tx) => {
        const payoutExport = await lock(tx, PayoutExport, id);
        changeExport(tx, payoutExport, (draft) => markExportPaying(draft, payment_reference ?? null, tx.now));
        await confirmEffect(tx, () => effectOfPayment(payoutExport, refused));
        await assertHoldsAll(tx, payoutExport);
        await assertAreIn(tx, id, refused);
        const payouts = await lockNext(tx, payoutExport, { except: refused.map(({ payout_id }) => payout_id) }, refused);
        await refuseItems(tx, payouts.held, id, refused);
        await check?.(tx);
        if (isPayingAtOnce) {
          isPayingFirst = true;
          await payNext(tx, payoutExport, payouts);
          isPayingFirst = false;
        }
        if (payoutExport.livemode) await countPayment(tx, id, payoutExport.totals);
        if (payoutExport.state === 'paying') tx.afterCommit(() => tx.services.jobs.send('payout_exports'));
        return { id, isPaid: payoutExport.state === 'paid' };
      },
      proceed: async (step, { isPaid }) => {
        if (isPaid) return;
        const left = new Leftovers();
        for (let steps = 0; steps < STEPS_OF_REQUEST; steps += 1) if ((await payBatch(step, id, left)) !== 'paying') return;
      },
      respond: (tx) => getPayoutExportRecord(tx, id),
    });
  try {
    return await pay(true);
  } catch (err) {
    // If one payout of the first step cannot be paid, the payment is decided without it, and the steps that follow find the payout.
    if (isPayingFirst && mayLieInOne(err)) return await pay(false);
    throw err;
  }
}

/**
 * Returns the export as `payPayoutExport` would return it, and adds the events of that payment to the preview. Changes and locks nothing, so that the
 * preview of a large export does not block other requests.
 */
async function previewPayment(
  ctx: WriteCtx,
  { payout_export_id: id, payment_reference, already_sent, refused }: PayPayoutExport,
): Promise<PayoutExportRecord> {
  const row = await getExportRow(ctx, id);
  markExportPaying(row, payment_reference ?? null, ctx.now);
  await confirmEffect(ctx, () => effectOfPayment(row, refused));
  await assertHoldsAll(ctx, row);
  await assertAreIn(ctx, id, refused);
  if (row.livemode) await countPayment(ctx, id, row.totals);
  const except = refused.map(({ payout_id }) => payout_id);
  if (!already_sent) await assertUnchanged(ctx, id, except);
  await announceFailed(ctx, reasonsOf(refused));
  for (let steps = 0; steps <= STEPS_OF_REQUEST && row.state === 'paying'; steps += 1) {
    const { ids, isLast } = await nextPayouts(ctx, row, { except });
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
function effectOfPayment({ payouts_count, totals, payment_reference }: PayoutExport, refused: Refused) {
  return { payouts_count, totals, payment_reference, refused };
}

type Refused = PayPayoutExport['refused'];

function reasonsOf(refused: Refused): Map<string, string> {
  return new Map(refused.map(({ payout_id, reason }) => [payout_id, reason]));
}

/** Throws VALIDATION_ERROR naming the refused payouts that the export does not hold. */
async function assertAreIn({ db }: WriteCtx, exportId: string, refused: Refused): Promise<void> {
  if (refused.length === 0) return;
  const { rows } = await sql<{ payout_id: string }>`
    select payout_id from payout_attempt item
    where batch_id = ${exportId} and payout_id = any (${refused.map(({ payout_id }) => payout_id)}) and ${IS_UNPAID}`.execute(db);
  const held = new Set(rows.map(({ payout_id }) => payout_id));
  refuse(
    refused.flatMap(({ payout_id }, at) =>
      held.has(payout_id)
        ? []
        : [{ path: `refused.${at}.payout_id`, code: 'not_found', message: `Payout ${payout_id} is not in this export.` }],
    ),
  );
}

/** Marks the attempts of refused payouts failed, and opens these payouts. */
async function refuseItems(ctx: WriteCtx, held: HeldAffiliates, exportId: string, refused: Refused): Promise<void> {
  const reasons = reasonsOf(refused);
  await announceFailed(ctx, reasons);
  const endings = [...reasons].map(([payoutId, reason]) => [payoutId, { state: 'failed' as const, reason }] as const);
  await releasePayouts(ctx, held, exportId, new Map(endings));
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
  const leftovers = new Map<string, Leftovers>();
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
      const left = leftovers.get(id) ?? new Leftovers();
      leftovers.set(id, left);
      try {
        const step: Step = (part) => inTransaction(systemContext(services, account_id, id), part);
        if ((await payBatch(step, id, left)) === 'stuck') left.throwCause();
      } catch (err) {
        failed.add(id);
        services.log.error({ err, payout_export_id: id, account_id }, 'payment of an export failed; will be continued');
      }
    }
  }
  if (failed.size > 0) throw new Error(`Payments of exports failed: ${[...failed].join(', ')}.`);
}

/**
 * Pays the next payouts of an export in one transaction. Payouts that fail together are tried in halves, down to single ones, so that a payout that
 * fails holds up no other. It is left to the next sweep, because its money was sent.
 *
 * @returns `stuck` if only the leftovers are unpaid
 */
async function payBatch(step: Step, id: string, left: Leftovers): Promise<Progress> {
  let begun: readonly string[] = [];
  const begin = (payoutIds: readonly string[]) => {
    begun = payoutIds;
  };
  try {
    return await step((ctx) => advanceExport(ctx, id, { except: left.ids }, begin));
  } catch (err) {
    if (begun.length === 0 || !mayLieInOne(err)) throw err;
    await workApart(begun, err, {
      work: (only) => step((ctx) => advanceExport(ctx, id, { only })),
      giveUp: (payoutId, cause) => {
        left.add(payoutId, cause);
        return step((ctx) => passOver(ctx, id, payoutId, cause));
      },
    });
    return 'paying';
  }
}

/** Leaves a payout that could not be marked paid behind, so that the next steps continue after it. */
async function passOver(ctx: WriteCtx, id: string, payoutId: string, err: unknown): Promise<void> {
  const payoutExport = await lock(ctx, PayoutExport, id);
  const fields = { err, account_id: payoutExport.account_id, payout_export_id: id, payout_id: payoutId };
  ctx.services.log.error(fields, 'payout of an export not marked paid; will be retried');
  if (payoutExport.state === 'paying' && payoutId > (payoutExport.paid_through ?? ''))
    changeExport(ctx, payoutExport, (draft) => countPaidPayouts(draft, 0, payoutId, ctx.now));
}

type Progress = 'paying' | 'paid' | 'stuck';

/** The payouts that a step may pay: only these, or all but these. */
interface Choice {
  only?: readonly string[];
  except?: readonly string[];
}

/**
 * Performs the next step of paying an export.
 *
 * @param begin called with the payouts of the step before it changes them
 */
async function advanceExport(
  ctx: WriteCtx,
  id: string,
  choice: Choice,
  begin?: (payoutIds: readonly string[]) => void,
): Promise<Progress> {
  const payoutExport = await lock(ctx, PayoutExport, id);
  if (payoutExport.state !== 'paying') return 'paid';
  const payouts = await lockNext(ctx, payoutExport, choice);
  begin?.(payouts.ids);
  await payNext(ctx, payoutExport, payouts);
  if (payoutExport.state !== 'paying') return 'paid';
  return payouts.ids.length > 0 ? 'paying' : 'stuck';
}

/** The payouts of a step, and whether they are the last ones. */
interface NextPayouts {
  ids: string[];
  isLast: boolean;
}

type LockedPayouts = NextPayouts & { held: HeldAffiliates };

/** Finds the payouts of the next step, and locks their affiliates and those of other payouts. */
async function lockNext(
  ctx: WriteCtx,
  payoutExport: Locked<PayoutExport>,
  choice: Choice,
  others: Refused = [],
): Promise<LockedPayouts> {
  const payouts = await nextPayouts(ctx, payoutExport, choice);
  const ids = [...payouts.ids, ...others.map(({ payout_id }) => payout_id)];
  return { ...payouts, held: await lockAffiliatesOfPayouts(ctx, ids) };
}

/** Pays the payouts of a step, in the caller's transaction, and completes the export when it holds no unpaid payout any more. */
async function payNext(ctx: WriteCtx, payoutExport: Locked<PayoutExport>, { ids, isLast, held }: LockedPayouts): Promise<void> {
  const { id, payment_reference } = payoutExport;
  const last = ids.at(-1);
  // Payouts that the export no longer holds are left out; reconciliation reports them.
  const paid = last === undefined ? [] : await payPayouts(ctx, held, id, ids, payment_reference);
  const isComplete = payoutExport.paid_count + paid.length >= payoutExport.payouts_count;
  const isPaid = isLast && (isComplete || !(await holdsUnpaid(ctx, id)));
  changeExport(ctx, payoutExport, (draft) => {
    if (last !== undefined) countPaidPayouts(draft, paid.length, last, ctx.now);
    if (isPaid) markExportPaid(draft, ctx.now);
  });
  const { paid_count: done, payouts_count: total } = payoutExport;
  ctx.afterCommit(() => ctx.onProgress?.({ done, total }));
  if (isPaid) emit(ctx, 'payout_export.paid', payoutExportRecord(payoutExport));
}

/**
 * Returns the next payouts in the order of their ids, as many as fit into one step, and whether they are the last ones. After the last one come the
 * payouts that were passed over because they could not be paid.
 */
async function nextPayouts(
  ctx: WriteCtx,
  { id, paid_through }: Pick<PayoutExport, 'id' | 'paid_through'>,
  { only, except = [] }: Choice,
): Promise<NextPayouts> {
  const after = sql<boolean>`payout_id > ${paid_through ?? ''}`;
  const find = async (which: RawBuilder<boolean>) => {
    const { rows } = await sql<{ payout_id: string; fits: boolean }>`
      select payout_id,
        row_number() over (order by payout_id) <= ${MAX_PAYOUTS}
          and sum(commissions_count) over (order by payout_id) - commissions_count < ${MAX_COMMISSIONS} as fits
      from (
        select payout_id, commissions_count from payout_attempt item
        where batch_id = ${id} and state <> 'failed' and ${which} order by payout_id limit ${MAX_PAYOUTS + 1}
      ) next
      order by payout_id`.execute(ctx.db);
    const ids = rows.filter(({ fits }) => fits).map(({ payout_id }) => payout_id);
    return { ids, isLast: ids.length === rows.length };
  };
  // The step that follows finds out whether these were the last ones.
  if (only) return { ...(await find(sql`payout_id = any (${only})`)), isLast: false };
  const isOther = sql<boolean>`payout_id <> all (${except}::text[])`;
  const next = await find(sql`${after} and ${isOther}`);
  if (next.ids.length > 0 || paid_through === null) return next;
  return find(sql`not ${after} and ${isOther} and ${IS_UNPAID}`);
}

/** True if the export holds a payout that is not paid. */
async function holdsUnpaid(ctx: WriteCtx, exportId: string): Promise<boolean> {
  const { rows } = await sql`
    select from payout_attempt item where batch_id = ${exportId} and ${IS_UNPAID} limit 1`.execute(ctx.db);
  return rows.length > 0;
}

/**
 * SQL condition: the attempt `item` holds its unpaid payout. Reads the payout in a scalar subquery instead of a join: if the tables have just grown,
 * PostgreSQL may execute a join by comparing every payout with every attempt.
 */
const IS_UNPAID = sql<boolean>`(${isUnfinished('item')} and (select status from payout where payout.id = item.payout_id) is not distinct from 'processing')`;

/** Throws CONFLICT if the export no longer holds all its payouts. */
async function assertHoldsAll(ctx: WriteCtx, { id }: Pick<PayoutExport, 'id'>): Promise<void> {
  const { rows } = await sql<{ payout_id: string }>`
    select payout_id from payout_attempt item
    where batch_id = ${id} and not ${IS_UNPAID}
    limit 1`.execute(ctx.db);
  if (rows.length > 0) {
    throw new DomainError(
      'CONFLICT',
      'This export no longer holds all of its payouts. Reconcile the payouts to see the differences.',
    );
  }
}
