import { type Instant, plusDays } from '../../platform/time/instant.ts';
import type { EventType } from './event-types.ts';

const SUFFIX = '01k9v7m3q8e2t4r6w8y0a1b2c3';
/** Suffix of the id of a record that exists before another one. */
const OTHER_SUFFIX = '01k9v7m3q8e2t4r6w8y0a1b2c2';
const AFFILIATE_ID = `aff_${SUFFIX}`;
const CAMPAIGN_ID = `camp_${SUFFIX}`;
const REFERRAL_ID = `ref_${SUFFIX}`;
const COMMISSION_ID = `com_${SUFFIX}`;
const CUSTOMER_ID = `cust_${SUFFIX}`;
const SALE_ID = `sale_${SUFFIX}`;
const PAYOUT_ID = `payout_${SUFFIX}`;

/** The fields that every record has. */
const record = (id: string, at: Instant) => ({ id, livemode: true, created_at: at, updated_at: at });

const merchantData = { external_id: 'shop-17', metadata: { tier: 'gold' } };

/** The wire record of an event's subject. */
type SampleData = { id: string } & Record<string, unknown>;

const affiliate = (at: Instant): SampleData => ({
  ...record(AFFILIATE_ID, at),
  email: 'ada@example.com',
  campaign_id: CAMPAIGN_ID,
  first_name: 'Ada',
  last_name: 'Lovelace',
  state: 'active',
  ...merchantData,
  psp_customer_id: null,
  payouts_held_until: null,
  archived_at: null,
  erased_at: null,
});

const referral = (at: Instant): SampleData => ({
  ...record(REFERRAL_ID, at),
  affiliate_id: AFFILIATE_ID,
  campaign_id: CAMPAIGN_ID,
  link_id: `link_${SUFFIX}`,
  conversion_state: 'visitor',
  customer_id: null,
  psp_customer_id: null,
  converted_at: null,
  expires_at: plusDays(at, 60),
  deactivated_at: null,
  ...merchantData,
});

const conversion = (at: Instant): SampleData => ({
  ...referral(plusDays(at, -1)),
  conversion_state: 'conversion',
  customer_id: CUSTOMER_ID,
  psp_customer_id: 'cus_NffrFeUfNV2Hib',
  converted_at: at,
  updated_at: at,
});

const customer = (at: Instant): SampleData => ({
  ...record(CUSTOMER_ID, at),
  email: 'grace@example.com',
  name: 'Grace Hopper',
  first_name: 'Grace',
  last_name: 'Hopper',
  psp_customer_id: 'cus_NffrFeUfNV2Hib',
  ...merchantData,
  erased_at: null,
  trial_until: null,
});

const sale = (at: Instant): SampleData => ({
  ...record(SALE_ID, at),
  external_id: 'order-1042',
  metadata: {},
  psp_charge_id: null,
  psp_invoice_id: null,
  psp_payment_intent_id: null,
  promo_code: null,
  charge_amount_cents: 23_562,
  tax_amount_cents: 3_762,
  refund_amount_cents: 0,
  sale_amount_cents: 19_800,
  currency: 'USD',
  description: 'Annual plan',
  paid_outside: null,
  charged_at: at,
  referral_id: REFERRAL_ID,
  affiliate_id: AFFILIATE_ID,
  customer_id: CUSTOMER_ID,
  no_commission_reason: null,
});

const commission = (at: Instant): SampleData => ({
  ...record(COMMISSION_ID, at),
  state: 'pending',
  kind: 'sale',
  amount_cents: 1_980,
  currency: 'USD',
  due_at: plusDays(at, 30),
  paid_at: null,
  voided_at: null,
  void_reason: null,
  review_status: null,
  review_reason: null,
  campaign_id: CAMPAIGN_ID,
  affiliate_id: AFFILIATE_ID,
  referral_id: REFERRAL_ID,
  sale_id: SALE_ID,
  payout_id: null,
  adjusts_commission_id: null,
  rule_id: null,
  note: null,
  created_by: null,
  ...merchantData,
  sale_customer_email: 'grace@example.com',
  sale_customer_name: 'Grace Hopper',
  sale_customer_first_name: 'Grace',
  sale_customer_last_name: 'Hopper',
});

const openPayout = (at: Instant): SampleData => ({
  ...record(PAYOUT_ID, at),
  affiliate_id: AFFILIATE_ID,
  state: 'due',
  amount_cents: 1_980,
  currency: 'USD',
  commissions_count: 1,
  eligible: true,
  ineligible_reasons: [],
  payment_reference: null,
  paid_at: null,
  returned_at: null,
  return_reason: null,
  ...merchantData,
});

