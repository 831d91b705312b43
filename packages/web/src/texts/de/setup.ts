import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/setup.ts';

export const setup: TranslationOf<typeof t> = {
  addAnExampleACampaign: 'Ein Beispiel anlegen: eine Kampagne, einen Partner und einen Link',
  atLeast8CharactersUse: 'Mindestens 8 Zeichen. Damit melden Sie sich mit Ihrer E-Mail-Adresse an.',
  createTheProgram: 'Programm anlegen',
  currency: 'Währung',
  daysOfReportsBeginAt: 'Tage der Berichte beginnen um Mitternacht dieser Zone.',
  email: 'E-Mail',
  openPrintedLink:
    'Öffnen Sie den Link, den der Dienst beim Start ausgegeben hat: in seinem Terminal oder im Protokoll seines Containers oder seiner Unit ({docker}, {unit}). Er gilt einmal und einen Tag lang.',
  password: 'Passwort',
  programName: 'Name des Programms',
  sendATestMail: 'Test-E-Mail senden',
  setUpYourProgram: 'Richten Sie Ihr Programm ein',
  smtpUrlIsNotSet: 'SMTP_URL ist nicht gesetzt: E-Mails und ihre Links erscheinen im Protokoll.',
  startTheServiceAgainFor: 'Starten Sie den Dienst neu, um einen neuen Link zu erhalten.',
  theMailIsInThe: 'Die E-Mail steht im Protokoll.',
  theMailServerRefused: 'Der Mailserver hat abgelehnt: {problem}',
  theMailServerTookThe: 'Der Mailserver hat die E-Mail angenommen.',
  timeZone: 'Zeitzone',
  yourName: 'Ihr Name',
};
