import { z } from 'zod';
import { name, reference } from '../values/provider-object.ts';

/**
 * Reads the promotion codes from the discounts of a checkout or an invoice. An invoice lists only the ids of its discounts unless they are
 * expanded; a checkout contains the promotion code of each discount.
 */
export const discounts = z
  .array(z.union([name, z.object({ promotion_code: reference })]))
  .nullish()
  .transform((list) => promotionCodeIds(list ?? []));

/** Reads `discount`, the predecessor of `discounts`: one discount for the whole invoice. */
export const singleDiscount = z
  .object({ promotion_code: reference })
  .nullish()
  .transform((discount) => promotionCodeIds(discount ? [discount] : []));

function promotionCodeIds(list: (string | { promotion_code: string | null })[]): string[] {
  return list.flatMap((discount) => (typeof discount === 'object' && discount.promotion_code ? [discount.promotion_code] : []));
}
