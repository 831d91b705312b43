import { z } from 'zod';
import { cents, email, id, instant } from '../api/scalars.ts';
import type { EventType } from './event-types.ts';

const AffiliateEventData = z
  .object({
    id: id('affiliate'),
    email: email(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    state: z.enum(['pending', 'active', 'disabled', 'suspicious', 'rejected']),
    campaign_id: id('campaign'),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'AffiliateEventData' });

const ReferralEventData = z
  .object({
    id: id('referral'),
    affiliate_id: id('affiliate'),
    campaign_id: id('campaign'),
    link_id: id('link').nullable(),
    conversion_state: z.enum(['visitor', 'lead', 'conversion']),
    customer_id: id('customer').nullable(),
    psp_customer_id: z.string().nullable(),
    expires_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'ReferralEventData' });

const received = () =>
  z.string().nullable().optional().describe('When received from the payment provider or the conversion flow.');

const CommissionEventData = z
  .object({
    id: id('commission'),
    state: z.enum(['pending', 'due', 'paid', 'voided']),
    kind: z.enum(['sale', 'adjustment']),
    amount_cents: z.int(),
    currency: z.string(),
    due_at: instant(),
    paid_at: instant().nullable(),
    voided_at: instant().nullable(),
    void_reason: z.string().nullable(),
    review_status: z.enum(['suspicious', 'approved']).nullable(),
    campaign_id: id('campaign'),
    affiliate_id: id('affiliate'),
    referral_id: id('referral'),
    sale_id: id('sale'),
    payout_id: id('payout').nullable(),
    created_at: instant(),
    updated_at: instant(),
    sale_customer_email: received(),
    sale_customer_name: received(),
    sale_customer_first_name: received(),
    sale_customer_last_name: received(),
  })
  .meta({ id: 'CommissionEventData' });

const PayoutEventData = z
  .object({
    id: id('payout'),
    affiliate_id: id('affiliate'),
    state: z.enum(['pending', 'due', 'processing', 'paid']),
    amount_cents: cents(),
    currency: z.string(),
    payment_reference: z.string().nullable(),
    paid_at: instant().nullable(),
    commission_ids: z.array(id('commission')),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'PayoutEventData' });

/** What `data` of each event holds (specification section 6; decisions, "Outbound webhooks"). */
export const EVENT_CATALOG = {
  'affiliate.created': AffiliateEventData,
  'affiliate.approved': AffiliateEventData,
  'referral.created': ReferralEventData,
  'referral.converted': ReferralEventData,
  'commission.created': CommissionEventData,
  'commission.due': CommissionEventData,
  'commission.voided': CommissionEventData,
  'payout.paid': PayoutEventData,
} as const satisfies Record<EventType, z.ZodObject>;

export type EventData<Type extends EventType> = z.infer<(typeof EVENT_CATALOG)[Type]>;
