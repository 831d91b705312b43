import { writeCsv, writeLongCsv } from '../../platform/wire/csv.ts';

/** One commission in a statement. */
export interface StatementLine {
  commission: string;
  date: string;
  kind: string;
  customer: string;
  description: string;
  amount: string;
}

/** Content of a payout's statement, independent of the file format. */
export interface StatementContent {
  payout: { id: string; state: string; paid_on: string; created_on: string };
  merchant: string;
  affiliate: { name: string; email: string };
  lines: StatementLine[];
  total: string;
  currency: string;
}

const HEADER = ['commission', 'date', 'kind', 'customer', 'description', 'amount', 'currency'];

/** Formats a statement as CSV: one row for each commission, and their sum. */
export async function csvOf({ payout, lines, total, currency }: StatementContent): Promise<string> {
  const rows = await writeLongCsv(lines, (line) => [
    line.commission,
    line.date,
    line.kind,
    line.customer,
    line.description,
    line.amount,
    currency,
  ]);
  return `${writeCsv([HEADER])}${rows}${writeCsv([['', payout.paid_on, 'total', '', payout.state, total, currency]])}`;
}
