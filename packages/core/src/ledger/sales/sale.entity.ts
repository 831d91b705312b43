import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { type ColumnType, sql } from 'kysely';
import { cents, instant, merchantData, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { Line } from '../../rewards/worth/evaluate.ts';
import type { DisputeSeen, PaymentWay, RefundSeen } from '../../sources/port/seen.ts';

/** Reasons why a sale with a referral earned no commission. */
export const UNMET_CONDITIONS = [
  'before_visit',
  'referral_expired',
  'referral_deactivated',
  'affiliate_inactive',
  'campaign_archived',
  'max_commissions_reached',
  'commission_period_over',
  'nothing_to_earn',
  'excluded',
  'shadow',
] as const;

/** Reasons why a sale earned no commission. */
export const NO_COMMISSION_REASONS = ['no_referral', ...UNMET_CONDITIONS] as const;
export type NoCommissionReason = (typeof NO_COMMISSION_REASONS)[number];

/** A campaign's limits on the commissions of one referral. Null means no limit. */
export interface SaleLimits {
  maxCommissions: number | null;
  periodMonths: number | null;
}

/** The earner of a sale whose commission is paid, if the facts that are known now decided (docs/rules/attribution.md#paid-commissions). */
export interface ContestedSale {
  /** Null if nobody would earn. */
  affiliate_id: string | null;
  /** Why nobody would earn; null if an affiliate would. */
  reason: NoCommissionReason | null;
  /** Amount that the affiliate who was paid would earn, in the currency of the commission. Null if somebody else or nobody would earn. */
  amount_cents: number | null;
  /** Set if a person has decided that the payment stands, as long as the facts stay the same. */
  kept?: true;
}

/** The values of a merchant's report by which a later report with the same `external_id` is compared. The address is in lower case. */
export interface SaleReport {
  amount_cents: number;
  tax_amount_cents: number;
  /** Not compared, because the amount leaves it out. */
  shipping_amount_cents: number;
  currency: string;
  customer_email: string | null;
  psp_customer_id: string | null;
  external_customer_id: string | null;
  /** Time of the charge according to the report, or the time of the report. It is not compared. */
  charged_at: Instant;
  /** The `external_id` of a second report of the payment, which named the affiliate or the customer that the first one left out. */
  second_external_id?: string;
}

/** The merchant's decision about a payment outside the payment provider: it counts, or nobody earns from it. */
export const PAID_OUTSIDE = ['counted', 'excluded'] as const;
export type PaidOutside = (typeof PAID_OUTSIDE)[number];

export const Sale = defineEntity({
  name: 'Sale',
  tableName: 'sale',
  properties: {
    ...recordColumns,
    ...merchantData,
    referral_id: p.string().strictNullable(),
    affiliate_id: p.string().strictNullable(),
    customer_id: p.string().strictNullable(),
    /** The merchant's own id for the sale. A second report with the same id changes nothing. */
    /**
     * The values that the merchant reported, which may differ from the provider's amounts. Null on sales that the merchant did not report or that are
     * older than this column.
     */
    report: p.json<SaleReport>().strictNullable(),
    /** The referral that the merchant named for this sale. It earns even if the charge came before the visit. */
    named_referral_id: p.string().strictNullable(),
    /** The referral to which a person assigned the sale. Facts do not move the sale away from it. */
    assigned_referral_id: p.string().strictNullable(),
    /** The connection that told the payment. Null if only the merchant reported it. */
    connection_id: p.string().strictNullable(),
    /** Names of the payment alone, in alphabetical order, each with its kind in front. PostgreSQL keeps `payment_name` the same. */
    names: p.array(),
    /** Name of the invoice or order that the payment pays, perhaps with other payments. */
    name_of_group: p.string().strictNullable(),
    promo_code: p.string().strictNullable(),
    psp_promotion_code_id: p.string().strictNullable(),
    livemode: p.boolean().strictNullable(),
    charge_amount_cents: cents(),
    tax_amount_cents: cents(),
    /** Sum of all refunds so far. */
    refund_amount_cents: cents(),
    /** Sum of the refunds for which a credit note states the tax. `credit_note_tax_cents` is that tax (docs/rules/ledger.md#tax-of-refunds). */
    credit_note_refund_cents: cents(),
    credit_note_tax_cents: cents(),
    /** True while a dispute of the charge is open. The commission is then flagged (docs/rules/ledger.md#disputes). */
    disputed: p.boolean(),
    /** True if the provider reported a tax in another currency than the charge, which was ignored (docs/rules/ledger.md#sales). */
    tax_ignored: p.boolean(),
    currency: p.string(),
    description: p.string().strictNullable(),
    no_commission_reason: p.string().$type<NoCommissionReason>().strictNullable(),
    charged_at: instant(),
    /** The limits of the campaign at the time of the attribution. Null on sales that are not attributed yet. */
    limits: p.json<SaleLimits>().strictNullable(),
    /**
     * Time at which a person had the sale decided again, by the states and terms of that time. Null if those of the charge decide.
     */
    reconsidered_at: instant().strictNullable(),
    /** Time of the charge for which the commission was decided, if the provider has reported another time since. Null if there is nothing to correct. */
    redated_from: instant().strictNullable(),
    /** True if the merchant wants nobody to earn from this sale (docs/rules/attribution.md#excluded-sales). */
    excluded: p.boolean(),
    paid_outside: p.string().$type<PaidOutside>().strictNullable(),
    /** The sale that has the payment, if this sale is another report of the same payment. The amounts of this sale are then zero. */
    repeats_sale_id: p.string().strictNullable(),
    /**
     * Sum of the refunds of other reports of the same payment that may be the refunds that count, or may be further ones
     * (docs/rules/intake.md#refunds-of-a-repeated-report). Null if there is no doubt.
     */
    uncounted_refund_cents: cents().strictNullable(),
    /** Set if by facts that arrived after the payment of the commission, another affiliate, nobody or another amount would be earned. */
    contested: p.json<ContestedSale>().strictNullable(),
    /** True if the lines of the sale are known. They are rows of `sale_line`. */
    itemized: p.boolean(),
    /** Time at which the sale was imported with its commission. Facts then decide nothing about it but refunds. Null on other sales. */
    imported_at: instant().strictNullable(),
    /** Sum of the refunds from before the import, which the imported amount of the commission takes into account. */
    imported_refund_cents: cents().strictNullable(),
  },
});

/** A charge that a customer paid. */
export type Sale = Row<typeof Sale>;

/** True if the merchant wants nobody to earn from the sale. */
export function isExcluded({ excluded, paid_outside }: Pick<Sale, 'excluded' | 'paid_outside'>): boolean {
  return excluded || paid_outside === 'excluded';
}

/** True if another tool has decided what the sale earns (docs/rules/imports.md#imported-commissions). */
export function isImported({ imported_at }: Pick<Sale, 'imported_at'>): boolean {
  return imported_at !== null;
}

/** SQL equivalent of `isImported` for a row of `sale`. */
export const IS_IMPORTED_SALE = sql<boolean>`(sale.imported_at is not null)`;

/** Returns the time whose states and terms decide about a sale (docs/rules/attribution.md#history). */
export function decidedBy({ charged_at, reconsidered_at }: Pick<Sale, 'charged_at' | 'reconsidered_at'>): Instant {
  return reconsidered_at ?? charged_at;
}

/** A line of a sale, with the sum of the refunds that name it. The amounts of the lines add up to the amount of the sale at its charge. */
interface SaleLineTable extends Omit<Line, 'name' | 'recorded_cents'> {
  sale_id: string;
  /** Place of the line in the sale, counted from 0. */
  line: number;
  account_id: string;
  name: string | null;
  refunded_cents: number;
  /** Share of the line in the amount of the sale, which corrections divide. Null if it is `net_cents`. */
  recorded_cents: number | null;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    sale: InferKyselyTable<typeof Sale>;
    sale_line: SaleLineTable;
    payment_name: PaymentNameTable;
    payment: PaymentTable;
  }
}

