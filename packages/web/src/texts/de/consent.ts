import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/consent.ts';

export const consent: TranslationOf<typeof t> = {
  account: 'Konto',
  accountNamed: 'Konto: {name}',
  allow: 'Erlauben',
  connectAnAssistant: 'Assistenten verbinden',
  deny: 'Ablehnen',
  invalidAssistantRequest: 'Der Assistent hat eine ungültige Anfrage gesendet. Es wurde nichts verbunden.',
  invalidRequest: 'Ungültige Anfrage',
  limits: 'Mehr kann er nicht tun. Er sieht keine API-Schlüssel und keine anderen Geheimnisse.',
  nameNotVerified:
    'Der Name ist nicht geprüft. Erlauben Sie den Zugriff nur, wenn Sie gerade Ihren Assistenten darum gebeten haben.',
  onlyMembersConnect: 'Nur Mitglieder eines Kontos können einen Assistenten verbinden, und Sie sind in keinem Konto Mitglied.',
  programOnThisComputer: 'einem Programm auf diesem Computer ({redirectHost})',
  requestsAccess: '{client} möchte auf Ihr Partnerprogramm zugreifen. Sie werden zu {host} weitergeleitet.',
  revokeHint: 'Unter Einstellungen, Konnektoren können Sie den Zugriff jederzeit ändern oder beenden.',
  signedInAs: 'Angemeldet als {email}',
  switchUser: 'Benutzer wechseln',
  tryAgainInTheAssistant:
    'Versuchen Sie es im Assistenten noch einmal. Falls es wieder scheitert, entfernen Sie diesen Dienst im Assistenten und fügen ihn neu hinzu, damit er sich neu registriert.',
  willBeAbleTo: 'Wählen Sie, was der Assistent darf',
};
