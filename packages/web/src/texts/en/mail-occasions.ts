import { texts } from '../catalogue.ts';

/** Says when each mail to affiliates is sent. The keys are the mails' names in the API. */
export const t = texts('mail-occasions', {
  application_approved: 'An application is approved.',
  application_received: 'An applicant has confirmed the address, and the application waits.',
  application_rejected: 'An application is rejected.',
  commission_digest: 'A day or a week with commissions is over, as the affiliate has chosen.',
  email_changed_by_merchant:
    'Your team or a program of yours has changed the address of an affiliate. The former address gets it.',
  payout_details_changed: 'An affiliate has changed where payouts are sent. The former address gets it, too.',
  payout_details_changed_by_merchant:
    'Your team or a program of yours has changed where an affiliate is paid. The former addresses get it, too.',
  payout_details_missing: 'A payout could be paid, but the affiliate has not said where to. Once for each payout.',
  payout_paid: 'A payout is paid.',
  terms_changed: 'A new version of the terms is published.',
});
