import { foundOrThrow } from '../../platform/call/records.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { findTargets, pickColumns, target } from '../../platform/call/reference.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import type { Customer } from '../../program/customers/customer.entity.ts';
import { CUSTOMER, CUSTOMER_COLUMNS } from '../../program/customers/customer.queries.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { Sale } from './sale.entity.ts';
import { saleAmountCents } from './sale-amount.ts';
import type { SaleRecord } from './sale.schema.ts';

const REFERRAL = target(
  Referral,
  ['id', 'conversion_state'],
  { customer: { column: 'customer_id', to: CUSTOMER } },
  ({ customer, ...referral }) => ({ ...referral, psp_customer_id: customer?.psp_customer_id ?? null, customer }),
);

const AFFILIATE = target(Affiliate, ['id', 'email', 'first_name', 'last_name'], {}, (affiliate) => affiliate);

const COLUMNS = [
  'id',
  'external_id',
  'psp_charge_id',
  'psp_invoice_id',
  'psp_payment_intent_id',
  'promo_code',
  'charge_amount_cents',
  'tax_amount_cents',
  'refund_amount_cents',
  'noted_refund_cents',
  'noted_tax_cents',
  'currency',
  'description',
  'charged_at',
  'referral_id',
  'affiliate_id',
  'customer_id',
  'created_at',
  'updated_at',
] as const;

/** A sale as it appears in other records, with its referral, customer and affiliate. */
export const SALE = target(
  Sale,
  COLUMNS,
  { referral: { column: 'referral_id', to: REFERRAL }, affiliate: { column: 'affiliate_id', to: AFFILIATE } },
  ({ noted_refund_cents, noted_tax_cents, ...sale }): SaleRecord => ({
    ...sale,
    sale_amount_cents: saleAmountCents({ ...sale, noted_refund_cents, noted_tax_cents }),
  }),
);

/** The records that a sale shows: those of its referral and affiliate, and the customer of the referral. */
export interface PartiesOfSale {
  referral: Referral | null;
  affiliate: Affiliate | null;
  customer: Customer | null;
}

/** Like `getSale`, for a sale that is already loaded with its parties. */
export function saleRecord(sale: Sale, { referral, affiliate, customer }: PartiesOfSale): SaleRecord {
  return SALE.record({
    ...pickColumns(sale, COLUMNS),
    referral:
      referral &&
      REFERRAL.record({
        ...pickColumns(referral, ['id', 'conversion_state']),
        customer: customer && pickColumns(customer, CUSTOMER_COLUMNS),
      }),
    affiliate: affiliate && pickColumns(affiliate, ['id', 'email', 'first_name', 'last_name']),
  });
}

/** Returns one sale. Throws NOT_FOUND. */
export async function getSale({ db }: Ctx, id: string): Promise<SaleRecord> {
  return foundOrThrow((await findTargets(db, SALE, [id])).get(id), 'sale');
}
