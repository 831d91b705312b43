import { params, texts } from '../catalogue.ts';

export const t = texts('setup', {
  addAnExampleACampaign: 'Add an example: a campaign, an affiliate and a link',
  atLeast8CharactersUse: 'At least 8 characters. Use it with your e-mail address to sign in.',
  createTheProgram: 'Create the program',
  currency: 'Currency',
  daysOfReportsBeginAt: 'Days of reports begin at its midnight.',
  email: 'E-mail',
  openPrintedLink:
    'Open the link that the service printed when it was started: in its terminal, or in the log of its container or unit ({docker}, {unit}). It works once, for a day.',
  password: 'Password',
  programName: 'Program name',
  sendATestMail: 'Send a test mail',
  setUpYourProgram: 'Set up your program',
  smtpUrlIsNotSet: 'SMTP_URL is not set: mails and their links appear in the log.',
  startTheServiceAgainFor: 'Start the service again for a new link.',
  theMailIsInThe: 'The mail is in the log.',
  theMailServerRefused: params('The mail server refused: {problem}'),
  theMailServerTookThe: 'The mail server took the mail.',
  timeZone: 'Time zone',
  yourName: 'Your name',
});
