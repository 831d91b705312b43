import { ARRIVED_AFTER_ALL, type PayoutAttempt } from '../../ledger/payouts/payout-attempt.entity.ts';
import type { BankStatement, Outcome } from '../port/bank-report.ts';

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
export interface ComparedPayment {
  attempt: ReportedAttempt;
  verdict: Verdict;
  /** Null if everything is done. A payment that was booked and came back first arrives, and then returns. */
  step: 'arrive' | 'fail' | 'return' | 'alarm' | null;
  statement: BankStatement;
}

/** Result of comparing a report with the payments of one file. */
export interface ComparedReport {
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
