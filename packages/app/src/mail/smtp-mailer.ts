import { MAILER_CALLS, MailFailure, type Mailer } from '@affiliate/core';
import { createTransport } from 'nodemailer';

const CONNECT_MS = 10_000;
/**
 * Time for which a server may be silent. As long as RFC 5321 (section 4.5.3.2.6) demands, because a busy server that has accepted a message may confirm
 * it late. A message that is given up too early arrives twice.
 */
const SILENT_MS = 600_000;
/** Number of messages that a connection sends before it is replaced. */
const MESSAGES_PER_CONNECTION = 100;

export interface SmtpSettings {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the start. */
  url: string;
  /** Sender, e.g. `Affiliates <noreply@example.com>`. */
  from: string;
  /** Called after each attempt to send an email. */
  onAttempt?: ((outcome: 'sent' | 'retried' | 'refused') => void) | undefined;
}

/** Creates a mailer that sends email over SMTP, encrypted if the server offers it. */
export function createSmtpMailer({ url, from, onAttempt }: SmtpSettings): Mailer {
  const transport = createTransport({
    ...limits(url),
    pool: true,
    maxConnections: MAILER_CALLS,
    maxMessages: MESSAGES_PER_CONNECTION,
  });
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    close: () => transport.close(),
    send: async ({ id, to, subject, text, html, unsubscribeUrl, replyTo }) => {
      const sending = transport.sendMail({
        from,
        // Passed as an object, so that special characters cannot turn the address into several.
        to: { name: '', address: to },
        ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
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
      try {
        await sending;
      } catch (error) {
        const failure = failureOf(error);
        onAttempt?.(failure instanceof MailFailure && failure.reason === 'no_such_recipient' ? 'refused' : 'retried');
        throw failure;
      }
      onAttempt?.('sent');
    },
  };
}

/** Codes of errors that concern the connection to the server, not the message. */
const SERVER_ERRORS = new Set(['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ETLS', 'EAUTH', 'ENOAUTH', 'EPROTOCOL']);
/** Replies of a server that takes no messages at the moment. */
const CLOSING = [421, 454];
/**
 * Enhanced status codes (RFC 3463) of an address that does not exist or has no mailbox. A reply without such a code may mean that the server is not
 * configured to relay.
 */
const NO_SUCH_RECIPIENT = /\b5\.(1\.[0-36]|1\.10|2\.1)\b/;

/**
 * Replies that concern one mailbox, such as a full one or greylisting: enhanced codes 4.1.x and 4.2.x, and 450 without such a code. Any other temporary reply
 * to a recipient means that the host takes no messages at the moment.
 */
const ONE_MAILBOX = /\b4\.[12]\.\d|^450 (?!4\.)/;

/** Returns why a message was not accepted. Errors of an unknown kind are returned unchanged. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code = '', responseCode = 0, response = '', command = '' } = error as Error & Partial<SmtpReply>;
  // The server does not know the recipient yet when it refuses the sender.
  if (CLOSING.includes(responseCode) || SERVER_ERRORS.has(code) || command === 'MAIL FROM')
    return new MailFailure('server', error);
  if (command !== 'RCPT TO') return error;
  if (responseCode < 500) return ONE_MAILBOX.test(response) ? error : new MailFailure('later', error);
  return NO_SUCH_RECIPIENT.test(response) ? new MailFailure('no_such_recipient', error) : error;
}

/** Fields of nodemailer's errors. */
interface SmtpReply {
  code: string;
  responseCode: number;
  response: string;
  command: string;
}

/** Connects to the mail server and signs in, without sending anything. Rejects with the server's error. */
export async function verifySmtp({ url }: SmtpSettings): Promise<void> {
  const transport = createTransport(limits(url));
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

function limits(url: string) {
  return {
    url,
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