/** Names of the payments of sales. Triggers of `sale` write the rows. */
interface PaymentNameTable {
  account_id: string;
  connection_id: string | null;
  name: string;
  /** True for the name of an invoice or order, which several payments may pay. */
  of_group: boolean;
  sale_id: string;
}

/** The last snapshot that a source told of the payment of a sale. */
interface PaymentTable {
  sale_id: string;
  account_id: string;
  /** A snapshot with a smaller version is older (`PaymentSeen`). */
  version: string;
  livemode: boolean;
  currency: string;
  /** Names of the payment alone, also those that another sale has. */
  names: string[];
  /** `Payer` of the payment, as decisions read it. */
  payer: ColumnType<{ ids: string[]; emails: string[]; references: string[] }, string, string>;
  /** References that name neither a referral nor a link. */
  stray_references: string[];
  /** Ids of the redeemed promotion codes. */
  codes: string[];
  way: PaymentWay | null;
  refunds: ColumnType<RefundSeen[], string, string>;
  disputes: ColumnType<DisputeSeen[], string, string>;
  updated_at: Instant;
}

/** True for a live sale (docs/rules/platform.md#modes). `livemode` is null on a sale that only the merchant has reported. Such a sale is live. */
export function isLive({ livemode }: { livemode: boolean | null }): boolean {
  return livemode !== false;
}

