import type { Instant } from '../../platform/time/instant.ts';
import type { ProviderFact } from '../../provider/port/provider-event.ts';

/** All that the provider's events told about money that went back on one payment. Events come in any order and any number of times. */
export interface RefundLedger {
  /** The last word on each refund, and when it was spoken. */
  refunds: Record<string, { amount: number; effective: boolean; at: Instant }>;
  /** The charge's own account of the cumulative amount: its last word. */
  reported: { total: number; at: Instant } | null;
  /** Amounts of the disputes that ended, as far as they were lost. */
  disputes: Record<string, { amount: number; at: Instant }>;
}

export const NOTHING_REFUNDED: RefundLedger = { refunds: {}, reported: null, disputes: {} };

type RefundFact = Extract<ProviderFact, { kind: 'charge_refunded' | 'refund_updated' | 'dispute_closed' }>;

/** The ledger after `fact`, which was spoken at `at`. */
export function enterRefund(ledger: RefundLedger, fact: RefundFact, at: Instant): RefundLedger {
  if (fact.kind === 'refund_updated') return { ...ledger, refunds: withRefund(ledger.refunds, fact.refund, at) };
  if (fact.kind === 'charge_refunded') {
    return {
      ...ledger,
      refunds: fact.refunds.reduce((refunds, refund) => withRefund(refunds, refund, at), ledger.refunds),
      reported: newerReport(ledger.reported, { total: fact.amountRefunded, at }),
    };
  }
  const known = ledger.disputes[fact.disputeId];
  if (known && known.at > at) return ledger;
  return { ...ledger, disputes: { ...ledger.disputes, [fact.disputeId]: { amount: fact.lost ? fact.amount : 0, at } } };
}

/**
 * How much of the payment went back in all, in its currency's minor unit (docs/domain-rules.md#refunds; a lost
 * dispute is a refund). The charge's own total counts where refunds are not known singly; what failed after it was given is taken off.
 */
export function refundedTotal({ refunds, reported, disputes }: RefundLedger): number {
  const known = Object.values(refunds);
  const effective = sum(known.filter((refund) => refund.effective));
  const failedSince = sum(known.filter((refund) => !refund.effective && reported !== null && refund.at > reported.at));
  return Math.max(effective, (reported?.total ?? 0) - failedSince) + sum(Object.values(disputes));
}

/** A refund can fail after it succeeded, never the other way round: at the same second, failing is the last word. */
function withRefund(
  refunds: RefundLedger['refunds'],
  { refundId, amount, effective }: { refundId: string; amount: number; effective: boolean },
  at: Instant,
): RefundLedger['refunds'] {
  const known = refunds[refundId];
  if (known && (known.at > at || (known.at === at && !known.effective))) return refunds;
  return { ...refunds, [refundId]: { amount, effective, at } };
}

/** Two reports of one second: refunds only ever add up within it. */
function newerReport(known: RefundLedger['reported'], report: { total: number; at: Instant }): RefundLedger['reported'] {
  if (!known || report.at > known.at) return report;
  return report.at === known.at && report.total > known.total ? report : known;
}

function sum(entries: { amount: number }[]): number {
  return entries.reduce((total, { amount }) => total + amount, 0);
}
