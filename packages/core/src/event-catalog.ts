import type { z } from 'zod';
import { AffiliateEventData } from './program/affiliates/affiliate.schema.ts';
import { CommissionEventData } from './ledger/commissions/commission.schema.ts';
import { PayoutEventData } from './ledger/payouts/payout.schema.ts';
import { ReferralEventData } from './program/referrals/referral.schema.ts';
import type { EventType } from './webhooks/events/event-types.ts';

/** Schema of `data` of each event (docs/rules/webhooks.md#events). */
export const EVENT_CATALOG = {
  'affiliate.created': AffiliateEventData,
  'affiliate.approved': AffiliateEventData,
  'referral.created': ReferralEventData,
  'referral.converted': ReferralEventData,
  'commission.created': CommissionEventData,
  'commission.due': CommissionEventData,
  'commission.voided': CommissionEventData,
  'payout.paid': PayoutEventData,
  'payout.returned': PayoutEventData,
} as const satisfies Record<EventType, z.ZodObject>;

export type EventData<Type extends EventType> = z.infer<(typeof EVENT_CATALOG)[Type]>;