/** SQL equivalent of `isLive` for a row of `sale`. */
export const IS_LIVE_SALE = sql<boolean>`(sale.livemode is distinct from false)`;

/** The known mode of a sale: a test sale, a live sale that only the merchant has reported, or another live sale. */
export const SALE_KINDS = { test: 0, merchant: 1, provider: 2 } as const;
export type SaleKind = (typeof SALE_KINDS)[keyof typeof SALE_KINDS];

export function kindOfSale({ livemode, external_id }: Pick<Sale, 'livemode' | 'external_id'>): SaleKind {
  if (livemode === false) return SALE_KINDS.test;
  return livemode === null && external_id !== null ? SALE_KINDS.merchant : SALE_KINDS.provider;
}

/** True if the amounts of a sale come from the payment provider. */
export function isReportedByProvider(sale: Pick<Sale, 'livemode' | 'external_id'>): boolean {
  return sale.livemode !== null || sale.external_id === null;
}

/** SQL equivalent of `kindOfSale` for a row of `sale`. The index `sale_customer` contains the same expression. */
export const KIND_OF_SALE = sql<SaleKind>`(case when sale.livemode is false then 0 when sale.livemode is null and sale.external_id is not null then 1 else 2 end)`;

/**
 * Returns the amount of a sale in cents (docs/rules/ledger.md#sales). Large amounts lose no precision. Refunds are deducted in two steps.
 * First, a refund whose tax a credit note states is deducted as stated: the refund from the charge, and its tax from the tax. Every other
 * refund contains an unknown share of the tax. These refunds therefore reduce the remaining net amount by the same fraction as the remaining
 * charge: `net − round_half_away(net × refunded ÷ charge)`, where `net` and `charge` are the amounts after the first step, and `refunded`
 * is the sum of the other refunds.
 *
 * Tax and refunds never exceed the charge, so the amount is never negative, and a full refund leaves 0.
 */
export function saleAmountCents(sale: {
  charge_amount_cents: number;
  tax_amount_cents: number;
  refund_amount_cents: number;
  credit_note_refund_cents: number;
  credit_note_tax_cents: number;
}): number {
  if (sale.charge_amount_cents <= sale.credit_note_refund_cents) return 0;
  const charge = BigInt(sale.charge_amount_cents - sale.credit_note_refund_cents);
  const net = charge - BigInt(sale.tax_amount_cents - sale.credit_note_tax_cents);
  const taken = (2n * net * BigInt(sale.refund_amount_cents - sale.credit_note_refund_cents) + charge) / (2n * charge);
  return Number(net - taken);
}

const CHARGE = sql`(sale.charge_amount_cents - sale.credit_note_refund_cents)`;
const NET = sql`(${CHARGE} - sale.tax_amount_cents + sale.credit_note_tax_cents)`;

/** SQL equivalent of `saleAmountCents` for a row of `sale`. Computed in `numeric`, because the product may exceed 64 bits. */
export const SALE_AMOUNT_CENTS = sql<number>`(
  case when sale.charge_amount_cents <= sale.credit_note_refund_cents then 0 else
    ${NET} - div(
      2::numeric * ${NET} * (sale.refund_amount_cents - sale.credit_note_refund_cents) + ${CHARGE},
      2::numeric * ${CHARGE})
  end)::bigint`;

type PurchaseColumns = Pick<
  Sale,
  'charge_amount_cents' | 'tax_amount_cents' | 'excluded' | 'paid_outside' | 'no_commission_reason'
>;

/**
 * True for a purchase of a customer (docs/rules/rewards.md#reward-rules): the customer paid something for the sale besides its tax, and the sale is not
 * excluded. Refunds make no difference.
 */
export function isPurchase(sale: PurchaseColumns): boolean {
  return isCharged(sale) && !isExcluded(sale) && sale.no_commission_reason !== 'excluded';
}

/** True if the customer paid something for the sale besides its tax. */
export function isCharged({
  charge_amount_cents,
  tax_amount_cents,
}: Pick<Sale, 'charge_amount_cents' | 'tax_amount_cents'>): boolean {
  return charge_amount_cents > tax_amount_cents;
}

/** SQL equivalent of `isPurchase` for a row of `sale`. */
export const IS_PURCHASE = sql<boolean>`(
  sale.charge_amount_cents > sale.tax_amount_cents and not sale.excluded and sale.paid_outside is distinct from 'excluded'
  and sale.no_commission_reason is distinct from 'excluded')`;

/**
 * SQL condition: a row of `sale` counts as a sale in reports: something was charged. Excluded sales and refunded ones count, but not a sale of nothing,
 * e.g. one that repeats the payment of another (docs/rules/reports.md#reports).
 */
export const IS_SOLD = sql<boolean>`(sale.charge_amount_cents > 0)`;