const payment = { method: 'paypal', fee_cents: 25, fee_currency: 'USD', affiliate_fee_cents: 0, returned_cents: null };

const paidPayout = (at: Instant): SampleData => ({
  ...openPayout(plusDays(at, -30)),
  state: 'paid',
  eligible: false,
  payment_reference: 'PAY-2026-0117',
  paid_at: at,
  payment,
  commission_ids: [COMMISSION_ID],
  updated_at: at,
});

const run = (at: Instant): SampleData => ({
  ...record(`prun_${SUFFIX}`, at),
  state: 'completed',
  idempotency_key: 'november',
  affiliate_ids: null,
  payment_reference: 'PAY-2026-0117',
  items_total: 1,
  items_done: 1,
  totals: [
    {
      currency: 'USD',
      items_count: 1,
      amount_cents: 1_980,
      planned_cents: 0,
      paid_cents: 1_980,
      returned_cents: 0,
      failed_cents: 0,
      excluded_cents: 0,
      canceled_cents: 0,
    },
  ],
  issues: [],
  executed_at: at,
  completed_at: at,
  canceled_at: null,
});

const payoutExport = (at: Instant): SampleData => ({
  id: `pexp_${SUFFIX}`,
  state: 'paid',
  export_format: 'csv',
  livemode: true,
  notes: null,
  payouts_count: 1,
  totals: [{ currency: 'USD', payouts_count: 1, amount_cents: 1_980 }],
  payment_reference: 'PAY-2026-0117',
  paid_at: at,
  paid_count: 1,
  returned_count: 0,
  released_at: null,
  created_at: plusDays(at, -1),
  updated_at: at,
});

const payoutMethod = (at: Instant) => ({
  ...record(`pmth_${SUFFIX}`, at),
  affiliate_id: AFFILIATE_ID,
  kind: 'paypal',
  state: 'confirmed',
  hint: 'a…@example.com',
  since: at,
  retired_at: null,
});

const campaign = (at: Instant) => ({
  ...record(CAMPAIGN_ID, at),
  name: 'Friends of the shop',
  slug: 'friends-of-the-shop',
  url: 'https://shop.example.com',
  private: false,
  private_tokens: false,
  reward_type: 'percent',
  commission_percent: 12.5,
  commission_amount_cents: null,
  commission_amount_currency: null,
  minimum_payout_cents: 5_000,
  minimum_payout_currency: 'USD',
  max_commission_period_months: null,
  max_commissions: null,
  days_before_referrals_expire: 60,
  days_until_commissions_are_due: 30,
  affiliate_dashboard_text: null,
  custom_reward_description: null,
  welcome_text: null,
  customers_visible_to_affiliates: false,
  sale_description_visible_to_affiliates: true,
  attribution: 'first_click',
  parameter_type: 'query',
  params: [],
  psp_coupon_id: null,
  default: true,
  ...merchantData,
  archived_at: null,
});

const rewardRule = (at: Instant) => ({
  ...record(`rule_${SUFFIX}`, at),
  campaign_id: CAMPAIGN_ID,
  affiliate_id: null,
  link_id: null,
  event: 'sale',
  name: 'First year',
  position: 1,
  when: { age_months: { to: 12 } },
  pay: { percent: 30 },
  apply: 'instead',
  cap: null,
  milestone: null,
  hold_days: null,
  from: null,
  until: null,
  version: 1,
  changed_at: at,
  ended_at: null,
});

const tier = (at: Instant) => ({
  ...record(`tier_${SUFFIX}`, at),
  campaign_id: CAMPAIGN_ID,
  name: 'Gold',
  metric: 'customers',
  window: 'month',
  from: 10,
  currency: null,
  ended_at: null,
});

const link = (at: Instant) => ({
  ...record(`link_${SUFFIX}`, at),
  affiliate_id: AFFILIATE_ID,
  campaign_id: CAMPAIGN_ID,
  url: 'https://shop.example.com',
  token: 'ada',
  former_token: null,
  ...merchantData,
  archived_at: null,
});

const promoCode = (at: Instant) => ({
  ...record(`pc_${SUFFIX}`, at),
  affiliate_id: AFFILIATE_ID,
  campaign_id: CAMPAIGN_ID,
  psp_promotion_code_id: 'promo_1MiM6KLkdIwHu7ixrIaX4wgn',
  psp_coupon_id: 'jMT0WJUD',
  code: 'ADA10',
  tracking_token: 'ptk_5f0c1a527f0e4f0c9d3c0a7a',
  status: 'active',
  observation: null,
  observed_at: at,
  stopped_at: null,
});

