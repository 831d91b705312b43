import { texts } from '../catalogue.ts';

/** Says when each email to affiliates is sent. The keys are the emails' names in the API. */
export const t = texts('mail-occasions', {
  application_approved: 'An application is approved.',
  application_received: 'An applicant has confirmed their email address, and the application awaits a decision.',
  application_rejected: 'An application is rejected.',
  commission_digest: 'An affiliate has earned commissions. Sent daily or weekly, as the affiliate has chosen.',
  email_changed_by_merchant:
    'Your team or one of your systems has changed an affiliate’s email address. Sent to the previous address.',
  payout_details_changed: 'An affiliate has changed where payouts are sent. Also sent to the previous address.',
  payout_details_changed_by_merchant:
    'Your team or one of your systems has changed where an affiliate is paid. Also sent to the previous addresses.',
  payout_details_missing: 'A payout could be paid, but the affiliate has not entered payout details. Sent once for each payout.',
  payout_paid: 'A payout is paid.',
  terms_changed: 'A new version of the terms is published.',
});
