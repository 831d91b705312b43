import { texts } from './catalogue.ts';

/** Says when each email to affiliates is sent. The keys are the emails' names in the API. */
export const t = texts({
  application_approved: { en: 'An application is approved.', de: 'Eine Bewerbung wurde angenommen.' },
  application_received: {
    en: 'An applicant has confirmed their email address, and the application awaits a decision.',
    de: 'Ein Bewerber hat seine Adresse bestätigt, und die Bewerbung wartet auf eine Entscheidung.',
  },
  application_rejected: { en: 'An application is rejected.', de: 'Eine Bewerbung wurde abgelehnt.' },
  commission_digest: {
    en: 'An affiliate has earned commissions. Sent for each of them, daily or weekly, as the affiliate has chosen.',
    de: 'Eine Provision, oder ein Tag oder eine Woche mit Provisionen, je nach Wahl des Partners.',
  },
  campaign_ended: {
    en: 'A campaign is archived. Sent to its active affiliates.',
    de: 'Eine Kampagne wird archiviert. An ihre aktiven Partner.',
  },
  membership_ended: {
    en: 'An affiliate is disabled, rejected or archived. It says what is still owed.',
    de: 'Ein Partner wird deaktiviert, abgelehnt oder archiviert. Sie sagt, was noch offen ist.',
  },
  rewards_changed: {
    en: 'The terms of a campaign or its reward rules have changed, an hour after the last change.',
    de: 'Die Konditionen einer Kampagne oder ihre Regeln wurden geändert, eine Stunde nach der letzten Änderung.',
  },
  email_changed_by_merchant: {
    en: 'Your team or one of your systems has changed an affiliate’s email address. Sent to the previous address.',
    de: 'Ihr Team oder eines Ihrer Programme hat die E-Mail-Adresse eines Partners geändert. Sie geht an die frühere Adresse.',
  },
  payout_details_changed: {
    en: 'An affiliate has changed where payouts are sent. Also sent to the previous address.',
    de: 'Ein Partner hat geändert, wohin ausgezahlt wird. Auch die frühere Adresse erhält diese E-Mail.',
  },
  payout_details_changed_by_merchant: {
    en: 'Your team or one of your systems has changed where an affiliate is paid. Also sent to the previous addresses.',
    de: 'Ihr Team oder eines Ihrer Programme hat geändert, wohin einem Partner ausgezahlt wird. Auch die früheren Adressen erhalten diese E-Mail.',
  },
  payout_details_missing: {
    en: 'A payout could be paid, but the affiliate has not entered payout details. Sent once for each payout.',
    de: 'Eine Auszahlung wäre möglich, aber der Partner hat nicht angegeben, wohin. Einmal je Auszahlung.',
  },
  payout_paid: { en: 'A payout is paid.', de: 'Eine Auszahlung wurde bezahlt.' },
  payout_returned: {
    en: 'A transfer bounced, and the payout is marked returned.',
    de: 'Eine Überweisung kam zurück, und die Auszahlung gilt als zurückgegeben.',
  },
  terms_changed: {
    en: 'A new version of the terms is published.',
    de: 'Eine neue Fassung der Bedingungen wurde veröffentlicht.',
  },
  tier_lost: { en: 'An affiliate loses a tier', de: 'Ein Partner verliert eine Stufe' },
  tier_reached: { en: 'An affiliate reaches a tier', de: 'Ein Partner erreicht eine Stufe' },
});
