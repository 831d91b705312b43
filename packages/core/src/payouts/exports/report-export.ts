import { countPayment } from '../../identity/connectors/count-payment.ts';
import { payPayouts, returnPaid } from '../../ledger/payouts/pay-payouts.ts';
import { ARRIVED_AFTER_ALL, SENT_CENTS } from '../../ledger/payouts/payout-attempt.entity.ts';
import { Payout } from '../../ledger/payouts/payout.entity.ts';
import { changeAttempt, lockAffiliatesOfPayouts, releasePayouts } from '../../ledger/payouts/payout.transitions.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { lock } from '../../platform/call/records.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { onceInSteps, type StepwiseRequest } from '../../platform/idempotency/idempotency.ts';
import { confirmEffect } from '../../platform/previews/confirm-effect.ts';
import { loadBatchAlone } from '../batches/batch-lock.ts';
import { getBatchRow } from '../batches/batch.queries.ts';
import { announceFailed } from '../batches/failed-payouts.ts';
import { finishBatch } from '../batches/finish-batch.ts';
import type { PayoutBatch } from '../batches/payout-batch.entity.ts';
import { changeBatch, finishWork, markBatchPaying, markBatchWithdrawn, touchBatch } from '../batches/payout-batch.transitions.ts';
import { MAX_NAMED } from '../methods/assert-eligible.ts';
import { Totals } from '../methods/totals.ts';
import { type BankStatement, UnreadableReport } from '../port/bank-report.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';
import { type ComparedPayment, type ComparedReport, compareReport, type ReportedAttempt } from './compare-report.ts';
import { methodOf } from './export-file.ts';
import { formatOfKind } from './export-formats.schema.ts';
import { EXPORTS } from './export-producer.ts';
import { getPayoutExportRecord } from './payout-export.queries.ts';
import type { PayoutExportReport, ReportPayoutExport } from './payout-export.schema.ts';

/** Payments of one transaction. Small, because other transactions wait for the locks on the affiliates. */
const PART = 200;

/** The figures of a report, which do not change while it is applied. */
type Figures = Omit<PayoutExportReport, 'payout_export'>;

/**
 * Applies a report of the bank to the payments of an export, each with its own end: what was booked is paid, what was rejected is open again, and what
 * came back is returned (docs/rules/payouts.md#reports-of-banks). Reading a report again changes nothing, so a report that was interrupted is
 * uploaded again.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for a report that cannot be read, a format without reports, and an export that is being paid;
 * PAY_LIMIT_EXCEEDED
 */
export async function reportPayoutExport(
  ctx: Ctx,
  request: StepwiseRequest<{ figures: Figures }>,
  { payout_export_id: id, bank_report }: ReportPayoutExport,
): Promise<PayoutExportReport> {
  const { method } = await getBatchRow(ctx, 'export', id);
  const statements = await readStatements(method, bank_report);
  if (ctx.preview)
    return inTransaction(ctx, async (tx) => {
      const row = await getBatchRow(tx, 'export', id);
      const figures = await decide(tx, row, statements);
      return { ...figures, payout_export: await getPayoutExportRecord(tx, id) };
    });
  return onceInSteps(ctx, request, {
    begin: async (tx) => {
      const batch = await loadBatchAlone(tx, 'export', id);
      const figures = await decide(tx, batch, statements);
      await applyPart(tx, batch, statements);
      return { figures };
    },
    proceed: async (step) => {
      while (await step(async (tx) => applyPart(tx, await loadBatchAlone(tx, 'export', id), statements)));
    },
    respond: async (tx, { figures }) => ({ ...figures, payout_export: await getPayoutExportRecord(tx, id) }),
  });
}

async function readStatements(method: string, report: string): Promise<BankStatement[]> {
  const { file } = methodOf(formatOfKind(method));
  if (!file.read) throw invalid('payout_export_id', PAYOUT_REASONS.no_reports_of_format, 'not_supported');
  try {
    return await file.read(report);
  } catch (error) {
    throw error instanceof UnreadableReport ? invalid('bank_report', PAYOUT_REASONS.bank_report_unreadable, 'unreadable') : error;
  }
}

/** Returns what a report says, and confirms and counts its effect. Throws VALIDATION_ERROR while the export is being paid. */
async function decide(ctx: WriteCtx, batch: PayoutBatch, statements: readonly BankStatement[]): Promise<Figures> {
  if (batch.stage === 'paying') throw invalid('payout_export_id', PAYOUT_REASONS.export_being_paid, 'invalid_state');
  const attempts = await attemptsOf(ctx, batch.id);
  const compared = compareReport(batch.id, attempts, statements);
  const figures = figuresOf(compared);
  await confirmEffect(ctx, () => figures);
  if (batch.livemode) {
    // Counts all that is paid with this export, because a payment counts once.
    const arriving = new Set(compared.payments.flatMap(({ step, attempt }) => (step === 'arrive' ? [attempt.id] : [])));
    const paid = attempts.filter((attempt) => attempt.arrived_at !== null || arriving.has(attempt.id));
    await countPayment(ctx, batch.id, new Totals().add(paid).byCurrency());
  }
  return figures;
}

