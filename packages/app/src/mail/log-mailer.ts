import type { Logger, Mail, Mailer, UnsentMail } from '@affiliate/core';

/** Maximum number of messages that are kept for the pages `/mail` and `/settings/outbox`. */
const KEPT = 200;

export interface LogMailer extends Mailer {
  /** Last messages of this process, newest first. */
  recent: readonly UnsentMail[];
}

/**
 * Creates the mailer for a process without a mail server. It logs each message, so that the operator can use its links, and keeps the last
 * ones for the pages `/mail` and `/settings/outbox`.
 */
export function createLogMailer(log: Logger): LogMailer {
  const recent: UnsentMail[] = [];
  return {
    writesToLog: true,
    recent,
    send: async (mail, origin) => {
      recent.unshift({ ...mail, origin });
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
