import type { Logger, Mailer } from '@affiliate/core';

/** Without a mail server: logs each message, so that the operator can use its links. */
export function createLogMailer(log: Logger): Mailer {
  return {
    writesToLog: true,
    send: async ({ to, subject, text }) => log.info({ to, subject, text }, 'mail not sent: SMTP_URL is not set'),
  };
}
