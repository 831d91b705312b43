/** Why a method cannot pay a payout. */
export type ProblemCode = 'missing_address' | 'unsafe_address' | 'mixed_currencies' | 'fractional_amount' | 'too_many_items';
