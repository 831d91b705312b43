import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { type ColumnType, sql } from 'kysely';
import { cents, instant, merchantData, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { CommissionState } from '../../platform/wire/states.ts';
import type { LineNote, Pay } from '../../rewards/worth/rule.ts';

export const COMMISSION_KINDS = ['sale', 'bonus', 'lead', 'milestone', 'adjustment', 'manual', 'imported'] as const;
export type CommissionKind = (typeof COMMISSION_KINDS)[number];
export const REVIEW_STATUSES = ['suspicious', 'approved'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];
/** Reasons why the service flags a commission automatically. */
export const REVIEW_REASONS = [
  'self_referral',
  'possible_duplicate',
  'tax_currency',
  'crowded_network',
  'unproven_lead',
  'unverified_address',
  'suspicious_affiliate',
  'unpaid_lead',
  'dispute',
] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

/** The amount that a claimed or paid reward would have by the facts that are known now. */
export interface ContestedReward {
  /** The affiliate to whom the sale of a bonus or the customer of a lead belongs. Null if nobody would earn, or the same affiliate another amount. */
  affiliate_id: string | null;
  /** In the currency of the commission. */
  amount_cents: number;
  /** Set if a person has decided that the reward stands, as long as the facts stay the same. */
  kept?: true;
}

export const Commission = defineEntity({
  name: 'Commission',
  tableName: 'commission',
  properties: {
    ...recordColumns,
    ...merchantData,
    campaign_id: p.string(),
    affiliate_id: p.string(),
    /** Null on a manual commission, a milestone and their adjustments. A lead has no sale. */
    referral_id: p.string().strictNullable(),
    sale_id: p.string().strictNullable(),
    /** On an adjustment: the commission that it corrects. */
    adjusts_commission_id: p.string().strictNullable(),
    kind: p.string().$type<CommissionKind>(),
    state: p.string().$type<CommissionState>(),
    amount_cents: cents(),
    currency: p.string(),
    /** False for a sale of the payment provider’s test mode, and for its adjustments (docs/rules/platform.md#modes). */
    livemode: p.boolean(),
    /**
     * The percentage at which the commission was earned, in basis points. Later changes of the campaign have no effect on it. Null for a
     * fixed amount, and on adjustments and manual commissions.
     */
    basis_points: p.integer().strictNullable(),
    /** Amount of an imported commission when it was imported, after the refunds until then. Null on other kinds. */
    imported_cents: cents().strictNullable(),
    /**
     * Currency of the sale when reward rules decided about its lines. The terms of the lines are then rows of `commission_line`, and
     * `basis_points` is null. Null if the base reward alone decided.
     */
    lines_currency: p.string().strictNullable(),
    /** The reward rule that pays a bonus, a lead or a milestone, and on their adjustments. Null on other kinds. */
    rule_id: p.string().strictNullable(),
    /** On a milestone: the time from which its sales count, and how often the rule’s amount is paid. */
    milestone_since: instant().strictNullable(),
    milestone_times: p.integer().strictNullable(),
    /** On a milestone: time of the charge that reaches it, from which the due date follows. */
    reached_at: instant().strictNullable(),
    /** On a claimed or paid bonus, reward for a lead or milestone: set if by the facts that are known now another amount or nothing would be earned. */
    contested: p.json<ContestedReward>().strictNullable(),
    due_at: instant(),
    /** True if a person has set the due date. Facts then do not change it. */
    due_by_hand: p.boolean(),
    paid_at: instant().strictNullable(),
    voided_at: instant().strictNullable(),
    void_reason: p.string().strictNullable(),
    /** True if a full refund, not the merchant, voided the commission. If that refund fails, an adjustment gives the amount back. */
    voided_by_refund: p.boolean(),
    /** True if a person voided the commission. False on commissions that were voided before this column existed. */
    voided_by_hand: p.boolean(),
    /**
     * True if a late fact gave the sale to another referral, or to none. The commission then no longer counts as the commission of the sale
     * (docs/rules/attribution.md#order-of-facts).
     */
    superseded: p.boolean(),
    review_status: p.string().$type<ReviewStatus>().strictNullable(),
    /** Why the service flagged the commission. Null if the service did not flag it. */
    review_reason: p.string().$type<ReviewReason>().strictNullable(),
    /** Purpose of a manual commission. Null on other kinds. */
    note: p.string().strictNullable(),
    /** Id of the user, API key or connector that created a manual commission. Null on other kinds. */
    created_by: p.string().strictNullable(),
  },
});

/**
 * An amount that an affiliate earned from a sale (kind `sale`), on top of it (`bonus`), for a lead (`lead`) or a milestone (`milestone`), that
 * corrects a claimed or paid commission (`adjustment`), that the merchant entered (`manual`), or that another tool has decided (`imported`).
 */
export type Commission = Row<typeof Commission>;

/** True for the commission of a sale, earned here or imported. A sale has at most one that is not superseded. */
export function isOfSale({ kind }: Pick<Commission, 'kind'>): boolean {
  return kind === 'sale' || kind === 'imported';
}

/** SQL equivalent of `isOfSale` for a row of `commission`. */
export const IS_OF_SALE = sql<boolean>`(commission.kind in ('sale', 'imported'))`;

export function isUnpaid({ state }: Pick<Commission, 'state'>): boolean {
  return state === 'pending' || state === 'due';
}

/**
 * True if the commission is a paid bonus, reward for a lead or milestone that facts contradict, and no person has decided that it stands
 * (docs/rules/rewards.md#paid-rewards).
 */
export function isContested({ state, contested }: Pick<Commission, 'state' | 'contested'>): boolean {
  return state === 'paid' && contested !== null && contested.kept === undefined;
}

/** SQL equivalent of `isContested` for a row of `commission`. */
export const IS_CONTESTED = sql<boolean>`(
  commission.contested is not null and commission.contested -> 'kept' is null and commission.state = 'paid')`;

export function isFlagged({ review_status }: Pick<Commission, 'review_status'>): boolean {
  return review_status === 'suspicious';
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    commission: InferKyselyTable<typeof Commission>;
    commission_line: CommissionLineTable;
  }
}

/** The earnings of a line of a sale for a commission: the frozen terms, and their amount for the sale as it is now. */
interface CommissionLineTable {
  commission_id: string;
  /** Place of the line in the sale, counted from 0. */
  line: number;
  account_id: string;
  /** Null if the base reward decided. */
  rule_id: string | null;
  rule_version: number | null;
  pay: ColumnType<Pay, string, never>;
  quantity: number;
  at_most_cents: number | null;
  note: LineNote | null;
  base_cents: number;
  /** The amounts of all lines add up to the total that is owed for the commission and its adjustments. */
  cents: number;
}