const SAMPLES: Record<EventType, (at: Instant) => SampleData> = {
  'affiliate.created': affiliate,
  'affiliate.approved': affiliate,
  'affiliate.updated': affiliate,
  'affiliate.tier_changed': (at) => ({
    ...affiliate(plusDays(at, -30)),
    tier_campaign_id: CAMPAIGN_ID,
    tiers: [
      { id: `tier_${OTHER_SUFFIX}`, name: 'Silver' },
      { id: `tier_${SUFFIX}`, name: 'Gold' },
    ],
    previous_tiers: [{ id: `tier_${OTHER_SUFFIX}`, name: 'Silver' }],
  }),
  'campaign.created': campaign,
  'campaign.updated': (at) => ({ ...campaign(plusDays(at, -1)), commission_percent: 15, updated_at: at }),
  'reward_rule.created': rewardRule,
  'reward_rule.updated': (at) => ({ ...rewardRule(plusDays(at, -1)), ended_at: at, updated_at: at }),
  'tier.created': tier,
  'tier.updated': (at) => ({ ...tier(plusDays(at, -1)), name: 'Platinum', updated_at: at }),
  'link.created': link,
  'link.updated': (at) => ({ ...link(plusDays(at, -1)), archived_at: at, updated_at: at }),
  'promo_code.created': promoCode,
  'promo_code.updated': (at) => ({ ...promoCode(plusDays(at, -1)), status: 'inactive', updated_at: at }),
  'referral.created': referral,
  'referral.converted': conversion,
  'referral.updated': (at) => ({
    ...referral(plusDays(at, -1)),
    conversion_state: 'lead',
    customer_id: CUSTOMER_ID,
    updated_at: at,
  }),
  'customer.created': customer,
  'customer.updated': customer,
  'customer.merged': (at) => ({ ...customer(at), merged_into: `cust_${OTHER_SUFFIX}` }),
  'sale.recorded': sale,
  'sale.refunded': (at) => ({
    ...sale(plusDays(at, -1)),
    refund_amount_cents: 23_562,
    sale_amount_cents: 0,
    updated_at: at,
  }),
  'sale.updated': (at) => ({ ...sale(plusDays(at, -1)), description: 'Annual plan, corrected', updated_at: at }),
  'commission.created': commission,
  'commission.due': (at) => ({ ...commission(at), state: 'due', due_at: at, payout_id: PAYOUT_ID }),
  'commission.paid': (at) => ({
    ...commission(plusDays(at, -1)),
    state: 'paid',
    paid_at: at,
    payout_id: PAYOUT_ID,
    updated_at: at,
  }),
  'commission.voided': (at) => ({ ...commission(at), state: 'voided', voided_at: at, void_reason: 'Order refunded' }),
  'commission.updated': (at) => ({ ...commission(plusDays(at, -1)), review_status: 'approved', updated_at: at }),
  'payout.created': openPayout,
  'payout.updated': (at) => ({ ...openPayout(plusDays(at, -1)), amount_cents: 4_480, commissions_count: 2, updated_at: at }),
  'payout.merged': (at) => ({ ...openPayout(at), state: 'pending', eligible: false, merged_into: `payout_${OTHER_SUFFIX}` }),
  'payout.paid': paidPayout,
  'payout.returned': (at) => ({
    ...paidPayout(plusDays(at, -2)),
    state: 'returned',
    returned_at: at,
    return_reason: 'Account closed',
    payment: { ...payment, returned_cents: 1_980 },
    updated_at: at,
  }),
  'payout.failed': (at) => ({
    ...openPayout(plusDays(at, -1)),
    updated_at: at,
    payment: { ...payment, fee_cents: null, fee_currency: null },
    reason: 'The account of the receiver is closed.',
  }),
  'payout_method.created': payoutMethod,
  'payout_method.updated': (at) => ({ ...payoutMethod(plusDays(at, -1)), state: 'held', since: at, updated_at: at }),
  'payout_run.finished': run,
  'payout_export.paid': payoutExport,
  'import.completed': (at) => ({
    id: `imp_${SUFFIX}`,
    livemode: true,
    source: 'rewardful',
    state: 'done',
    files: [],
    campaign_id: null,
    counts: [{ kind: 'affiliate', outcome: 'new', count: 40, done: 40 }],
    currency: 'USD',
    totals: [{ kind: 'commission', currency: 'USD', state: 'due', count: 12, source_cents: 48_000, here_cents: 48_000 }],
    progress: null,
    expected_count: 40,
    failure: null,
    failure_detail: null,
    resume_at: null,
    read_at: at,
    done_at: at,
    created_at: at,
    updated_at: at,
  }),
};

/**
 * Returns sample `data` of an event of this type. The data matches the schema in the event catalog, and its ids do not
 * belong to existing records.
 */
export function sampleEventData(type: EventType, at: Instant): SampleData {
  return SAMPLES[type](at);
}
