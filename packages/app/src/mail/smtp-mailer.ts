import type { Mailer } from '@affiliate/core';
import { createTransport } from 'nodemailer';

/** Together well below the outbox's lease, after which another process sends the message. */
const CONNECT_MS = 10_000;
const IDLE_MS = 20_000;

export interface SmtpSettings {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the start. */
  url: string;
  /** E.g. `Affiliates <noreply@example.com>`. */
  from: string;
}

/** Sends mail over SMTP, encrypted if the server offers it. */
export function createSmtpMailer({ url, from }: SmtpSettings): Mailer {
  const transport = openTransport(url);
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    send: async ({ id, to, subject, text, html, unsubscribeUrl }) => {
      await transport.sendMail({
        from,
        // As an object, it is one address whatever characters it contains.
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId: `<${id}@${domain}>`,
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribeUrl === undefined
            ? {}
            : { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
        },
      });
    },
  };
}

/** Connects and signs in, without sending anything. Rejects with the server's answer. */
export async function verifySmtp({ url }: SmtpSettings): Promise<void> {
  const transport = openTransport(url);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

function openTransport(url: string) {
  return createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
