/** The parts of WooCommerce's objects that this service reads. Amounts are decimal texts in the unit of the currency. */
import { z } from 'zod';
import { currency, decimal, text, time } from '../port/provider-values.ts';

const id = z.int().min(0).transform(String);
/** Times in GMT have no time zone in their text. */
const gmt = z
  .string()
  .transform((value) => (/[zZ]$/.test(value) ? value : `${value}Z`))
  .pipe(time);

const Amounts = { total: decimal, total_tax: decimal };
/** Lines of a refund have negative amounts. */
const Lines = {
  line_items: z.array(z.object({ id, product_id: id, variation_id: id, name: text, quantity: z.number(), ...Amounts })),
  shipping_lines: z.array(z.object({ id, ...Amounts })),
  fee_lines: z.array(z.object({ id, name: text, ...Amounts })),
};

/** The part of an order by which a change of it is recognized. */
export const OrderState = z.looseObject({
  id,
  status: z.string().max(100),
  total: decimal,
  date_modified_gmt: gmt,
  refunds: z.array(z.object({ id, total: decimal })),
  customer_id: id,
  billing: z.object({ email: text }).nullish(),
});
export type OrderState = z.infer<typeof OrderState>;

export const Order = z.object({
  ...Lines,
  id,
  status: z.string(),
  currency,
  total: decimal,
  date_created_gmt: gmt,
  date_modified_gmt: gmt,
  date_paid_gmt: gmt.nullish(),
  created_via: text,
  /** `0` for a guest. */
  customer_id: id,
  billing: z.object({ email: text, first_name: text, last_name: text }),
  coupon_lines: z.array(z.object({ code: text })),
  refunds: z.array(z.object({ id })),
  meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })),
});
export type Order = z.infer<typeof Order>;

export const Refund = z.object({ ...Lines, id, amount: decimal, date_created_gmt: gmt });
export type Refund = z.infer<typeof Refund>;

export const Webhook = z.object({
  id,
  name: z.string(),
  status: z.string(),
  topic: z.string(),
  delivery_url: z.string(),
});

export const Index = z.object({ name: text });
export const CurrentCurrency = z.object({ code: currency });
