import type { Logger, Mailer } from '@affiliate/core';

/** Without a mail server: shows messages, and so their links, to whoever runs the service. */
export function createLogMailer(log: Logger): Mailer {
  return {
    send: async ({ to, subject, text }) => log.info({ to, subject, text }, 'mail not sent: SMTP_URL is not set'),
  };
}
