import { decimalAmount, minorUnitDigits } from '../../../platform/money/decimal.ts';
import { writeCsv } from './csv.ts';
import { addressProblems, type ExportItem, type FileFormat, type Problem } from './format.ts';

/** Currencies with a minor unit that PayPal pays without. */
const WHOLE_UNITS = new Set(['HUF', 'TWD']);

/**
 * PayPal's Payouts web upload: no header; recipient, amount, currency, customer id (at most 30 characters without spaces, which an
 * affiliate id is), note to the recipient, wallet. One currency a file, at most 5,000 rows. Some currencies it takes in whole units only.
 */
export const walletaFile: FileFormat = {
  maxRows: 5_000,
  problems: (items) => [...addressProblems(items, 'walleta_email'), ...currencyProblems(items), ...fractionProblems(items)],
  render: (items) =>
    writeCsv(
      items.map((item) => [
        item.walleta_email ?? '',
        WHOLE_UNITS.has(item.currency)
          ? String(item.amount_cents / unitOf(item.currency))
          : decimalAmount(item.amount_cents, item.currency),
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

/** Cents cannot be left off: they are the affiliate's. */
function fractionProblems(items: readonly ExportItem[]): Problem[] {
  return items
    .filter(({ amount_cents, currency }) => WHOLE_UNITS.has(currency) && amount_cents % unitOf(currency) !== 0)
    .map(({ payout_id, amount_cents, currency }) => ({
      payout_id,
      code: 'fractional_amount' as const,
      message: `${payout_id}: ${decimalAmount(amount_cents, currency)} ${currency} is no whole amount, and this wallet pays no fractions of it`,
    }));
}

function unitOf(currency: string): number {
  return 10 ** minorUnitDigits(currency);
}
