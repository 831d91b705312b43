/** All event types (docs/rules/webhooks.md#events). */
export const EVENT_TYPES = [
  'affiliate.created',
  'affiliate.approved',
  'affiliate.updated',
  'affiliate.tier_changed',
  'campaign.created',
  'campaign.updated',
  'reward_rule.created',
  'reward_rule.updated',
  'tier.created',
  'tier.updated',
  'link.created',
  'link.updated',
  'promo_code.created',
  'promo_code.updated',
  'referral.created',
  'referral.converted',
  'referral.updated',
  'customer.created',
  'customer.updated',
  'customer.merged',
  'sale.recorded',
  'sale.refunded',
  'sale.updated',
  'commission.created',
  'commission.due',
  'commission.paid',
  'commission.voided',
  'commission.updated',
  'payout.created',
  'payout.updated',
  'payout.merged',
  'payout.paid',
  'payout.returned',
  'payout.failed',
  'payout_method.created',
  'payout_method.updated',
  'payout_run.finished',
  'payout_export.paid',
  'import.completed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The kinds of records that events are about. */
type EventSubject<Type = EventType> = Type extends `${infer Subject}.${string}` ? Subject : never;

/** Patterns that stand for several event types, those of later versions included: all, or all of a kind of record. */
type EventPattern = '*' | `${EventSubject}.*`;

/** The subscriptions that an endpoint may have. */
export type EventSubscription = EventType | EventPattern;

export const EVENT_SUBSCRIPTIONS: readonly [EventSubscription, ...EventSubscription[]] = [
  '*',
  ...new Set(EVENT_TYPES.map(allOfSubject)),
  ...EVENT_TYPES,
];

/** Returns the event types that a subscription stands for, in their declared order. */
export function typesOf(subscription: EventSubscription): EventType[] {
  return EVENT_TYPES.filter((type) => subscription === '*' || subscription === type || subscription === allOfSubject(type));
}

function allOfSubject<Type extends EventType>(type: Type): `${EventSubject<Type>}.*` {
  return `${type.slice(0, type.indexOf('.')) as EventSubject<Type>}.*`;
}

/** Version of the contract that the body of an event follows (docs/rules/webhooks.md#events). */
export const EVENT_API_VERSION = 'v1';
