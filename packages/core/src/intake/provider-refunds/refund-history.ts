import type { Instant } from '../../platform/time/instant.ts';
import { type RefundLedger, refundedTotal, releasingRefund } from './refund-ledger.ts';

/** Money that went back to the customer, or returned to the merchant because the refund failed. */
export interface ReturnedMoney {
  at: Instant;
  kind: 'refund' | 'refund_failed' | 'dispute_lost';
  /** Negative for a refund. */
  amount: number;
}

/** Returns the history of a ledger. The amounts add up to the refunded total (`refundedTotal`) with a minus sign. */
export function refundHistory(ledger: RefundLedger): ReturnedMoney[] {
  const release = releasingRefund(ledger);
  const reported = [
    ...Object.entries(ledger.refunds).flatMap(([id, { amount, effective, at, since }]): ReturnedMoney[] => {
      if (id === release) return [];
      const refund: ReturnedMoney = { at: since ?? at, kind: 'refund', amount: -amount };
      if (effective) return [refund];
      return since === undefined ? [] : [refund, { at, kind: 'refund_failed', amount }];
    }),
    ...Object.values(ledger.disputes).flatMap(({ amount, at }): ReturnedMoney[] =>
      amount === 0 ? [] : [{ at, kind: 'dispute_lost', amount: -amount }],
    ),
  ];
  // The refunded total in a report of the charge may include refunds that were not reported individually.
  const rest = refundedTotal(ledger) + reported.reduce((sum, { amount }) => sum + amount, 0);
  return ledger.reported !== null && rest > 0
    ? [...reported, { at: ledger.reported.at, kind: 'refund', amount: -rest }]
    : reported;
}
