/** All event types (docs/rules/webhooks.md#events). */
export const EVENT_TYPES = [
  'affiliate.created',
  'affiliate.approved',
  'referral.created',
  'referral.converted',
  'commission.created',
  'commission.due',
  'commission.voided',
  'payout.paid',
  'payout.returned',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
