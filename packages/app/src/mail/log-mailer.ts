import type { Logger, Mail, Mailer } from '@affiliate/core';

/** Maximum number of messages that are kept for the page `/mail`. */
const KEPT = 200;

export interface LogMailer extends Mailer {
  /** Last messages of this process, newest first. */
  recent: readonly Mail[];
}

/**
 * Creates the mailer for a process without a mail server. It logs each message, so that the operator can use its links, and keeps the last
 * ones for the page `/mail`.
 */
export function createLogMailer(log: Logger): LogMailer {
  const recent: Mail[] = [];
  return {
    writesToLog: true,
    recent,
    send: async (mail) => {
      recent.unshift(mail);
      recent.length = Math.min(recent.length, KEPT);
      const { to, subject, text } = mail;
      log.info({ to, subject, text }, 'mail not sent: SMTP_URL is not set');
    },
  };
}

/** Returns the messages kept by a log mailer, or null for a mailer that really sends email. */
export function recentMails(mailer: Mailer): readonly Mail[] | null {
  return mailer.recent ?? null;
}
