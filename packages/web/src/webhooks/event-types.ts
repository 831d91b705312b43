import { EVENT_TYPES, type EventType } from '@affiliate/core/browser';

/** When each event occurs. */
const MEANINGS: Record<EventType, string> = {
  'affiliate.created': 'an affiliate is created',
  'affiliate.approved': 'an affiliate becomes active',
  'referral.created': 'a referral is created',
  'referral.converted': 'a referral converts',
  'commission.created': 'a commission is created',
  'commission.due': 'a commission becomes due',
  'commission.voided': 'a commission is voided',
  'payout.paid': 'a payout is marked as paid',
  'payout.returned': 'the transfer of a paid payout is returned',
};

export const EVENT_TYPE_CHOICES = EVENT_TYPES.map((value) => ({ value, label: value, description: `When ${MEANINGS[value]}` }));
