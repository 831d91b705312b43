import { decimalAmount } from '../../../platform/money/money.ts';
import { writeCsv } from '../../../platform/wire/csv.ts';
import { addressProblems, type ExportItem, type FileFormat } from './format.ts';

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

/** File format of Wise's batch upload "send by email": any currencies, at most 1,000 rows (docs/rules/payouts.md#export-formats). */
export const walletbFile: FileFormat = {
  maxRows: 1_000,
  problems: (items) => addressProblems(items, 'walletb_email'),
  render: (items) =>
    writeCsv([
      HEADER,
      ...items.map((item) => [
        nameOf(item),
        item.walletb_email ?? '',
        item.payout_id.slice(-REFERENCE_LENGTH),
        'PERSON',
        'target',
        decimalAmount(item.amount_cents, item.currency),
        item.currency,
        item.currency,
      ]),
    ]),
};

/** Returns the affiliate's name, or the email address if the affiliate has no name. */
function nameOf({ first_name, last_name, email }: ExportItem): string {
  const name = [first_name, last_name].filter((part) => part !== null && part.trim() !== '').join(' ');
  return name === '' ? email : name;
}
