import { EVENT_SUBSCRIPTIONS, type EventSubscription } from '@affiliate/core/browser';
import { t } from '../texts/webhooks.ts';

/** Says when each event type is sent, or what a pattern stands for. */
const MEANINGS: Record<EventSubscription, string> = {
  '*': t.allEvents,
  'affiliate.*': t.allAffiliateEvents,
  'referral.*': t.allReferralEvents,
  'commission.*': t.allCommissionEvents,
  'payout.*': t.allPayoutEvents,
  'affiliate.created': t.when({ value: t.anAffiliateIsCreated }),
  'affiliate.approved': t.when({ value: t.anAffiliateBecomesActive }),
  'referral.created': t.when({ value: t.aReferralIsCreated }),
  'referral.converted': t.when({ value: t.aReferralConverts }),
  'commission.created': t.when({ value: t.aCommissionIsCreated }),
  'commission.due': t.when({ value: t.aCommissionBecomesDue }),
  'commission.voided': t.when({ value: t.aCommissionIsVoided }),
  'payout.paid': t.when({ value: t.payoutPaid }),
  'payout.returned': t.when({ value: t.payoutReturned }),
};

export const SUBSCRIPTION_CHOICES = EVENT_SUBSCRIPTIONS.map((value) => ({ value, label: value, description: MEANINGS[value] }));
