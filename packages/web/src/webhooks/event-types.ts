import { EVENT_SUBSCRIPTIONS, type EventSubscription } from '@affiliate/core/browser';
import { t } from '../texts/webhooks.ts';

/** Says when each event type is sent, or what a pattern stands for. */
const MEANINGS: Record<EventSubscription, string> = {
  '*': t.allEvents,
  'affiliate.*': t.allAffiliateEvents,
  'referral.*': t.allReferralEvents,
  'customer.*': t.allCustomerEvents,
  'sale.*': t.allSaleEvents,
  'commission.*': t.allCommissionEvents,
  'payout.*': t.allPayoutEvents,
  'payout_run.*': t.allPayoutRunEvents,
  'payout_export.*': t.allPayoutExportEvents,
  'affiliate.created': t.when({ value: t.anAffiliateIsCreated }),
  'affiliate.approved': t.when({ value: t.anAffiliateBecomesActive }),
  'affiliate.updated': t.when({ value: t.anAffiliateChanges }),
  'affiliate.tier_changed': t.when({ value: t.anAffiliateHasOtherTiers }),
  'referral.created': t.when({ value: t.aReferralIsCreated }),
  'referral.converted': t.when({ value: t.aReferralConverts }),
  'referral.updated': t.when({ value: t.aReferralChanges }),
  'customer.created': t.when({ value: t.aCustomerIsCreated }),
  'customer.updated': t.when({ value: t.aCustomerChanges }),
  'customer.merged': t.when({ value: t.aCustomerIsMerged }),
  'sale.recorded': t.when({ value: t.aSaleIsRecorded }),
  'sale.refunded': t.when({ value: t.aSaleIsRefunded }),
  'sale.updated': t.when({ value: t.aSaleChanges }),
  'commission.created': t.when({ value: t.aCommissionIsCreated }),
  'commission.due': t.when({ value: t.aCommissionBecomesDue }),
  'commission.voided': t.when({ value: t.aCommissionIsVoided }),
  'commission.updated': t.when({ value: t.aCommissionChanges }),
  'payout.created': t.when({ value: t.aPayoutIsCreated }),
  'payout.updated': t.when({ value: t.aPayoutChanges }),
  'payout.merged': t.when({ value: t.aPayoutIsMerged }),
  'payout.paid': t.when({ value: t.payoutPaid }),
  'payout.returned': t.when({ value: t.payoutReturned }),
  'payout.failed': t.when({ value: t.aPaymentIsRefused }),
  'payout_method.created': t.when({ value: t.aPayoutMethodIsAdded }),
  'payout_method.updated': t.when({ value: t.aPayoutMethodChanges }),
  'payout_run.finished': t.when({ value: t.payoutRunFinished }),
  'payout_export.paid': t.when({ value: t.payoutExportPaid }),
};

export const SUBSCRIPTION_CHOICES = EVENT_SUBSCRIPTIONS.map((value) => ({ value, label: value, description: MEANINGS[value] }));
