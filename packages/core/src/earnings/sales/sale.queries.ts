import { foundOrThrow } from '../../platform/call/records.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { findTargets, target } from '../../platform/call/reference.ts';
import { CUSTOMER } from '../../program/customers/customer.queries.ts';
import { saleAmountCents } from './sale-amount.ts';
import type { SaleRecord } from './sale.schema.ts';

const REFERRAL = target(
  'referral',
  ['id', 'conversion_state'],
  { customer: { column: 'customer_id', to: CUSTOMER } },
  ({ customer, ...referral }) => ({ ...referral, psp_customer_id: customer?.psp_customer_id ?? null, customer }),
);

const AFFILIATE = target('affiliate', ['id', 'email', 'first_name', 'last_name'], {}, (affiliate) => affiliate);

/** A sale as other records show it, with its referral, its customer, and its affiliate. */
export const SALE = target(
  'sale',
  [
    'id',
    'external_id',
    'psp_charge_id',
    'psp_invoice_id',
    'psp_payment_intent_id',
    'promo_code',
    'charge_amount_cents',
    'tax_amount_cents',
    'refund_amount_cents',
    'refunds_taken_from_net',
    'currency',
    'description',
    'charged_at',
    'referral_id',
    'affiliate_id',
    'customer_id',
    'created_at',
    'updated_at',
  ],
  { referral: { column: 'referral_id', to: REFERRAL }, affiliate: { column: 'affiliate_id', to: AFFILIATE } },
  ({ refunds_taken_from_net, ...sale }): SaleRecord => ({
    ...sale,
    sale_amount_cents: saleAmountCents({ ...sale, refunds_taken_from_net }),
  }),
);

/** One sale. Throws NOT_FOUND. */
export async function getSale({ db }: Ctx, id: string): Promise<SaleRecord> {
  return foundOrThrow((await findTargets(db, SALE, [id])).get(id), 'sale');
}
