import type { Texts } from '../../platform/texts/texts.ts';

/** Texts of the emails to members about connections to payment providers. */
export const SOURCE_MAILS = {
  refusedKey: {
    subject: { en: '{provider} no longer accepts your key', de: '{provider} nimmt Ihren Schlüssel nicht mehr an' },
    said: {
      en: 'The last attempt to ask {provider} failed: {problem}',
      de: 'Die letzte Abfrage bei {provider} ist gescheitert: {problem}',
    },
    waits: {
      en: 'Until you enter a new key, some sales and refunds may not be known. They are counted as soon as {provider} accepts the new key.',
      de: 'Bis Sie einen neuen Schlüssel eingeben, können Käufe und Erstattungen fehlen. Sie werden gezählt, sobald {provider} den neuen Schlüssel annimmt.',
    },
  },
  expiringKey: {
    subject: { en: 'Your key for {provider} expires soon', de: 'Ihr Schlüssel für {provider} läuft bald ab' },
    until: {
      en: '{provider} accepts the key until {day}. Make a new one there, and enter it here.',
      de: '{provider} nimmt den Schlüssel bis {day} an. Erzeugen Sie dort einen neuen, und geben Sie ihn hier ein.',
    },
    stays: {
      en: 'The address for events and your settings stay as they are.',
      de: 'Die Adresse für Ereignisse und Ihre Einstellungen bleiben, wie sie sind.',
    },
  },
  page: { link: { en: 'Open the payment providers', de: 'Zahlungsanbieter öffnen' } },
} as const satisfies Texts;
