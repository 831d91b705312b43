import { countPayment } from '../../identity/connectors/count-payment.ts';
import { payPayouts, returnPaid } from '../../ledger/payouts/pay-payouts.ts';
import { ARRIVED_AFTER_ALL, type PayoutAttempt, SENT_CENTS } from '../../ledger/payouts/payout-attempt.entity.ts';
import { Payout } from '../../ledger/payouts/payout.entity.ts';
import { changeAttempt, lockAffiliatesOfPayouts, releasePayouts } from '../../ledger/payouts/payout.transitions.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { lock } from '../../platform/call/records.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { onceInSteps, type StepwiseRequest } from '../../platform/idempotency/idempotency.ts';
import { confirmEffect } from '../../platform/previews/confirm-effect.ts';
import { getBatchRow, loadBatchAlone } from '../batches/batch.queries.ts';
import { announceFailed, finishBatch } from '../batches/finish-batch.ts';
import type { PayoutBatch } from '../batches/payout-batch.entity.ts';
import { changeBatch, finishWork, markBatchPaying, markBatchWithdrawn, touchBatch } from '../batches/payout-batch.transitions.ts';
import { MAX_NAMED } from '../methods/assert-eligible.ts';
import { Totals } from '../methods/selection.ts';
import { type BankStatement, type Outcome, UnreadableReport } from '../port/method.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';
import { methodOf } from './export-file.ts';
import { formatOfKind } from './export-formats.schema.ts';
import { EXPORTS } from './pay-export.ts';
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

/** An attempt as a report is compared with it. Superseded ones were taken out of the export. `amount_cents` is what was sent, without the fee that the affiliate bears. */
export type ReportedAttempt = Pick<
  PayoutAttempt,
  | 'id'
  | 'payout_id'
  | 'affiliate_id'
  | 'state'
  | 'superseded'
  | 'reason'
  | 'arrived_at'
  | 'amount_cents'
  | 'affiliate_fee_cents'
  | 'currency'
>;

/** Result of comparing a report with an attempt. `arrived_after_all`: the bank has paid the attempt although it was given up here. */
type Verdict = Outcome | typeof ARRIVED_AFTER_ALL | 'amount_mismatch';

/** An attempt with the verdict about it, and the next step that is left to do. */
interface ComparedPayment {
  attempt: ReportedAttempt;
  verdict: Verdict;
  /** Null if everything is done. A payment that was booked and came back first arrives, and then returns. */
  step: 'arrive' | 'fail' | 'return' | 'alarm' | null;
  statement: BankStatement;
}

/** Result of comparing a report with the payments of one file. */
interface ComparedReport {
  payments: ComparedPayment[];
  /** True if the bank has booked the file as a whole with another amount or number of payments. */
  isOtherSum: boolean;
  /** Number of statements about other payments. */
  otherCount: number;
}

/** Order in which statements about one payment hold: money that came back was booked before. */
const RANKS: Record<Outcome, number> = { booked: 1, rejected: 2, returned: 3 };

/**
 * Compares a report with the latest attempts of an export. A pure function: the order of the statements, and how often a report is read, decide nothing.
 * A statement about one payment goes before one about the whole file. An amount that differs is left to a person.
 */
export function compareReport(
  exportId: string,
  attempts: readonly ReportedAttempt[],
  statements: readonly BankStatement[],
): ComparedReport {
  const known = new Map(attempts.map((attempt) => [attempt.id, attempt]));
  const own = new Map<string, BankStatement>();
  let whole: BankStatement | null = null;
  let otherCount = 0;
  for (const statement of statements) {
    const { of } = statement;
    if ('export_id' in of) {
      if (of.export_id === exportId) whole = later(whole, statement);
      else otherCount += 1;
    } else if (known.has(of.attempt_id)) own.set(of.attempt_id, later(own.get(of.attempt_id) ?? null, statement));
    else otherCount += 1;
  }
  const isRejected = ({ id }: ReportedAttempt) => own.get(id)?.outcome === 'rejected';
  const kept = attempts.filter(({ superseded }) => !superseded);
  const isBooking = whole?.outcome === 'booked';
  const isOfKept = !isBooking || hasSum(whole!, kept, isRejected);
  // The bank may have got the file as it was before payouts were taken out.
  const isOfAll = isBooking && !isOfKept && hasSum(whole!, attempts, isRejected);
  const isOtherSum = !isOfKept && !isOfAll;
  const payments = attempts.flatMap((attempt): ComparedPayment[] => {
    const statement =
      own.get(attempt.id) ??
      (whole !== null && !isOtherSum && !isRejectedBefore(attempt, whole) && (isOfAll || !attempt.superseded) ? whole : null);
    return statement === null ? [] : [comparePayment(attempt, statement, own.has(attempt.id))];
  });
  return { payments, isOtherSum, otherCount };
}

function later(former: BankStatement | null, statement: BankStatement): BankStatement {
  return former === null || RANKS[statement.outcome] > RANKS[former.outcome] ? statement : former;
}

/** True if an attempt was rejected before the bank booked the file, so that the booking is not about it. */
function isRejectedBefore({ state }: ReportedAttempt, { outcome }: BankStatement): boolean {
  return state === 'failed' && outcome === 'booked';
}

/** True if a booking of a file has the sum and the number of its payments, without those that were rejected. */
function hasSum(
  { amount, count }: BankStatement,
  attempts: readonly ReportedAttempt[],
  isRejected: (attempt: ReportedAttempt) => boolean,
): boolean {
  const booked = attempts.filter((attempt) => attempt.state !== 'failed' && !isRejected(attempt));
  if (count !== null && count !== booked.length) return false;
  if (amount === null) return true;
  const sum = booked.reduce((total, { amount_cents }) => total + amount_cents, 0);
  return amount.amount_cents === sum && booked.every(({ currency }) => currency === amount.currency);
}

function comparePayment(attempt: ReportedAttempt, statement: BankStatement, isOwn: boolean): ComparedPayment {
  const { state, reason, arrived_at } = attempt;
  const { outcome, amount } = statement;
  const compared = (verdict: Verdict, step: ComparedPayment['step']): ComparedPayment => ({ attempt, statement, verdict, step });
  const isOther = amount !== null && (amount.amount_cents !== attempt.amount_cents || amount.currency !== attempt.currency);
  if (isOwn && outcome === 'booked' && isOther) return compared('amount_mismatch', null);
  if (state === 'prepared') return compared(outcome, outcome === 'rejected' ? 'fail' : 'arrive');
  if (state === 'arrived') return compared(outcome, outcome === 'booked' ? null : 'return');
  // A returned payment was booked before, and one that came back before it had arrived needs nothing more.
  if (outcome !== 'booked' || (state === 'returned' && arrived_at !== null)) return compared(outcome, null);
  return compared(ARRIVED_AFTER_ALL, reason === ARRIVED_AFTER_ALL ? null : 'alarm');
}
