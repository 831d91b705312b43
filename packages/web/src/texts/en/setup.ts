import { params, texts } from '../catalogue.ts';

export const t = texts('setup', {
  addExample: 'Add an example: a campaign, an affiliate and a link',
  createTheProgram: 'Create the program',
  currency: 'Currency',
  email: 'Email',
  mailAccepted: 'The mail server accepted the email.',
  mailInLog: 'The email is in the log.',
  mailRefused: params('The mail server refused: {problem}'),
  newLinkHint: 'Start the service again for a new link.',
  noMailServer: 'SMTP_URL is not set: emails and their links appear in the log.',
  openPrintedLink:
    'Open the link that the service printed when it was started: in its terminal, or in the log of its container or unit ({docker}, {unit}). It works once, for a day.',
  password: 'Password',
  passwordHint: 'At least 8 characters. Use it with your email address to sign in.',
  programName: 'Program name',
  sendATestMail: 'Send a test email',
  setUpYourProgram: 'Set up your program',
  timeZone: 'Time zone',
  timeZoneHint: 'Days in reports start at midnight in this time zone.',
  yourName: 'Your name',
});
