import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
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
  /** Replies to recipients of a host, in place of accepting them, e.g. `450 4.2.1 Try later`. */
  repliesByHost: Map<string, string>;
  close(): Promise<void>;
}

interface SmtpServerOptions {
  /** Number of messages that the server accepts per second, one after the other. Default: as many as arrive. */
  perSecond?: number;
}

/** Starts an SMTP server on a loopback port. It accepts email to any address from clients that sign in as `affiliate`. */
export async function startSmtpServer({ perSecond }: SmtpServerOptions = {}): Promise<TestSmtpServer> {
  let turn: Promise<unknown> = Promise.resolve();
  const takeTurn = () => (perSecond === undefined ? turn : (turn = turn.then(() => setTimeout(1_000 / perSecond))));
  const mails: ReceivedMail[] = [];
  const refusals: Error[] = [];
  const repliesByHost = new Map<string, string>();
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    // Mailers keep connections open. Those need not end by themselves before a test does.
    closeTimeout: 50,
    onAuth: ({ username, password }, _session, answer) =>
      username === 'affiliate' && password === 'p@ss' ? answer(null, { user: username }) : answer(new Error('Wrong password')),
    onRcptTo: ({ address }, _session, answer) => {
      const reply = repliesByHost.get(address.split('@')[1]!);
      if (reply === undefined) return answer();
      const [code, ...text] = reply.split(' ');
      answer(Object.assign(new Error(text.join(' ')), { responseCode: Number(code) }));
    },
    onData: (stream, session, answer) => {
      receive(stream, session).then(
        () => answer(refusals.shift()),
        (error: Error) => answer(error),
      );
    },
  });
  // A client that is killed resets its connection.
  server.on('error', () => undefined);
  async function receive(stream: Readable, { envelope }: SMTPServerSession): Promise<void> {
    const mail = await PostalMime.parse(await buffer(stream));
    await takeTurn();
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
    repliesByHost,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
