import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  accountNamed: { en: 'Account: {name}', de: 'Konto: {name}' },
  allow: { en: 'Allow', de: 'Erlauben' },
  connectAnAssistant: { en: 'Connect an assistant', de: 'Assistenten verbinden' },
  deny: { en: 'Deny', de: 'Ablehnen' },
  invalidAssistantRequest: {
    en: 'The assistant sent an invalid request. Nothing was connected.',
    de: 'Der Assistent hat eine ungültige Anfrage gesendet. Es wurde nichts verbunden.',
  },
  invalidRequest: { en: 'Invalid request', de: 'Ungültige Anfrage' },
  limits: {
    en: 'It cannot do anything else. It cannot see API keys and other secrets.',
    de: 'Mehr kann er nicht tun. Er sieht keine API-Schlüssel und keine anderen Geheimnisse.',
  },
  namedByHost: {
    en: 'The name comes from {host}, which runs this assistant. Allow access only if you just asked your assistant to connect.',
    de: 'Der Name stammt von {host}. Dort wird dieser Assistent betrieben. Erlauben Sie den Zugriff nur, wenn Sie gerade Ihren Assistenten darum gebeten haben.',
  },
  nameNotVerified: {
    en: 'The name is not verified. Allow access only if you just asked your assistant to connect.',
    de: 'Der Name ist nicht geprüft. Erlauben Sie den Zugriff nur, wenn Sie gerade Ihren Assistenten darum gebeten haben.',
  },
  onlyMembersConnect: {
    en: 'Only members of an account can connect an assistant, and you are not a member of any account.',
    de: 'Nur Mitglieder eines Kontos können einen Assistenten verbinden, und Sie sind in keinem Konto Mitglied.',
  },
  programOnThisComputer: {
    en: 'a program on this computer ({redirectHost})',
    de: 'einem Programm auf diesem Computer ({redirectHost})',
  },
  requestsAccess: {
    en: '{client} requests access to your affiliate program. You will be redirected to {host}.',
    de: '{client} möchte auf Ihr Partnerprogramm zugreifen. Sie werden zu {host} weitergeleitet.',
  },
  revokeHint: {
    en: 'You can change or end the access at any time under Settings, Connectors.',
    de: 'Unter Einstellungen, Konnektoren können Sie den Zugriff jederzeit ändern oder beenden.',
  },
  signedInAs: { en: 'Signed in as {email}', de: 'Angemeldet als {email}' },
  switchUser: { en: 'Switch user', de: 'Benutzer wechseln' },
  tryAgainInTheAssistant: {
    en: 'Try again in the assistant. If the problem persists, remove this service in the assistant and add it again, so that it registers again.',
    de: 'Versuchen Sie es im Assistenten noch einmal. Falls es wieder scheitert, entfernen Sie diesen Dienst im Assistenten und fügen ihn neu hinzu, damit er sich neu registriert.',
  },
  willBeAbleTo: { en: 'Choose what the assistant may do', de: 'Wählen Sie, was der Assistent darf' },
});
