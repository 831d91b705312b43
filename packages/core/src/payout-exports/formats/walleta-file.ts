import { decimalAmount } from '../../money/decimal.ts';
import { writeCsv } from './csv.ts';
import { addressProblems, type ExportItem, type FileFormat, type Problem } from './format.ts';

/**
 * PayPal's Payouts web upload: no header; recipient, amount, currency, customer id (at most 30 characters without spaces, which an
 * affiliate id is), note to the recipient, wallet. One currency a file, at most 5,000 rows.
 */
export const walletaFile: FileFormat = {
  maxRows: 5_000,
  problems: (items) => [...addressProblems(items, 'walleta_email'), ...currencyProblems(items)],
  render: (items) =>
    writeCsv(
      items.map((item) => [
        item.walleta_email ?? '',
        decimalAmount(item.amount_cents, item.currency),
        item.currency,
        item.affiliate_id,
        `Affiliate payout ${item.payout_id}`,
        'PAYPAL',
      ]),
    ),
};

/** Every payout that is not in the currency of the first one. */
function currencyProblems(items: readonly ExportItem[]): Problem[] {
  return items.flatMap(({ payout_id, currency }) =>
    currency === items[0]?.currency
      ? []
      : [
          {
            payout_id,
            code: 'mixed_currencies' as const,
            message: `${payout_id} is in ${currency}, others are in ${items[0]?.currency}: a file holds one currency`,
          },
        ],
  );
}
