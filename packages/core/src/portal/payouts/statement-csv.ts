import { writeCsv } from '../../platform/wire/csv.ts';
import type { StatementContent } from './statement.ts';

const HEADER = ['commission', 'date', 'kind', 'customer', 'description', 'amount', 'currency'];

/** Formats a statement as CSV: one row for each commission, and their sum. */
export function csvOf({ payout, lines, total, currency }: StatementContent): string {
  return writeCsv([
    HEADER,
    ...lines.map((line) => [line.commission, line.date, line.kind, line.customer, line.description, line.amount, currency]),
    ['', payout.paid_on, 'total', '', payout.state, total, currency],
  ]);
}
