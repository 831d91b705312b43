/**
 * The properties of WooCommerce's REST schema (version 3 of its API, as its developer documentation lists them), with their types. WooCommerce publishes no
 * types without the packages of its pages. `?` marks properties that may be null.
 */
const ITEM = 'id integer, total string, total_tax string, taxes array, meta_data array';

const SCHEMAS: Readonly<Record<string, string>> = {
  order: `id integer, parent_id integer, number string, order_key string, created_via string, version string, status string, currency string,
    date_created date, date_created_gmt date, date_modified date, date_modified_gmt date, discount_total string, discount_tax string,
    shipping_total string, shipping_tax string, cart_tax string, total string, total_tax string, prices_include_tax boolean,
    customer_id integer, customer_ip_address string, customer_user_agent string, customer_note string, billing address, shipping object,
    payment_method string, payment_method_title string, transaction_id string, date_paid date?, date_paid_gmt date?, date_completed date?,
    date_completed_gmt date?, cart_hash string, meta_data meta[], line_items line_item[], tax_lines array, shipping_lines shipping_line[],
    fee_lines fee_line[], coupon_lines coupon_line[], refunds order_refund[]`,
  address: `first_name string, last_name string, company string, address_1 string, address_2 string, city string, state string,
    postcode string, country string, email string, phone string`,
  meta: 'id integer, key string, value any',
  line_item: `${ITEM}, name string, product_id integer, variation_id integer, quantity integer, tax_class string, subtotal string,
    subtotal_tax string, sku string, price number`,
  shipping_line: `${ITEM}, method_title string, method_id string, instance_id string`,
  fee_line: `${ITEM}, name string, tax_class string, tax_status string`,
  coupon_line: 'id integer, code string, discount string, discount_tax string, meta_data array',
  order_refund: 'id integer, reason string, total string',
  refund: `id integer, date_created date, date_created_gmt date, amount string, reason string, refunded_by integer, refunded_payment boolean,
    meta_data array, line_items line_item[], shipping_lines shipping_line[], tax_lines array, fee_lines fee_line[]`,
  webhook: `id integer, name string, status string, topic string, resource string, event string, hooks array, delivery_url string,
    date_created date, date_created_gmt date, date_modified date, date_modified_gmt date`,
};

const IS: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null,
  date: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(value),
};

/** Lists the paths at which an object lacks a property of a schema, or has a value of another type. */
export function differences(schema: string, actual: unknown, path = schema): string[] {
  const properties = SCHEMAS[schema]!.split(',').map((property) => property.trim().split(' ') as [string, string]);
  return properties.flatMap(([name, stated]) => {
    const value = (actual as Record<string, unknown>)[name];
    const here = `${path}.${name}`;
    if (value === undefined) return [`${here} is missing`];
    if (stated.endsWith('?') && value === null) return [];
    const type = stated.replace('?', '');
    if (type.endsWith('[]'))
      return (value as unknown[]).flatMap((item, i) => differences(type.slice(0, -2), item, `${here}.${i}`));
    if (type in SCHEMAS) return differences(type, value, here);
    return IS[type]!(value) ? [] : [`${here} is not ${type}`];
  });
}