function figuresOf({ payments, isOtherSum, otherCount }: ComparedReport): Figures {
  const count = (which: (payment: ComparedPayment) => boolean) => payments.filter(which).length;
  const problems = payments.flatMap(({ verdict, attempt: { payout_id } }) =>
    verdict === 'amount_mismatch' || verdict === 'arrived_after_all' ? [{ payout_id, code: verdict }] : [],
  );
  return {
    booked_count: count(({ step, verdict }) => step === 'arrive' && verdict === 'booked'),
    rejected_count: count(({ step }) => step === 'fail'),
    returned_count: count(({ step, verdict }) => step === 'return' || (step === 'arrive' && verdict === 'returned')),
    unchanged_count: count(({ step, verdict }) => step === null && verdict !== 'amount_mismatch'),
    other_count: otherCount,
    problems: [...(isOtherSum ? [{ payout_id: null, code: 'sum_mismatch' as const }] : []), ...problems].slice(0, MAX_NAMED),
  };
}

/** Applies a part of a report. Returns whether there was anything to do. */
async function applyPart(ctx: WriteCtx, batch: Locked<PayoutBatch>, statements: readonly BankStatement[]): Promise<boolean> {
  const { payments } = compareReport(batch.id, await attemptsOf(ctx, batch.id), statements);
  const part = payments.filter(({ step }) => step !== null).slice(0, PART);
  if (part.length === 0) return false;
  const held = await lockAffiliatesOfPayouts(
    ctx,
    part.map(({ attempt }) => attempt.payout_id),
  );
  const payoutsOf = (step: ComparedPayment['step']) => part.filter((payment) => payment.step === step);
  await payPayouts(
    ctx,
    held,
    batch.id,
    payoutsOf('arrive').map(({ attempt }) => attempt.payout_id),
    batch.payment_reference,
  );
  const reasons = new Map(payoutsOf('fail').map(({ attempt, statement }) => [attempt.payout_id, reasonOf(statement)]));
  await announceFailed(ctx, reasons);
  const endings = [...reasons].map(([payoutId, reason]) => [payoutId, { state: 'failed' as const, reason }] as const);
  await releasePayouts(ctx, held, batch.id, new Map(endings));
  for (const { attempt, statement } of payoutsOf('return')) {
    const payout = await lock(ctx, Payout, attempt.payout_id);
    // A person may have returned the payout already.
    if (payout.status === 'paid') await returnPaid(ctx, held, payout, reasonOf(statement));
  }
  for (const { attempt, step, statement } of part) {
    const { amount, raw_state } = statement;
    if (step === 'alarm') {
      ctx.services.log.error(
        { account_id: ctx.accountId, payout_attempt_id: attempt.id },
        'a payment that was given up has been made',
      );
      await changeAttempt(ctx, attempt.id, { raw_state, reason: ARRIVED_AFTER_ALL });
    } else
      await changeAttempt(ctx, attempt.id, {
        raw_state,
        ...(step === 'return' && amount?.currency === attempt.currency ? { returned_cents: amount.amount_cents } : {}),
      });
  }
  await touchBatch(ctx, batch.id);
  await endIfDone(ctx, batch);
  return true;
}

function reasonOf({ reason, raw_state }: BankStatement): string {
  return reason ?? raw_state;
}

/** Ends the work on an export none of whose payments is open any more: it is paid or, if the bank has paid nothing, released. */
export async function endIfDone(ctx: WriteCtx, batch: Locked<PayoutBatch>): Promise<void> {
  if (batch.stage !== 'prepared') return;
  const attempts = await attemptsOf(ctx, batch.id);
  if (attempts.some(({ state }) => state === 'prepared')) return;
  if (attempts.every(({ arrived_at }) => arrived_at === null)) {
    await changeBatch(ctx, batch, (draft) => {
      markBatchWithdrawn(draft, ctx.now);
      finishWork(draft, false, ctx.now);
    });
    return;
  }
  await changeBatch(ctx, batch, (draft) => markBatchPaying(draft, draft.payment_reference, ctx.now));
  if (await finishBatch(ctx, EXPORTS, batch)) throw new DomainError('CONFLICT', PAYOUT_REASONS.export_busy);
}

/** Returns the attempts of an export, also those that were taken out, because the bank may have got the file before. */
function attemptsOf({ db }: WriteCtx, exportId: string): Promise<ReportedAttempt[]> {
  return db
    .selectFrom('payout_attempt')
    .select(['id', 'payout_id', 'affiliate_id', 'state', 'superseded', 'reason', 'arrived_at', 'currency', 'affiliate_fee_cents'])
    .select(SENT_CENTS.as('amount_cents'))
    .where('batch_id', '=', exportId)
    .orderBy('id')
    .execute();
}
