import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { findTargets, target } from '../../platform/call/reference.ts';
import { jsonLiteral } from '../../platform/db/json-text.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import type { Customer } from '../../program/customers/customer.entity.ts';
import { CUSTOMER } from '../../program/customers/customer.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { type AnnouncedRecord, CREATED } from '../../webhooks/events/announced-record.ts';
import { IS_LIVE_SALE, isLive, Sale, SALE_AMOUNT_CENTS, saleAmountCents } from './sale.entity.ts';
import { AffiliateOfSale, ReferralOfSale, SaleEventData, SaleRecord } from './sale.schema.ts';
import { NAME_COLUMNS, WIRE_NAMES_JSON, wireNames } from './wire-names.ts';

const REFERRAL_RECORD = wireRecord(Referral, ReferralOfSale);
const REFERRAL = target(
  Referral,
  REFERRAL_RECORD.columns,
  { customer: { column: 'customer_id', to: CUSTOMER } },
  ({ customer, ...referral }) => REFERRAL_RECORD.of(referral, { psp_customer_id: customer?.psp_customer_id ?? null, customer }),
);

const AFFILIATE_RECORD = wireRecord(Affiliate, AffiliateOfSale);
const AFFILIATE = target(Affiliate, AFFILIATE_RECORD.columns, {}, (affiliate) => AFFILIATE_RECORD.of(affiliate));

const RECORD = wireRecord(Sale, SaleRecord);

/** Columns that a sale does not show, but from which fields are computed. */
export const UNSHOWN_COLUMNS = ['credit_note_refund_cents', 'credit_note_tax_cents', ...NAME_COLUMNS] as const;

/** The records that every sale shows. */
export const PARTIES = {
  referral: { column: 'referral_id', to: REFERRAL },
  affiliate: { column: 'affiliate_id', to: AFFILIATE },
} as const;

/** A sale as it appears in other records, with its referral, customer and affiliate. */
export const SALE = target(Sale, [...RECORD.columns, ...UNSHOWN_COLUMNS], PARTIES, (sale): SaleRecord => {
  const { referral, affiliate } = sale;
  const computed = { ...wireNames(sale), sale_amount_cents: saleAmountCents(sale), referral, affiliate };
  return RECORD.of({ ...sale, livemode: isLive(sale) }, computed);
});

/** The records that a sale shows: those of its referral and affiliate, and the customer of the referral. */
export interface PartiesOfSale {
  referral: Referral | null;
  affiliate: Affiliate | null;
  customer: Customer | null;
}

/** Like `getSale`, for a sale that is already loaded with its parties. */
export function saleRecord(sale: Sale, { referral, affiliate, customer }: PartiesOfSale): SaleRecord {
  return SALE.record({
    ...sale,
    referral: referral && REFERRAL.record({ ...referral, customer: customer && CUSTOMER.record(customer) }),
    affiliate: affiliate && AFFILIATE.record(affiliate),
  });
}

/** Returns one sale. Throws NOT_FOUND. */
export async function getSale(ctx: Ctx, id: string): Promise<SaleRecord> {
  return foundOrThrow((await findTargets(ctx, SALE, [id])).get(id), 'sale');
}

const EVENT_DATA = wireRecord(Sale, SaleEventData);
/** Responses show the mode of every sale (`isLive`). */
const PLAIN_COLUMNS = EVENT_DATA.qualified.filter((column) => column !== 'sale.livemode');

/** Refunds of the sale have grown, or the sale is recorded with refunds. */
const REFUNDED = sql<boolean>`(record.refund_amount_cents > case when ${CREATED} then 0
  else coalesce((change.previous ->> 'refund_amount_cents')::bigint, record.refund_amount_cents) end)`;

export const ANNOUNCED_SALE: AnnouncedRecord = {
  table: Sale.meta.tableName,
  // `sale_amount_cents` depends on the tax of refunds, too.
  columns: [...EVENT_DATA.columns, 'credit_note_refund_cents', 'credit_note_tax_cents', ...NAME_COLUMNS],
  record: () => sql`
    select ${sql.join(PLAIN_COLUMNS.map((column) => sql.ref(column)))}, sale.account_id, sale.names, sale.name_of_group,
      ${IS_LIVE_SALE} as livemode, ${SALE_AMOUNT_CENTS} as sale_amount_cents
    from sale where sale.id = change.id`,
  data: EVENT_DATA.json('record', { ...WIRE_NAMES_JSON, sale_amount_cents: jsonLiteral(sql`record.sale_amount_cents`) }),
  types: [
    ['sale.recorded', CREATED],
    ['sale.refunded', REFUNDED],
  ],
  updated: 'sale.updated',
};
