/** The bank's outcome of a payment of a file, or of all payments of it. */
export type Outcome = 'booked' | 'rejected' | 'returned';

export interface BankStatement {
  /** A payment, or all payments of a file that have no statement of their own. */
  of: { attempt_id: string } | { export_id: string };
  outcome: Outcome;
  /** Amount of the payment, or of all of them together, if the report names it. */
  amount: { amount_cents: number; currency: string } | null;
  /** Number of payments, in a statement about all of them. */
  count: number | null;
  /** Why a payment was rejected or came back, in words. */
  reason: string | null;
  /** The bank's own word. */
  raw_state: string;
}

/** A report cannot be read as a whole. Nothing of it is applied. */
export class UnreadableReport extends Error {
  override readonly name = 'UnreadableReport';
}
