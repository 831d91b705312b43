import type { CommissionKind } from '../../ledger/commissions/commission.entity.ts';
import type { PlainPayout } from '../../ledger/payouts/payout.schema.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { BYTE_ORDER_MARK, writeCsv } from '../../platform/wire/csv-line.ts';
import { writeLongCsv } from '../../platform/wire/csv.ts';

/** One commission in a statement. */
export interface StatementLine {
  commission: string;
  sale: string;
  date: string;
  kind: CommissionKind;
  customer: string;
  description: string;
  /** Link or code. */
  source: string;
  /** Amount of the sale without tax, before refunds, in `base_currency`. */
  gross: string;
  /** Amount of the sale that counts, without tax and refunds, in `base_currency`. */
  base: string;
  base_currency: string;
  /** Percent of the base, if the campaign pays one. */
  rate: string;
  explanation: string;
  amount: string;
}

/** Content of a payout's statement, independent of the file format. */
export interface StatementContent {
  language: Language;
  payout: { id: string; state: PlainPayout['state']; paid_on: string; created_on: string };
  /** How the payout is or was paid, in words. Empty for an open payout. */
  payment: string;
  /** Fee that is taken from the payment. Empty if there is none. */
  fee: string;
  /** First and last day of the commissions. Empty without commissions. */
  period: { from: string; until: string };
  merchant: { name: string; details: string };
  affiliate: { name: string; email: string; details: string };
  lines: StatementLine[];
  total: string;
  currency: string;
}

/** Columns of the CSV: the names are the same in every language, because programs read them. */
const COLUMNS = [
  'commission',
  'sale',
  'date',
  'kind',
  'customer',
  'description',
  'source',
  'gross',
  'base',
  'base_currency',
  'rate',
  'explanation',
  'amount',
] as const;

/** Formats a statement as CSV: one row for each commission. */
export async function csvOf({ payout, fee, lines, currency }: StatementContent): Promise<string> {
  const ends = [currency, payout.id, payout.state, payout.paid_on, fee];
  const rows = await writeLongCsv(lines, (line) => [...COLUMNS.map((column) => line[column]), ...ends]);
  return `${BYTE_ORDER_MARK}${writeCsv([[...COLUMNS, 'currency', 'payout', 'payout_state', 'paid_on', 'payout_fee']])}${rows}`;
}
