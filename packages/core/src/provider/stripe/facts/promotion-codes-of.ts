import { z } from 'zod';
import { name, reference } from '../values/provider-object.ts';

/**
 * The discounts of a checkout or an invoice. An invoice lists their ids unless expanded; a checkout contains the promotion code of each.
 */
export const discounts = z
  .array(z.union([name, z.object({ promotion_code: reference })]))
  .nullish()
  .transform((list) => promotionCodeIds(list ?? []));

/** `discount`, the predecessor of `discounts`: one for the whole invoice. */
export const singleDiscount = z
  .object({ promotion_code: reference })
  .nullish()
  .transform((discount) => promotionCodeIds(discount ? [discount] : []));

function promotionCodeIds(list: (string | { promotion_code: string | null })[]): string[] {
  return list.flatMap((discount) => (typeof discount === 'object' && discount.promotion_code ? [discount.promotion_code] : []));
}
