/** Drizzle declaration of the part of the service's schema that the benchmark's requests use. */
import { relations } from 'drizzle-orm';
import { bigint, boolean, customType, date, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const instant = () => timestamp({ withTimezone: true, precision: 3 });
const cents = () => bigint({ mode: 'number' });
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

const recordColumns = {
  id: text().primaryKey(),
  account_id: text().notNull(),
  created_at: instant().notNull(),
  updated_at: instant().notNull(),
};

export const apiKey = pgTable('api_key', {
  id: text().primaryKey(),
  account_id: text().notNull(),
  secret_hash: text().notNull(),
});

export const campaign = pgTable('campaign', {
  ...recordColumns,
  name: text().notNull(),
  slug: text().notNull(),
  url: text().notNull(),
  private: boolean().notNull(),
  private_tokens: boolean().notNull(),
  reward_type: text().notNull(),
  commission_basis_points: integer(),
  commission_amount_cents: cents(),
  commission_amount_currency: text(),
  minimum_payout_cents: cents().notNull(),
  minimum_payout_currency: text().notNull(),
  max_commission_period_months: integer(),
  max_commissions: integer(),
  days_before_referrals_expire: integer().notNull(),
  days_until_commissions_are_due: integer().notNull(),
  affiliate_dashboard_text: text(),
  custom_reward_description: text(),
  welcome_text: text(),
  customers_visible_to_affiliates: boolean().notNull(),
  sale_description_visible_to_affiliates: boolean().notNull(),
  parameter_type: text().notNull(),
  psp_coupon_id: text(),
  is_default: boolean().notNull(),
  attribution: text().notNull(),
  archived_at: instant(),
});

export const affiliate = pgTable('affiliate', {
  ...recordColumns,
  campaign_id: text().notNull(),
  email: text().notNull(),
  first_name: text(),
  last_name: text(),
  state: text().notNull(),
  walleta_email: text(),
  walletb_email: text(),
  external_id: text(),
  psp_customer_id: text(),
  payouts_held_until: instant(),
  archived_at: instant(),
});

export const link = pgTable('link', {
  ...recordColumns,
  affiliate_id: text().notNull(),
  campaign_id: text().notNull(),
  url: text().notNull(),
  token: text().notNull(),
  archived_at: instant(),
});

export const customer = pgTable('customer', {
  ...recordColumns,
  email: text(),
  name: text(),
  first_name: text(),
  last_name: text(),
  psp_customer_id: text(),
});

export const referral = pgTable('referral', {
  ...recordColumns,
  affiliate_id: text().notNull(),
  campaign_id: text().notNull(),
  link_id: text(),
  customer_id: text(),
  conversion_state: text().notNull(),
  expires_at: instant(),
});

export const sale = pgTable('sale', {
  ...recordColumns,
  referral_id: text(),
  affiliate_id: text(),
  customer_id: text(),
  external_id: text(),
  named_referral_id: text(),
  psp_charge_id: text(),
  psp_invoice_id: text(),
  psp_payment_intent_id: text(),
  promo_code: text(),
  charge_amount_cents: cents().notNull(),
  tax_amount_cents: cents().notNull(),
  refund_amount_cents: cents().notNull(),
  currency: text().notNull(),
  description: text(),
  charged_at: instant().notNull(),
});

export const commission = pgTable('commission', {
  ...recordColumns,
  campaign_id: text().notNull(),
  affiliate_id: text().notNull(),
  referral_id: text(),
  sale_id: text(),
  adjusts_commission_id: text(),
  kind: text().notNull(),
  state: text().notNull(),
  amount_cents: cents().notNull(),
  currency: text().notNull(),
  livemode: boolean().notNull().default(true),
  basis_points: integer(),
  due_at: instant().notNull(),
  paid_at: instant(),
  voided_at: instant(),
  void_reason: text(),
  review_status: text(),
  review_reason: text(),
  note: text(),
  created_by: text(),
});

export const payoutItem = pgTable('payout_item', {
  commission_id: text().primaryKey(),
  payout_id: text().notNull(),
});

export const event = pgTable('event', {
  id: text().primaryKey(),
  account_id: text().notNull(),
  sequence: bigint({ mode: 'number' }).notNull(),
  type: text().notNull(),
  subject_id: text().notNull(),
  body: text().notNull(),
  occurred_at: instant().notNull(),
});

export const webhookEndpoint = pgTable('webhook_endpoint', {
  id: text().primaryKey(),
  account_id: text().notNull(),
  event_types: text().array().notNull(),
  active: boolean().notNull(),
  deleted_at: instant(),
});

export const webhookDelivery = pgTable('webhook_delivery', {
  id: text().primaryKey(),
  account_id: text().notNull(),
  endpoint_id: text().notNull(),
  event_id: text().notNull(),
  next_attempt_at: instant(),
  created_at: instant().notNull(),
});

export const linkClicks = pgTable(
  'link_clicks',
  { link_id: text().notNull(), day: date().notNull(), account_id: text().notNull(), clicks: integer().notNull() },
  (table) => [primaryKey({ columns: [table.link_id, table.day] })],
);

export const click = pgTable('click', {
  day: date().notNull(),
  at: instant().notNull(),
  account_id: text().notNull(),
  link_id: text().notNull(),
  affiliate_id: text().notNull(),
  campaign_id: text().notNull(),
  referral_id: text(),
  rule: text(),
  visitor_key: bytes().notNull(),
  is_unique: boolean().notNull(),
});

const linkRelations = relations(link, ({ one }) => ({
  campaign: one(campaign, { fields: [link.campaign_id], references: [campaign.id] }),
  affiliate: one(affiliate, { fields: [link.affiliate_id], references: [affiliate.id] }),
}));

const referralRelations = relations(referral, ({ one }) => ({
  campaign: one(campaign, { fields: [referral.campaign_id], references: [campaign.id] }),
  affiliate: one(affiliate, { fields: [referral.affiliate_id], references: [affiliate.id] }),
  customer: one(customer, { fields: [referral.customer_id], references: [customer.id] }),
}));

const saleRelations = relations(sale, ({ one }) => ({
  referral: one(referral, { fields: [sale.referral_id], references: [referral.id] }),
  affiliate: one(affiliate, { fields: [sale.affiliate_id], references: [affiliate.id] }),
}));

const commissionRelations = relations(commission, ({ one }) => ({
  campaign: one(campaign, { fields: [commission.campaign_id], references: [campaign.id] }),
  sale: one(sale, { fields: [commission.sale_id], references: [sale.id] }),
  item: one(payoutItem, { fields: [commission.id], references: [payoutItem.commission_id] }),
}));

export const schema = {
  apiKey,
  campaign,
  affiliate,
  link,
  customer,
  referral,
  sale,
  commission,
  payoutItem,
  event,
  webhookEndpoint,
  webhookDelivery,
  linkClicks,
  click,
  linkRelations,
  referralRelations,
  saleRelations,
  commissionRelations,
};
