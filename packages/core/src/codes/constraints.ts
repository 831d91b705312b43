import type { UniqueIndexes } from '../platform/errors/constraints.ts';
import { CODE_REASONS } from './reasons.ts';

/** The errors for violations of the unique indexes of the codes' tables. */
export const CODES_CONSTRAINTS = {
  promo_code_owner: { message: CODE_REASONS.code_assigned_meanwhile },
  affiliate_coupon_one: { message: CODE_REASONS.affiliate_has_coupon },
  promo_code_tracking_token_key: { internal: 'The token is random.' },
} satisfies UniqueIndexes;
