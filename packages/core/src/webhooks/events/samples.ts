import { type Instant, plusDays } from '../../platform/time/instant.ts';
import type { EventType } from './event-types.ts';

const SUFFIX = '01k9v7m3q8e2t4r6w8y0a1b2c3';
const AFFILIATE_ID = `aff_${SUFFIX}`;
const CAMPAIGN_ID = `camp_${SUFFIX}`;
const REFERRAL_ID = `ref_${SUFFIX}`;
const COMMISSION_ID = `com_${SUFFIX}`;
const PAYOUT_ID = `payout_${SUFFIX}`;

const merchantData = { external_id: 'shop-17', metadata: { tier: 'gold' } };

/** The wire record of an event's subject. */
type SampleData = { id: string } & Record<string, unknown>;

const affiliate = (at: Instant): SampleData => ({
  id: AFFILIATE_ID,
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  state: 'active',
  campaign_id: CAMPAIGN_ID,
  ...merchantData,
  created_at: at,
  updated_at: at,
});

const referral = (at: Instant): SampleData => ({
  id: REFERRAL_ID,
  affiliate_id: AFFILIATE_ID,
  campaign_id: CAMPAIGN_ID,
  link_id: `link_${SUFFIX}`,
  conversion_state: 'visitor',
  customer_id: null,
  psp_customer_id: null,
  expires_at: plusDays(at, 60),
  ...merchantData,
  created_at: at,
  updated_at: at,
});

const commission = (at: Instant): SampleData => ({
  id: COMMISSION_ID,
  state: 'pending',
  kind: 'sale',
  amount_cents: 1_980,
  currency: 'USD',
  livemode: true,
  due_at: plusDays(at, 30),
  paid_at: null,
  voided_at: null,
  void_reason: null,
  review_status: null,
  review_reason: null,
  campaign_id: CAMPAIGN_ID,
  affiliate_id: AFFILIATE_ID,
  referral_id: REFERRAL_ID,
  sale_id: `sale_${SUFFIX}`,
  payout_id: null,
  adjusts_commission_id: null,
  note: null,
  created_by: null,
  ...merchantData,
  created_at: at,
  updated_at: at,
  sale_customer_email: 'grace@example.com',
  sale_customer_name: 'Grace Hopper',
  sale_customer_first_name: 'Grace',
  sale_customer_last_name: 'Hopper',
});

const payout = (at: Instant): SampleData => ({
  id: PAYOUT_ID,
  affiliate_id: AFFILIATE_ID,
  state: 'paid',
  amount_cents: 1_980,
  currency: 'USD',
  livemode: true,
  commissions_count: 1,
  eligible: false,
  ineligible_reasons: [],
  payment_reference: 'PAY-2026-0117',
  paid_at: at,
  returned_at: null,
  return_reason: null,
  ...merchantData,
  commission_ids: [COMMISSION_ID],
  created_at: plusDays(at, -30),
  updated_at: at,
});

const SAMPLES: Record<EventType, (at: Instant) => SampleData> = {
  'affiliate.created': affiliate,
  'affiliate.approved': affiliate,
  'referral.created': referral,
  'referral.converted': (at) => ({
    ...referral(at),
    conversion_state: 'conversion',
    customer_id: `cust_${SUFFIX}`,
    psp_customer_id: 'cus_NffrFeUfNV2Hib',
  }),
  'commission.created': commission,
  'commission.due': (at) => ({ ...commission(at), state: 'due', due_at: at, payout_id: PAYOUT_ID }),
  'commission.voided': (at) => ({ ...commission(at), state: 'voided', voided_at: at, void_reason: 'Order refunded' }),
  'payout.paid': payout,
  'payout.returned': (at) => ({
    ...payout(plusDays(at, -2)),
    state: 'returned',
    returned_at: at,
    return_reason: 'Account closed',
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
