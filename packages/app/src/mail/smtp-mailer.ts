import type { Mailer } from '@affiliate/core';
import { createTransport } from 'nodemailer';

/** Together they stay well below the time after which the outbox hands a message to another process. */
const CONNECT_MS = 10_000;
const IDLE_MS = 20_000;

export interface SmtpSettings {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the start. */
  url: string;
  /** E.g. `Affiliates <noreply@example.com>`. */
  from: string;
}

/** Hands mail to an SMTP server. Encrypts where the server offers it. */
export function createSmtpMailer({ url, from }: SmtpSettings): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    send: async ({ id, to, subject, text, html }) => {
      await transport.sendMail({
        from,
        // As an object, it is one address whatever characters it holds.
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
  };
}
