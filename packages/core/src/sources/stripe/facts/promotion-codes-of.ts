import { z } from 'zod';
import type { Redemption } from '../values/provider-event.ts';
import { name, optionalTimestamp, reference } from '../values/provider-object.ts';

/**
 * The discounts of an object. The object lists only the ids of its discounts unless they are expanded, and then the provider has to be
 * queried for the promotion codes.
 */
export interface Discounts {
  promotionCodeIds: string[];
  /** False if the promotion code of a discount is unknown, because only the discount's id is given. */
  known: boolean;
}

/** A discount, expanded or not. The entries of a checkout have no id. */
const discount = z.union([
  name,
  z.object({ id: name.nullish(), promotion_code: reference, start: optionalTimestamp.catch(null) }),
]);

type Discount = z.output<typeof discount>;

/** The discounts of a checkout, an invoice, one of its lines, or a subscription. */
export const discounts = z
  .array(discount)
  .nullish()
  .transform((list) => list ?? []);

/** `discount`, the predecessor of `discounts`: one discount for the whole object. */
export const singleDiscount = discount.nullish().transform((single) => (single ? [single] : []));

/** `total_discount_amounts` of an invoice: all discounts of the invoice, its lines, its subscription and its customer that reduced the amount. */
export const discountAmounts = z
  .array(z.object({ discount }))
  .nullish()
  .transform((list) => (list ?? []).map((entry) => entry.discount));

/** Reads the promotion codes from discounts, of which each may be listed more than once. */
export function readDiscounts(list: readonly Discount[]): Discounts {
  const expanded = list.filter((each) => typeof each === 'object');
  const ids = new Set(expanded.map(({ id }) => id));
  return {
    promotionCodeIds: [...new Set(expanded.flatMap(({ promotion_code }) => promotion_code ?? []))],
    known: list.every((each) => typeof each === 'object' || ids.has(each)),
  };
}

/** Reads the redemptions of promotion codes from the expanded discounts of a customer or a subscription. */
export function readRedemptions(list: readonly Discount[]): Redemption[] {
  return list.flatMap((each) =>
    typeof each === 'object' && each.promotion_code !== null && each.start !== null
      ? [{ promotionCodeId: each.promotion_code, redeemedAt: each.start }]
      : [],
  );
}
