import { texts } from './catalogue.ts';

export const t = texts({
  description: {
    en: 'The last emails of this program. They were not sent, because no mail server is configured (SMTP_URL). Pass their links on yourself.',
    de: 'Die letzten E-Mails dieses Programms. Sie wurden nicht gesendet, weil kein Mailserver eingerichtet ist (SMTP_URL). Geben Sie ihre Links selbst weiter.',
  },
  notSent: { en: 'Emails are not sent', de: 'E-Mails werden nicht gesendet' },
  notSentExplained: {
    en: 'No mail server is configured. You can read the emails, and pass their links on yourself.',
    de: 'Es ist kein Mailserver eingerichtet. Sie können die E-Mails lesen und ihre Links selbst weitergeben.',
  },
  none: { en: 'No emails yet', de: 'Noch keine E-Mails' },
  noneExplained: {
    en: 'Invitations and emails to affiliates appear here. Emails about signing in do not.',
    de: 'Hier erscheinen Einladungen und E-Mails an Partner. E-Mails zur Anmeldung erscheinen hier nicht.',
  },
  openOutbox: { en: 'Open the outbox', de: 'Postausgang öffnen' },
  outbox: { en: 'Outbox', de: 'Postausgang' },
  sent: { en: 'Emails are sent', de: 'E-Mails werden gesendet' },
  sentExplained: {
    en: 'A mail server is configured, so no emails are kept here.',
    de: 'Ein Mailserver ist eingerichtet, deshalb werden hier keine E-Mails aufbewahrt.',
  },
  shared: { en: 'There are programs of other owners', de: 'Es gibt Programme anderer Inhaber' },
  sharedExplained: {
    en: 'The links in emails could be used in these programs, too. Read the emails in the log of the service.',
    de: 'Die Links der E-Mails könnten auch in diesen Programmen benutzt werden. Lesen Sie die E-Mails im Protokoll des Dienstes.',
  },
});
