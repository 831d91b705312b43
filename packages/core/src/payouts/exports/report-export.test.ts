import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BankStatement, Outcome } from '../port/method.ts';
import { compareReport, type ReportedAttempt } from './report-export.ts';

/** The end of a payment at the bank. */
type Fate = 'nothing' | 'rejected' | 'booked' | 'booked and returned';

const END = { nothing: 'prepared', rejected: 'failed', booked: 'arrived', 'booked and returned': 'returned' } as const;

function attempt(at: number): ReportedAttempt {
  return {
    id: `patt_${at}`,
    payout_id: `payout_${at}`,
    affiliate_id: `aff_${at}`,
    state: 'prepared',
    superseded: false,
    reason: null,
    arrived_at: null,
    affiliate_fee_cents: 0,
    amount_cents: 100 + at,
    currency: 'EUR',
  };
}

function told({ id, amount_cents, currency }: ReportedAttempt, outcome: Outcome): BankStatement {
  return { of: { attempt_id: id }, outcome, amount: { amount_cents, currency }, count: null, reason: null, raw_state: outcome };
}

/** Applies a report as the service does, until nothing is left to do. Returns the number of steps. */
function apply(attempts: ReportedAttempt[], report: readonly BankStatement[]): number {
  let steps = 0;
  for (;;) {
    const open = compareReport('pexp_1', attempts, report).payments.filter(({ step }) => step !== null);
    if (open.length === 0) return steps;
    for (const { attempt: each, step } of open) {
      steps += 1;
      if (step === 'arrive') Object.assign(each, { state: 'arrived', arrived_at: '2026-11-29T00:00:00.000Z' });
      else if (step === 'fail') each.state = 'failed';
      else if (step === 'return') each.state = 'returned';
      else each.reason = 'arrived_after_all';
    }
  }
}

const fates = fc.array(fc.constantFrom<Fate>('nothing', 'rejected', 'booked', 'booked and returned'), {
  minLength: 1,
  maxLength: 8,
});

describe('compareReport', () => {
  it('gives each payment the end that it has at the bank, in every order of the statements and reports', () => {
    fc.assert(
      fc.property(fates, fc.infiniteStream(fc.nat()), (chosen, numbers) => {
        const attempts = chosen.map((_, at) => attempt(at));
        const statements = chosen.flatMap((fate, at): BankStatement[] => {
          const each = attempt(at);
          if (fate === 'nothing') return [];
          if (fate === 'rejected') return [told(each, 'rejected')];
          return fate === 'booked' ? [told(each, 'booked')] : [told(each, 'booked'), told(each, 'returned')];
        });
        const next = () => Number(numbers.next().value);
        // Each statement is told once or twice, in random reports, in random order.
        const all = [...statements, ...statements.filter(() => next() % 2 === 0)]
          .map((statement) => ({ statement, at: next() }))
          .toSorted((a, b) => a.at - b.at);
        const reports = Map.groupBy(all, () => next() % 3);
        for (const [, report] of reports)
          apply(
            attempts,
            report.map(({ statement }) => statement),
          );
        expect(attempts.map(({ state }) => state)).toEqual(chosen.map((fate) => END[fate]));
        expect(attempts.every(({ reason }) => reason === null)).toBe(true);
        expect(apply(attempts, statements)).toBe(0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('books a file as a whole only with its sum, whatever was rejected before or in the same report', () => {
    fc.assert(
      fc.property(fates, fc.boolean(), fc.integer({ min: -1, max: 1 }), (chosen, isSameReport, error) => {
        const attempts = chosen.map((_, at) => attempt(at));
        const rejected = attempts.filter((_, at) => chosen[at] === 'rejected');
        const booked = attempts.filter((each) => !rejected.includes(each));
        const sum = booked.reduce((total, { amount_cents }) => total + amount_cents, 0);
        const whole: BankStatement = {
          of: { export_id: 'pexp_1' },
          outcome: 'booked',
          amount: { amount_cents: sum + error, currency: 'EUR' },
          count: booked.length,
          reason: null,
          raw_state: 'BOOK',
        };
        const rejections = rejected.map((each) => told(each, 'rejected'));
        if (!isSameReport) apply(attempts, rejections);
        apply(attempts, [whole, ...rejections]);
        const paid = error === 0 ? 'arrived' : 'prepared';
        expect(attempts.map(({ state }) => state)).toEqual(chosen.map((fate) => (fate === 'rejected' ? 'failed' : paid)));
        expect(compareReport('pexp_1', attempts, [whole, ...rejections]).isOtherSum).toBe(error !== 0);
      }),
    );
  });
});
