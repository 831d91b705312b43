import { decimalAmount } from '../../../platform/money/money.ts';
import { csvFile } from '../../port/csv-file.ts';
import { EmailAddress, emailFor, emailProblems } from '../../port/email-address.ts';
import { withinDays, wordsOfService } from '../../port/method-words.ts';
import { type Method, nameOf, type PayoutItem } from '../../port/method.ts';

const KIND = 'wise';

const HEADER = [
  'name',
  'recipientEmail',
  'paymentReference',
  'receiverType',
  'amountCurrency',
  'amount',
  'sourceCurrency',
  'targetCurrency',
];
/**
 * Length of a payment reference: the shortest limit that Wise has for any currency. The reference is the end of the payout id, because that
 * part of the id is random.
 */
const REFERENCE_LENGTH = 10;

/** Returns the reference of a payment for its receiver. */
export function referenceAtWise({ payout_id }: Pick<PayoutItem, 'payout_id'>): string {
  return payout_id.slice(-REFERENCE_LENGTH);
}

/** Wise's batch upload "send by email": any currencies, at most 1,000 rows (docs/rules/payouts.md#export-formats). */
export const WISE: Method = {
  kind: KIND,
  words: wordsOfService('Wise', withinDays(2)),
  addressSchema: EmailAddress,
  currencies: null,
  limits: { items: 1_000 },
  problems: (items) => emailProblems(KIND, 'Wise', items),
  file: csvFile({
    header: HEADER,
    rowOf: (item) => [
      nameOf(item),
      emailFor(KIND, item),
      referenceAtWise(item),
      'PERSON',
      'target',
      decimalAmount(item.amount_cents, item.currency),
      item.currency,
      item.currency,
    ],
  }),
};
