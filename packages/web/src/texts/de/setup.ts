import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/setup.ts';

export const setup: TranslationOf<typeof t> = {
  addExample: 'Ein Beispiel anlegen: eine Kampagne, einen Partner und einen Link',
  createTheProgram: 'Programm anlegen',
  currency: 'Währung',
  email: 'E-Mail',
  mailAccepted: 'Der Mailserver hat die E-Mail angenommen.',
  mailInLog: 'Die E-Mail steht im Protokoll.',
  mailRefused: 'Der Mailserver hat abgelehnt: {problem}',
  newLinkHint: 'Starten Sie den Dienst neu, um einen neuen Link zu erhalten.',
  noMailServer: 'SMTP_URL ist nicht gesetzt: E-Mails und ihre Links erscheinen im Protokoll.',
  openPrintedLink:
    'Öffnen Sie den Link, den der Dienst beim Start ausgegeben hat: in seinem Terminal oder im Protokoll seines Containers oder seiner Unit ({docker}, {unit}). Er gilt einmal und einen Tag lang.',
  password: 'Passwort',
  passwordHint: 'Mindestens 8 Zeichen. Damit melden Sie sich mit Ihrer E-Mail-Adresse an.',
  programName: 'Name des Programms',
  sendATestMail: 'Test-E-Mail senden',
  setUpYourProgram: 'Richten Sie Ihr Programm ein',
  timeZone: 'Zeitzone',
  timeZoneHint: 'Tage der Berichte beginnen um Mitternacht dieser Zone.',
  yourName: 'Ihr Name',
};
