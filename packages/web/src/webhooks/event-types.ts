import { EVENT_TYPES, type EventType } from '@affiliate/core/browser';
import { t } from '../texts/en/webhooks.ts';

/** Says when each event type is sent. */
const MEANINGS: Record<EventType, string> = {
  'affiliate.created': t.anAffiliateIsCreated,
  'affiliate.approved': t.anAffiliateBecomesActive,
  'referral.created': t.aReferralIsCreated,
  'referral.converted': t.aReferralConverts,
  'commission.created': t.aCommissionIsCreated,
  'commission.due': t.aCommissionBecomesDue,
  'commission.voided': t.aCommissionIsVoided,
  'payout.paid': t.payoutPaid,
  'payout.returned': t.payoutReturned,
};

export const EVENT_TYPE_CHOICES = EVENT_TYPES.map((value) => ({
  value,
  label: value,
  description: t.when({ value: MEANINGS[value] }),
}));
