import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** The errors for violations of the unique indexes of the codes' tables. */
export const CODES_CONSTRAINTS = {
  promo_code_owner: { message: 'Another request just assigned this promotion code.' },
  affiliate_coupon_one: { message: 'The affiliate already has a coupon.' },
  promo_code_tracking_token_key: { internal: 'The token is random.' },
} satisfies UniqueIndexes;
