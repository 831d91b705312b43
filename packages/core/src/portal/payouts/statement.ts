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
