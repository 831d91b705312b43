import { decimalAmount, minorUnitDigits } from '../../../platform/money/decimal.ts';
import { writeCsv } from '../../../platform/wire/csv.ts';
import { addressProblems, type ExportItem, type FileFormat, type Problem } from './format.ts';

/** Currencies that have a minor unit but that PayPal pays in whole units only. */
const WHOLE_UNITS = new Set(['HUF', 'TWD']);

/**
 * PayPal's Payouts web upload: no header; recipient, amount, currency, customer id (at most 30 characters without spaces, which affiliate
 * ids satisfy), note to the recipient, wallet. One currency per file, at most 5,000 rows (docs/domain-rules.md#export-formats).
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

/** The payouts that are not in the currency of the first one. */
function currencyProblems(items: readonly ExportItem[]): Problem[] {
  return items.flatMap(({ payout_id, currency }) =>
    currency === items[0]?.currency
      ? []
      : [
          {
            payout_id,
            code: 'mixed_currencies' as const,
            message: `${payout_id} is in ${currency}, others are in ${items[0]?.currency}. A file holds one currency only.`,
          },
        ],
  );
}

/** The payouts with a fraction of a unit that PayPal cannot pay. Rounding it away would take money from the affiliate. */
function fractionProblems(items: readonly ExportItem[]): Problem[] {
  return items
    .filter(({ amount_cents, currency }) => WHOLE_UNITS.has(currency) && amount_cents % unitOf(currency) !== 0)
    .map(({ payout_id, amount_cents, currency }) => ({
      payout_id,
      code: 'fractional_amount' as const,
      message: `${payout_id}: this wallet pays ${currency} in whole units only, not ${decimalAmount(amount_cents, currency)}.`,
    }));
}

function unitOf(currency: string): number {
  return 10 ** minorUnitDigits(currency);
}
