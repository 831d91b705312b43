import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  addExample: {
    en: 'Add an example: a campaign, an affiliate and a link',
    de: 'Ein Beispiel anlegen: eine Kampagne, einen Partner und einen Link',
  },
  createTheProgram: { en: 'Create the program', de: 'Programm anlegen' },
  mailAccepted: { en: 'The mail server accepted the email.', de: 'Der Mailserver hat die E-Mail angenommen.' },
  mailInLog: { en: 'The email is in the log.', de: 'Die E-Mail steht im Protokoll.' },
  mailRefused: { en: 'The mail server refused: {problem}', de: 'Der Mailserver hat abgelehnt: {problem}' },
  newLinkHint: {
    en: 'Start the service again for a new link.',
    de: 'Starten Sie den Dienst neu, um einen neuen Link zu erhalten.',
  },
  noMailServer: {
    en: 'SMTP_URL is not set: emails and their links appear in the log.',
    de: 'SMTP_URL ist nicht gesetzt: E-Mails und ihre Links erscheinen im Protokoll.',
  },
  openPrintedLink: {
    en: 'Open the link that the service printed when it was started: in its terminal, or in the log of its container or unit ({docker}, {unit}). It works once, for a day.',
    de: 'Öffnen Sie den Link, den der Dienst beim Start ausgegeben hat: in seinem Terminal oder im Protokoll seines Containers oder seiner Unit ({docker}, {unit}). Er gilt einmal und einen Tag lang.',
  },
  passwordHint: {
    en: 'At least 8 characters. Use it with your email address to sign in.',
    de: 'Mindestens 8 Zeichen. Damit melden Sie sich mit Ihrer E-Mail-Adresse an.',
  },
  programName: { en: 'Program name', de: 'Name des Programms' },
  sendATestMail: { en: 'Send a test email', de: 'Test-E-Mail senden' },
  setUpYourProgram: { en: 'Set up your program', de: 'Richten Sie Ihr Programm ein' },
  timeZoneHint: {
    en: 'Days of reports, statements and emails are in this time zone.',
    de: 'In dieser Zone gelten die Tage in Berichten, Abrechnungen und E-Mails.',
  },
});
