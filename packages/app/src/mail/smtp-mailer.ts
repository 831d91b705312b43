import type { Mailer } from '@affiliate/core';
import { createTransport } from 'nodemailer';

/** Together, the two time limits are well below the lease of an email in the outbox. When the lease has ended, another process sends the email. */
const CONNECT_MS = 10_000;
const IDLE_MS = 20_000;

export interface SmtpSettings {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the start. */
  url: string;
  /** Sender, e.g. `Affiliates <noreply@example.com>`. */
  from: string;
}

/** Creates a mailer that sends email over SMTP, encrypted if the server offers it. */
export function createSmtpMailer({ url, from }: SmtpSettings): Mailer {
  const transport = openTransport(url);
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    send: async ({ id, to, subject, text, html, unsubscribeUrl }) => {
      await transport.sendMail({
        from,
        // Passed as an object, so that special characters cannot turn the address into several.
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

/** Connects to the mail server and signs in, without sending anything. Rejects with the server's error. */
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
