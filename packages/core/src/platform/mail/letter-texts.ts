import type { MailTexts } from './in-language.ts';

/** Texts that all emails share. */
export const LETTER_TEXTS = {
  letter: {
    copyAddress: { en: 'Or copy this URL into your browser:', de: 'Oder kopieren Sie diese Adresse in Ihren Browser:' },
    questions: { en: 'Questions? Write to {email}.', de: 'Fragen? Schreiben Sie an {email}.' },
    unsubscribe: { en: 'Unsubscribe', de: 'Abbestellen' },
  },
} as const satisfies MailTexts;
