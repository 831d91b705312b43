import type { DisputeSeen, RefundSeen } from '../../port/seen.ts';
import type { ProviderLine } from '../values/provider-event.ts';
import { creditedLines, type RefundLedger, refundedTotal, releasingRefund, taxedParts } from './refund-ledger.ts';

/**
 * Returns the refunds of a ledger. The refunded total in a report of the charge may include refunds that were not reported individually. They are one
 * more refund. The release of an amount that was not captured is none.
 *
 * @param currency the currency of the payment; null if it is not known
 * @param lines the lines that were sold
 */
export function refundsSeen(ledger: RefundLedger, currency: string | null, lines: readonly ProviderLine[]): RefundSeen[] {
  const release = releasingRefund(ledger);
  const taxed = currency === null ? new Map<string, never>() : taxedParts(ledger, currency);
  const productOf = new Map(lines.map(({ id, product }) => [id, product]));
  const credited = (currency === null ? [] : creditedLines(ledger, currency)).filter(({ lineId }) => productOf.has(lineId));
  const listed = Object.entries(ledger.refunds)
    .filter(([id]) => id !== release)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, { amount, effective, at, since }]): RefundSeen => ({
      id,
      amount,
      at: since ?? at,
      state: effective ? 'done' : 'failed',
      failedAt: effective || since === undefined ? null : at,
      taxed: taxed.get(id) ?? [],
      // A note may cover several refunds. Its lines are those of the first one that is known.
      lines: credited
        .filter(({ refundIds }) => refundIds.find((each) => ledger.refunds[each]) === id)
        .map(({ lineId, amount: cents }) => ({ product: productOf.get(lineId)!, amount: cents })),
    }));
  const done = [...listed.filter(({ state }) => state === 'done'), ...Object.values(ledger.disputes)];
  const unlisted = done.reduce((rest, { amount }) => rest - amount, refundedTotal(ledger));
  if (ledger.reported === null || unlisted <= 0) return listed;
  const { at } = ledger.reported;
  return [...listed, { id: 'unlisted', amount: unlisted, at, state: 'done', failedAt: null, taxed: [], lines: [] }];
}

export function disputesSeen({ disputes }: RefundLedger): DisputeSeen[] {
  return Object.entries(disputes)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, { amount, at, open }]) => ({ id, amount, at, outcome: open ? 'open' : amount > 0 ? 'lost' : 'won' }));
}
