import { decimalAmount, minorUnitDigits } from '../../../platform/money/money.ts';
import { csvFile } from '../../port/csv-file.ts';
import { EmailAddress, emailFor, emailProblems } from '../../port/email-address.ts';
import { wordsOfService } from '../../port/method-words.ts';
import { type Method, noteOf, type PayoutItem, type Problem } from '../../port/method.ts';
import { PAYOUT_REASONS } from '../../port/reasons.ts';

const KIND = 'paypal';

/** Currencies that PayPal pays. */
const CURRENCIES = `AUD BRL CAD CNY CZK DKK EUR HKD HUF ILS JPY MYR MXN NOK NZD PHP PLN GBP SGD SEK CHF THB TWD USD`.split(' ');

/** Currencies that PayPal pays in whole units only, although they have a minor unit. */
const WHOLE_UNITS = new Set(['HUF', 'TWD']);

/**
 * PayPal's Payouts web upload, a file without a header. The columns are recipient, amount, currency, customer id, note to the recipient, and the kind of
 * account. A customer id has at most 30 characters and no spaces, so affiliate ids can be used. One currency per file, at most 5,000 rows
 * (docs/rules/payouts.md#export-formats).
 */
export const PAYPAL: Method = {
  kind: KIND,
  words: wordsOfService('PayPal', { en: 'within minutes', de: 'in wenigen Minuten' }),
  addressSchema: EmailAddress,
  currencies: new Set(CURRENCIES),
  unitOf: unitAtPayPal,
  limits: { items: 5_000 },
  problems: (items) => [...emailProblems(KIND, 'PayPal', items), ...currencyProblems(items)],
  file: csvFile({
    header: null,
    rowOf: (item) => [emailFor(KIND, item), amountAtPayPal(item), item.currency, item.affiliate_id, noteOf(item), 'PAYPAL'],
  }),
};

/** Formats an amount as PayPal takes it: HUF and TWD as whole numbers. */
export function amountAtPayPal({ amount_cents, currency }: Pick<PayoutItem, 'amount_cents' | 'currency'>): string {
  return WHOLE_UNITS.has(currency) ? String(amount_cents / unitAtPayPal(currency)) : decimalAmount(amount_cents, currency);
}

/** Returns the smallest amount that PayPal pays in a currency, in cents. */
export function unitAtPayPal(currency: string): number {
  return WHOLE_UNITS.has(currency) ? 10 ** minorUnitDigits(currency) : 1;
}

/** Returns a problem for each payout whose currency differs from that of the first payout. */
function currencyProblems(items: readonly PayoutItem[]): Problem[] {
  const [first] = items;
  return items.flatMap(({ payout_id, currency }): Problem[] =>
    first === undefined || currency === first.currency
      ? []
      : [
          {
            payout_id,
            code: 'mixed_currencies',
            message: PAYOUT_REASONS.several_currencies({ payout: payout_id, currency, other: first.currency }),
          },
        ],
  );
}
