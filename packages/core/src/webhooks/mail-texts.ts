import type { Texts } from '../platform/texts/texts.ts';

/** Texts of the emails about webhook endpoints. */
export const WEBHOOK_MAILS = {
  switchedOff: {
    subject: { en: 'Webhook endpoint switched off', de: 'Webhook-Endpunkt abgeschaltet' },
    gone: {
      en: 'The webhook endpoint {name} was switched off. It responded that it no longer exists (410).',
      de: 'Der Webhook-Endpunkt {name} wurde abgeschaltet. Er hat geantwortet, dass es ihn nicht mehr gibt (410).',
    },
    failed: {
      en: 'The webhook endpoint {name} was switched off. Nothing could be delivered to it for five days.',
      de: 'Der Webhook-Endpunkt {name} wurde abgeschaltet. Fünf Tage lang konnte ihm nichts zugestellt werden.',
    },
    waiting: {
      en: 'Its deliveries are held back until you switch it on again.',
      de: 'Seine Zustellungen werden zurückgehalten, bis Sie ihn wieder einschalten.',
    },
    link: { en: 'Open the endpoint', de: 'Endpunkt öffnen' },
  },
} as const satisfies Texts;
