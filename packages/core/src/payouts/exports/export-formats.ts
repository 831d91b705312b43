export const EXPORT_FORMATS = ['csv', 'walleta', 'walletb'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Reasons why a file cannot pay a payout. */
export const PROBLEM_CODES = [
  'missing_wallet_address',
  'unsafe_wallet_address',
  'mixed_currencies',
  'fractional_amount',
  'too_many_rows',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];
