import type { Texts } from '../platform/texts/texts.ts';

/** Texts of the digests that members get by email. */
export const REPORT_MAILS = {
  applications: {
    subject: {
      en: { one: '{count} new application', other: '{count} new applications' },
      de: { one: '{count} neue Bewerbung', other: '{count} neue Bewerbungen' },
    },
    waiting: {
      en: {
        one: '{count} person has applied to your affiliate program and waits for your decision.',
        other: '{count} people have applied to your affiliate program and wait for your decision.',
      },
      de: {
        one: '{count} Person hat sich bei Ihrem Partnerprogramm beworben und wartet auf Ihre Entscheidung.',
        other: '{count} Personen haben sich bei Ihrem Partnerprogramm beworben und warten auf Ihre Entscheidung.',
      },
    },
    link: { en: 'Open applications', de: 'Bewerbungen öffnen' },
  },
  flaggedCommissions: {
    subject: {
      en: { one: '{count} commission needs a review', other: '{count} commissions need a review' },
      de: { one: '{count} Provision ist zu prüfen', other: '{count} Provisionen sind zu prüfen' },
    },
    flagged: {
      en: {
        one: '{count} new commission is flagged and stays out of payouts until you decide.',
        other: '{count} new commissions are flagged and stay out of payouts until you decide.',
      },
      de: {
        one: '{count} neue Provision ist markiert und wird nicht ausgezahlt, bis Sie entscheiden.',
        other: '{count} neue Provisionen sind markiert und werden nicht ausgezahlt, bis Sie entscheiden.',
      },
    },
    link: { en: 'Review commissions', de: 'Provisionen prüfen' },
  },
  failingEndpoints: {
    subject: {
      en: { one: '{count} webhook endpoint is failing', other: '{count} webhook endpoints are failing' },
      de: { one: '{count} Webhook-Endpunkt versagt', other: '{count} Webhook-Endpunkte versagen' },
    },
    failing: {
      en: 'No webhook has been delivered for an hour to: {names}. Deliveries are retried. After five days, the endpoint is switched off.',
      de: 'Seit einer Stunde wurde nichts zugestellt an: {names}. Zustellungen werden wiederholt; nach fünf Tagen wird der Endpunkt abgeschaltet.',
    },
    link: { en: 'Open webhooks', de: 'Webhooks öffnen' },
  },
  payoutsDue: {
    subject: {
      en: { one: '{count} payout is due', other: '{count} payouts are due' },
      de: { one: '{count} Auszahlung ist fällig', other: '{count} Auszahlungen sind fällig' },
    },
    payable: {
      en: { one: '{count} payout can be paid: {amounts}.', other: '{count} payouts can be paid: {amounts}.' },
      de: {
        one: '{count} Auszahlung kann bezahlt werden: {amounts}.',
        other: '{count} Auszahlungen können bezahlt werden: {amounts}.',
      },
    },
    link: { en: 'Open payouts', de: 'Auszahlungen öffnen' },
  },
} as const satisfies Texts;
