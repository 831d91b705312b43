import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/consent.ts';

export const consent: TranslationOf<typeof t> = {
  account: 'Konto',
  accountNamed: 'Konto: {name}',
  allow: 'Erlauben',
  allowPromoCodeManagement: 'Verwaltung von Aktionscodes erlauben',
  connectAnAssistant: 'Assistenten verbinden',
  connectingAnAssistantRequiresThe:
    'Um einen Assistenten zu verbinden, brauchen Sie die Rolle Administrator, die Sie in keinem Konto haben. Ein Inhaber kann Ihre Rolle ändern.',
  deny: 'Ablehnen',
  invalidAssistantRequest: 'Der Assistent hat eine ungültige Anfrage gesendet. Es wurde nichts verbunden.',
  invalidRequest: 'Ungültige Anfrage',
  limits: 'Er kann nur ändern, was Sie unten erlauben, und hat keinen Zugriff auf API-Schlüssel und Einstellungen.',
  nameNotVerified:
    'Der Name ist nicht geprüft. Erlauben Sie den Zugriff nur, wenn Sie gerade Ihren Assistenten darum gebeten haben.',
  programOnThisComputer: 'einem Programm auf diesem Computer ({redirectHost})',
  promoCodesHint: 'Der Assistent darf auch Aktionscodes auflisten, importieren, anlegen und beenden.',
  readAffiliatesWithTheirE:
    'Partner mit ihren E-Mail-Adressen, Kampagnen, Links, Empfehlungen, Kunden, Verkäufe und Einladungen lesen',
  readProgram: 'Provisionen, Auszahlungen, Exporte und Läufe lesen',
  requestsAccess: '{client} möchte auf Ihr Partnerprogramm zugreifen. Sie werden zu {host} weitergeleitet.',
  revokeHint: 'Unter Einstellungen, Konnektoren können Sie den Zugriff jederzeit entziehen.',
  signedInAs: 'Angemeldet als {email}',
  switchUser: 'Benutzer wechseln',
  tryAgainInTheAssistant:
    'Versuchen Sie es im Assistenten noch einmal. Falls es wieder scheitert, entfernen Sie diesen Dienst im Assistenten und fügen ihn neu hinzu, damit er sich neu registriert.',
  willBeAbleTo: 'Der Assistent darf dann',
};
