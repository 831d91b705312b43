import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { cents, instant, merchantData, modeOfAccount, recordColumns, type Row } from '../../platform/db/columns.ts';

export const ATTRIBUTIONS = ['first_click', 'last_click'] as const;

export const Campaign = defineEntity({
  name: 'Campaign',
  tableName: 'campaign',
  properties: {
    ...recordColumns,
    ...modeOfAccount,
    ...merchantData,
    name: p.string(),
    slug: p.string(),
    url: p.string(),
    private: p.boolean(),
    private_tokens: p.boolean(),
    reward_type: p.string().$type<'percent' | 'fixed'>(),
    commission_basis_points: p.integer().strictNullable(),
    commission_amount_cents: cents().strictNullable(),
    commission_amount_currency: p.string().strictNullable(),
    minimum_payout_cents: cents(),
    minimum_payout_currency: p.string(),
    max_commission_period_months: p.integer().strictNullable(),
    max_commissions: p.integer().strictNullable(),
    days_before_referrals_expire: p.integer(),
    days_until_commissions_are_due: p.integer(),
    affiliate_dashboard_text: p.string().strictNullable(),
    custom_reward_description: p.string().strictNullable(),
    welcome_text: p.string().strictNullable(),
    customers_visible_to_affiliates: p.boolean(),
    sale_description_visible_to_affiliates: p.boolean(),
    parameter_type: p.string().$type<'query' | 'hash'>(),
    /** Names of parameters in addresses that carry tokens in addition to `via`, e.g. in links of a former tool. */
    params: p.json<string[]>(),
    psp_coupon_id: p.string().strictNullable(),
    is_default: p.boolean(),
    /** The click of a visitor that earns while none of them has converted: the first or the last one. */
    attribution: p.string().$type<(typeof ATTRIBUTIONS)[number]>(),
    archived_at: instant().strictNullable(),
    /** Time of the last change of the terms or of archival; null if there was none. Earlier terms are rows of `campaign_terms`. */
    terms_changed_at: instant().strictNullable(),
    /** Time at which the campaign got its first reward rule; null if it never had one (docs/rules/rewards.md#versions). */
    rewarded_since: instant().strictNullable(),
  },
});

/** The terms under which affiliates earn commissions. */
export type Campaign = Row<typeof Campaign>;

export function isActive({ archived_at }: Pick<Campaign, 'archived_at'>): boolean {
  return archived_at === null;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    campaign: InferKyselyTable<typeof Campaign>;
  }
}
