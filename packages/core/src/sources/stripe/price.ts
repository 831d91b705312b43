import { z } from 'zod';
import type { ProviderPrice } from '../port/capabilities.ts';
import { toMinorUnit } from './values/minor-unit.ts';
import { currency, name, optionalAmount, text } from './values/provider-object.ts';

/** The product of a price: its id, or the object where the provider expanded it. A deleted product has no name. */
const product = z.union([name.transform((id) => ({ id, name: null })), z.object({ id: name, name: text })]);

export const priceSchema = z
  .object({
    id: name,
    active: z.boolean(),
    nickname: text,
    product,
    currency,
    unit_amount: optionalAmount,
    recurring: z.object({ interval: z.enum(['day', 'week', 'month', 'year']) }).nullish(),
  })
  .transform((price): ProviderPrice => ({
    id: price.id,
    name: price.nickname,
    product: price.product.id,
    productName: price.product.name,
    interval: price.recurring?.interval ?? 'one_time',
    unitCents: price.unit_amount === null ? null : toMinorUnit(price.unit_amount, price.currency),
    currency: price.currency,
    isActive: price.active,
  }));
