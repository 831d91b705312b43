/** Why a method cannot pay a payout. */
export const PROBLEM_CODES = [
  'method_paused',
  'missing_address',
  'unsafe_address',
  'unsupported_address',
  'unsupported_currency',
  'mixed_currencies',
  'fractional_amount',
  'unsupported_amount',
  'below_minimum',
  'fee_exceeds_amount',
  'too_many_items',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];
