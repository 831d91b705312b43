import { z } from 'zod';
import { name, reference } from '../values/provider-object.ts';

/**
 * The discounts of a checkout or an invoice. An invoice names them by id alone unless expanded; a checkout says of each
 * which promotion code it came from.
 */
export const discounts = z
  .array(z.union([name, z.object({ promotion_code: reference })]))
  .nullish()
  .transform((list) => promotionCodeIds(list ?? []));

/** `discount` before `discounts`: one for the whole invoice. */
export const singleDiscount = z
  .object({ promotion_code: reference })
  .nullish()
  .transform((discount) => promotionCodeIds(discount ? [discount] : []));

function promotionCodeIds(list: (string | { promotion_code: string | null })[]): string[] {
  return list.flatMap((discount) => (typeof discount === 'object' && discount.promotion_code ? [discount.promotion_code] : []));
}
