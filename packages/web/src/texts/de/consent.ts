import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/consent.ts';

export const consent: TranslationOf<typeof t> = {
  aProgramOnThisComputer: 'einem Programm auf diesem Computer ({redirectHost})',
  account: 'Konto',
  accountNamed: 'Konto: {name}',
  allow: 'Erlauben',
  allowPromoCodeManagement: 'Verwaltung von Aktionscodes erlauben',
  connectAnAssistant: 'Assistenten verbinden',
  connectingAnAssistantRequiresThe:
    'Um einen Assistenten zu verbinden, brauchen Sie die Rolle Administrator, die Sie in keinem Konto haben. Ein Inhaber kann Ihre Rolle ändern.',
  deny: 'Ablehnen',
  invalidRequest: 'Ungültige Anfrage',
  itCannotChangeAnythingExcept:
    'Er kann nur ändern, was Sie unten erlauben, und hat keinen Zugriff auf API-Schlüssel und Einstellungen.',
  readAffiliatesWithTheirE:
    'Partner mit ihren E-Mail-Adressen, Kampagnen, Links, Empfehlungen, Kunden, Verkäufe und Einladungen lesen',
  readCommissionsPayoutsExportsAnd: 'Provisionen, Auszahlungen, Exporte und Läufe lesen',
  requestsAccess: '{client} möchte auf Ihr Partnerprogramm zugreifen. Sie werden zu {host} weitergeleitet.',
  signedInAs: 'Angemeldet als {email}',
  switchUser: 'Benutzer wechseln',
  theAssistantCanAlsoList: 'Der Assistent darf auch Aktionscodes auflisten, importieren, anlegen und beenden.',
  theAssistantSentAnInvalid: 'Der Assistent hat eine ungültige Anfrage gesendet. Es wurde nichts verbunden.',
  theAssistantWillBeAble: 'Der Assistent darf dann',
  theNameIsNotVerified:
    'Der Name ist nicht geprüft. Erlauben Sie den Zugriff nur, wenn Sie gerade Ihren Assistenten darum gebeten haben.',
  tryAgainInTheAssistant:
    'Versuchen Sie es im Assistenten noch einmal. Falls es wieder scheitert, entfernen Sie diesen Dienst im Assistenten und fügen ihn neu hinzu, damit er sich neu registriert.',
  youCanRevokeAccessAt: 'Unter Einstellungen, Konnektoren können Sie den Zugriff jederzeit entziehen.',
};
