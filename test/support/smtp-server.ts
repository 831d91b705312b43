import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

interface ReceivedMail extends Email {
  /** Sender and recipients of the SMTP envelope, which may differ from the message's. */
  envelopeFrom: string;
  recipients: string[];
}

export interface TestSmtpServer {
  url: string;
  mails: ReceivedMail[];
  /** Errors with which the next messages are refused, one each. */
  refusals: Error[];
  close(): Promise<void>;
}

/** Starts an SMTP server on a loopback port. It accepts email to any address from clients that sign in as `affiliate`. */
export async function startSmtpServer(): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = [];
  const refusals: Error[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ username, password }, _session, answer) =>
      username === 'affiliate' && password === 'p@ss' ? answer(null, { user: username }) : answer(new Error('Wrong password')),
    onData: (stream, session, answer) => {
      receive(stream, session).then(
        () => answer(refusals.shift()),
        (error: Error) => answer(error),
      );
    },
  });
  async function receive(stream: Readable, { envelope }: SMTPServerSession): Promise<void> {
    const mail = await PostalMime.parse(await buffer(stream));
    if (refusals.length > 0) return;
    const { mailFrom, rcptTo } = envelope;
    mails.push({
      ...mail,
      envelopeFrom: mailFrom === false ? '' : mailFrom.address,
      recipients: rcptTo.map(({ address }) => address),
    });
  }
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://affiliate:p%40ss@127.0.0.1:${port}`,
    mails,
    refusals,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
