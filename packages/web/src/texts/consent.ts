import { texts } from './catalogue.ts';

export const t = texts('consent', {
  account: { en: 'Account', de: 'Konto' },
  accountNamed: { en: 'Account: {name}', de: 'Konto: {name}' },
  allow: { en: 'Allow', de: 'Erlauben' },
  allowPromoCodeManagement: { en: 'Allow promo code management', de: 'Verwaltung von Aktionscodes erlauben' },
  connectAnAssistant: { en: 'Connect an assistant', de: 'Assistenten verbinden' },
  connectingAnAssistantRequiresThe: {
    en: 'Connecting an assistant requires the admin role, which you do not have in any account. Ask an owner to change your role.',
    de: 'Um einen Assistenten zu verbinden, brauchen Sie die Rolle Administrator, die Sie in keinem Konto haben. Ein Inhaber kann Ihre Rolle ändern.',
  },
  deny: { en: 'Deny', de: 'Ablehnen' },
  invalidAssistantRequest: {
    en: 'The assistant sent an invalid request. Nothing was connected.',
    de: 'Der Assistent hat eine ungültige Anfrage gesendet. Es wurde nichts verbunden.',
  },
  invalidRequest: { en: 'Invalid request', de: 'Ungültige Anfrage' },
  limits: {
    en: 'It cannot change anything except what you allow below, and cannot access API keys or settings.',
    de: 'Er kann nur ändern, was Sie unten erlauben, und hat keinen Zugriff auf API-Schlüssel und Einstellungen.',
  },
  nameNotVerified: {
    en: 'The name is not verified. Allow access only if you just asked your assistant to connect.',
    de: 'Der Name ist nicht geprüft. Erlauben Sie den Zugriff nur, wenn Sie gerade Ihren Assistenten darum gebeten haben.',
  },
  programOnThisComputer: {
    en: 'a program on this computer ({redirectHost})',
    de: 'einem Programm auf diesem Computer ({redirectHost})',
  },
  promoCodesHint: {
    en: 'The assistant can also list, import, create, and stop promo codes.',
    de: 'Der Assistent darf auch Aktionscodes auflisten, importieren, anlegen und beenden.',
  },
  readAffiliatesWithTheirE: {
    en: 'Read affiliates with their email addresses, campaigns, links, referrals, customers, sales, and invitations',
    de: 'Partner mit ihren E-Mail-Adressen, Kampagnen, Links, Empfehlungen, Kunden, Verkäufe und Einladungen lesen',
  },
  readProgram: {
    en: 'Read commissions, payouts, exports, and payout runs',
    de: 'Provisionen, Auszahlungen, Exporte und Läufe lesen',
  },
  requestsAccess: {
    en: '{client} requests access to your affiliate program. You will be redirected to {host}.',
    de: '{client} möchte auf Ihr Partnerprogramm zugreifen. Sie werden zu {host} weitergeleitet.',
  },
  revokeHint: {
    en: 'You can revoke access at any time under Settings, Connectors.',
    de: 'Unter Einstellungen, Konnektoren können Sie den Zugriff jederzeit entziehen.',
  },
  signedInAs: { en: 'Signed in as {email}', de: 'Angemeldet als {email}' },
  switchUser: { en: 'Switch user', de: 'Benutzer wechseln' },
  tryAgainInTheAssistant: {
    en: 'Try again in the assistant. If the problem persists, remove this service in the assistant and add it again, so that it registers again.',
    de: 'Versuchen Sie es im Assistenten noch einmal. Falls es wieder scheitert, entfernen Sie diesen Dienst im Assistenten und fügen ihn neu hinzu, damit er sich neu registriert.',
  },
  willBeAbleTo: { en: 'The assistant will be able to', de: 'Der Assistent darf dann' },
});
