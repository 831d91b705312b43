import type { Instant } from '../../platform/time/instant.ts';
import type { ProviderFact } from '../../provider/port/provider-event.ts';

/** All reports of money returned on one payment. Events come in any order and any number of times. */
export interface RefundLedger {
  /** The latest report of each refund, with its time. */
  refunds: Record<string, { amount: number; effective: boolean; at: Instant }>;
  /** The charge's own latest report of the cumulative amount. */
  reported: { total: number; at: Instant } | null;
  /** Amounts of the disputes that ended: 0 unless the dispute was lost. */
  disputes: Record<string, { amount: number; at: Instant }>;
}

export const NOTHING_REFUNDED: RefundLedger = { refunds: {}, reported: null, disputes: {} };

type RefundFact = Extract<ProviderFact, { kind: 'charge_refunded' | 'refund_updated' | 'dispute_closed' }>;

/** The ledger after `fact`, reported at `at`. */
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
 * Total amount returned of the payment, in its currency's minor unit (docs/domain-rules.md#refunds; a lost dispute is a refund). The
 * charge's own total counts where the individual refunds are not known; refunds that failed after that report are subtracted.
 */
export function refundedTotal({ refunds, reported, disputes }: RefundLedger): number {
  const known = Object.values(refunds);
  const effective = sum(known.filter((refund) => refund.effective));
  const failedSince = sum(known.filter((refund) => !refund.effective && reported !== null && refund.at > reported.at));
  return Math.max(effective, (reported?.total ?? 0) - failedSince) + sum(Object.values(disputes));
}

/** A refund can fail after it succeeded, but not the reverse. So in reports of the same second, failure counts as the later one. */
function withRefund(
  refunds: RefundLedger['refunds'],
  { refundId, amount, effective }: { refundId: string; amount: number; effective: boolean },
  at: Instant,
): RefundLedger['refunds'] {
  const known = refunds[refundId];
  if (known && (known.at > at || (known.at === at && !known.effective))) return refunds;
  return { ...refunds, [refundId]: { amount, effective, at } };
}

/** Within one second the higher total is the later report: refunds only add up. */
function newerReport(known: RefundLedger['reported'], report: { total: number; at: Instant }): RefundLedger['reported'] {
  if (!known || report.at > known.at) return report;
  return report.at === known.at && report.total > known.total ? report : known;
}

function sum(entries: { amount: number }[]): number {
  return entries.reduce((total, { amount }) => total + amount, 0);
}
