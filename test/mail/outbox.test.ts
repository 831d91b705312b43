import { createSmtpMailer } from '@affiliate/app/mail';
import { purgeRows, type Mailer, type Services, sendDueMail, untilMailIsSent } from '@affiliate/core';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compose } from '../../packages/core/src/platform/mail/letter.ts';
import { Browser } from '../support/browser.ts';
import { type TestAccount, type TestService, startService } from '../support/service.ts';
import { type TestSmtpServer, startSmtpServer } from '../support/smtp-server.ts';

let service: TestService;
let smtp: TestSmtpServer;
/** Services of a second process, which sends over SMTP. The first process keeps its test mailbox. */
let sender: Services;
let mailer: Mailer;
let account: TestAccount;

beforeAll(async () => {
  service = await startService();
  smtp = await startSmtpServer();
  mailer = createSmtpMailer({ url: smtp.url, from: 'Affiliates <noreply@affiliates.example.com>' });
  sender = { ...service.services, mailer };
});
afterAll(async () => {
  await service.stop();
  mailer.close!();
  await smtp.close();
});
beforeEach(async () => {
  account = await service.createAccount();
  smtp.mails.length = 0;
});

/** Leaves a message in the outbox, as after a failure of the mail server or of the sending process. */
async function leaveMail(email = account.ownerEmail): Promise<void> {
  const failed = async () => (await waiting()).filter(({ last_error }) => last_error !== null);
  const before = await failed();
  service.mailbox.refuseNext = new Error('Connection lost');
  const browser = new Browser(service.url, service.services.publicUrl);
  await browser.send('POST', '/auth/request-password-reset', { body: { email } });
  // Waits long, because the first request loads the sign-in library, which takes seconds on a busy machine.
  await expect.poll(failed, { timeout: 20_000 }).toHaveLength(before.length + 1);
}

async function onDatabase(statements: string): Promise<void> {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query(statements);
  await client.end();
}

const waiting = () => service.services.database.kysely.selectFrom('outgoing_mail').selectAll().execute();

it('sends a message that failed at first, as text and as HTML, under a stable Message-ID', async () => {
  await leaveMail();
  const [left] = await waiting();
  expect(await sendDueMail(sender)).toBe(0);
  service.clock.advance(1, 'minutes');
  expect(await sendDueMail(sender)).toBe(1);
  expect(await waiting()).toEqual([]);
  const [mail] = smtp.mails;
  expect(mail).toMatchObject({
    envelopeFrom: 'noreply@affiliates.example.com',
    recipients: [account.ownerEmail],
    from: { name: 'Affiliates', address: 'noreply@affiliates.example.com' },
    subject: 'Reset your password',
    messageId: `<${left!.id}@affiliates.example.com>`,
  });
  const link = /https:\/\/affiliates\.example\.com\/reset-password#token=\w+/.exec(mail!.text!)![0];
  expect(mail!.html).toContain(`href="${link}"`);
  expect(mail!.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
});

it('has answers go to the support address of the account', async () => {
  const letterhead = { name: 'Northwind Tea', logoUrl: null, colors: null, supportEmail: 'help@shop.example.com' };
  const link = { label: 'Open', url: 'https://affiliates.example.com' };
  const letter = { to: account.ownerEmail, language: 'en' as const, subject: 'News', lines: ['News'], link, closing: '' };
  await sender.mailer.send({ id: 'mail_1', ...compose({ ...letter, letterhead }) });
  await sender.mailer.send({ id: 'mail_2', ...compose(letter) });
  expect(smtp.mails.map(({ replyTo }) => replyTo?.map(({ address }) => address))).toEqual([['help@shop.example.com'], undefined]);
});

it('puts the unsubscribe address into the headers of RFC 8058', async () => {
  const unsubscribeUrl = 'https://affiliates.example.com/unsubscribe?token=v1.x';
  await sender.mailer.send({ id: 'mail_1', to: account.ownerEmail, subject: 'News', text: '', html: '', unsubscribeUrl });
  const headers = new Map(smtp.mails[0]!.headers.map(({ key, value }) => [key, value]));
  expect(headers.get('list-unsubscribe')).toBe(`<${unsubscribeUrl}>`);
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
});

it('retries with growing delays while the server refuses', async () => {
  await leaveMail();
  const waits: number[] = [];
  for (const minutes of [1, 5, 30]) {
    smtp.refusals.push(new Error('Try later'));
    service.clock.advance(minutes, 'minutes');
    expect(await sendDueMail(sender)).toBe(0);
    const [row] = await waiting();
    expect(row).toMatchObject({ last_error: expect.stringContaining('Try later') });
    waits.push((Date.parse(row!.next_attempt_at!) - service.clock.now().getTime()) / 60_000);
  }
  expect(waits).toEqual([5, 30, 120]);
  // The link in the message has expired by now, so the message must not be sent.
  service.clock.advance(30, 'minutes');
  expect(await sendDueMail(sender)).toBe(0);
  expect(await waiting()).toEqual([]);
  expect(smtp.mails).toEqual([]);
});

it('sends a message once, however many processes check the outbox', async () => {
  await leaveMail();
  service.clock.advance(1, 'minutes');
  const sent = await Promise.all(Array.from({ length: 8 }, () => sendDueMail(sender)));
  expect(sent.filter((count) => count > 0)).toEqual([1]);
  expect(smtp.mails).toHaveLength(1);
});

it('sends the message of a process that died while sending', async () => {
  await leaveMail();
  service.clock.advance(1, 'minutes');
  const killed = new Promise<never>(() => undefined);
  void sendDueMail({ ...sender, mailer: { send: () => killed } });
  await expect.poll(async () => (await waiting())[0]?.attempts).toBe(2);
  expect(await sendDueMail(sender)).toBe(0);
  service.clock.advance(2, 'minutes');
  expect(await sendDueMail(sender)).toBe(1);
});

it('does not count attempts while the server cannot be reached', async () => {
  await leaveMail();
  service.clock.advance(1, 'minutes');
  const unreachable = createSmtpMailer({ url: 'smtp://127.0.0.1:1', from: 'noreply@affiliates.example.com' });
  for (let attempt = 0; attempt < 10; attempt += 1) {
    expect(await sendDueMail({ ...sender, mailer: unreachable })).toBe(0);
    service.clock.advance(10, 'seconds');
  }
  expect(await waiting()).toMatchObject([{ attempts: 1 }]);
  expect(await sendDueMail(sender)).toBe(1);
});

it('stores links only encrypted in the database', async () => {
  await leaveMail();
  const stored = JSON.stringify(await waiting());
  service.clock.advance(1, 'minutes');
  await sendDueMail(sender);
  const token = /#token=(\w+)/.exec(smtp.mails[0]!.text!)![1]!;
  expect(stored).not.toContain(token);
  expect(stored).not.toContain(account.ownerEmail);
});

it('sends to exactly the given address, whatever characters it contains', async () => {
  const other = createSmtpMailer({ url: smtp.url, from: 'noreply@affiliates.example.com' });
  await other.send({
    id: 'mail_1',
    to: '"a,b"@example.com',
    subject: 'One\r\nBcc: victim@example.com',
    text: 'x',
    html: '<p>x',
  });
  expect(smtp.mails[0]!.recipients).toEqual(['"a,b"@example.com']);
  expect(smtp.mails[0]!.bcc).toBeUndefined();
  other.close!();
});

it('reports an unreachable server and a wrong password', async () => {
  const message = { id: 'mail_1', to: 'ada@example.com', subject: 'x', text: 'x', html: 'x' };
  const wrong = createSmtpMailer({ url: smtp.url.replace('p%40ss', 'wrong'), from: 'a@example.com' });
  await expect(wrong.send(message)).rejects.toThrow(/Wrong password/);
  const closed = createSmtpMailer({ url: 'smtp://127.0.0.1:1', from: 'a@example.com' });
  await expect(closed.send(message)).rejects.toThrow(/ECONNREFUSED/);
});

it('is swept by workers', async () => {
  const other = await startService({ worker: {} });
  try {
    const { ownerEmail } = await other.createAccount();
    other.mailbox.refuseNext = new Error('Connection lost');
    const browser = new Browser(other.url, other.services.publicUrl);
    await browser.send('POST', '/auth/request-password-reset', { body: { email: ownerEmail } });
    await expect
      .poll(() => other.log.lines.map(({ message }) => message), { timeout: 10_000 })
      .toContain('an email could not be sent');
    other.clock.advance(2, 'minutes');
    await other.worker!.sweepNow();
    await other.mailbox.take(ownerEmail, /password/);
  } finally {
    await other.stop();
  }
});

describe('messages left to the sender', () => {
  let jobs: Services['jobs'];
  /** A sender that does not know the pace of the server yet, so it begins with one message at a time. */
  let fresh: Services;
  beforeEach(() => {
    ({ jobs } = service.services);
    service.services.jobs = { send: () => undefined };
    fresh = { ...sender, mailer: createSmtpMailer({ url: smtp.url, from: 'noreply@affiliates.example.com' }) };
  });
  afterEach(() => {
    service.services.jobs = jobs;
    fresh.mailer.close!();
  });

  it('are sent in turn by account', async () => {
    const others = await Promise.all([service.createAccount(), service.createAccount()]);
    for (let nth = 0; nth < 10; nth += 1)
      await account.api.post('/invitations', { kind: 'member', email: `first-${nth}@example.com` });
    for (const [i, other] of others.entries())
      await other.api.post('/invitations', { kind: 'member', email: `other-${i}@example.com` });
    const order: string[] = [];
    await sendDueMail({ ...fresh, mailer: { send: async ({ to }) => void order.push(to) } });
    expect(order).toHaveLength(12);
    for (const email of ['other-0@example.com', 'other-1@example.com']) expect(order.indexOf(email)).toBeLessThan(4);
  });

  describe('a recipient’s host', () => {
    const invite = async (email: string) =>
      expect((await account.api.post('/invitations', { kind: 'member', email })).status).toBe(201);
    const rows = async () => (await waiting()).map(({ attempts, next_attempt_at }) => ({ attempts, next_attempt_at }));
    const inMinutes = (minutes: number) => new Date(service.clock.now().getTime() + minutes * 60_000).toISOString();

    afterEach(() => smtp.repliesByHost.clear());

    const BUSY = ['450 4.3.2 Not now', '451 4.4.1 No answer', '451 4.7.1 Try later', '451 Try later'];
    it.each(BUSY)('gets no messages for a while after it has answered %s, and other hosts get theirs', async (reply) => {
      smtp.repliesByHost.set('busy.example', reply);
      for (const email of ['a@busy.example', 'b@busy.example', 'c@free.example']) await invite(email);
      await sendDueMail(fresh);
      expect(smtp.mails.map(({ recipients }) => recipients[0])).toEqual(['c@free.example']);
      await invite('d@busy.example');
      expect((await rows()).map(({ next_attempt_at }) => next_attempt_at)).toEqual(Array(3).fill(inMinutes(1)));
      expect((await rows()).filter(({ attempts }) => attempts > 0)).toHaveLength(1);
      smtp.repliesByHost.clear();
      service.clock.advance(1, 'minutes');
      expect(await sendDueMail(fresh)).toBe(3);
    });

    it('gets no messages for a while after the server has answered 421, which is no failed attempt', async () => {
      smtp.repliesByHost.set('closing.example', '421 4.3.2 Closing');
      await invite('a@closing.example');
      await sendDueMail(fresh);
      expect(smtp.mails).toEqual([]);
      expect(await rows()).toEqual([{ attempts: 0, next_attempt_at: inMinutes(1 / 6) }]);
      smtp.repliesByHost.clear();
      service.clock.advance(10, 'seconds');
      expect(await sendDueMail(fresh)).toBe(1);
    });

    it.each(['452 4.2.2 Mailbox full', '450 4.1.8 Greylisted', '450 Try later'])(
      'gets the messages to other addresses while it answers %s for one',
      async (reply) => {
        smtp.repliesByHost.set('mixed.example', reply);
        await invite('full@mixed.example');
        await sendDueMail(fresh);
        smtp.repliesByHost.clear();
        await invite('other@mixed.example');
        await sendDueMail(fresh);
        expect(smtp.mails.map(({ recipients }) => recipients[0])).toEqual(['other@mixed.example']);
        expect(await rows()).toEqual([{ attempts: 1, next_attempt_at: inMinutes(1) }]);
        service.clock.advance(1, 'minutes');
        expect(await sendDueMail(fresh)).toBe(1);
      },
    );

    it('that has no such address gets no messages', async () => {
      smtp.repliesByHost.set('gone.example', '550 5.1.1 No such user');
      await invite('a@gone.example');
      await sendDueMail(fresh);
      expect(await waiting()).toEqual([]);
      expect(smtp.mails).toEqual([]);
    });
  });
});

describe('a message whose outcome cannot be stored', () => {
  const breakDeletion = (id: string) =>
    onDatabase(
      `create function fail_outcome() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
       create trigger fail_outcome before delete on outgoing_mail for each row when (old.id = '${id}') execute function fail_outcome()`,
    );
  const repairDeletion = () => onDatabase('drop function if exists fail_outcome cascade');
  afterEach(repairDeletion);

  it('takes no place of others, is not sent again, and is deleted once that is possible', async () => {
    await leaveMail();
    const [broken] = await waiting();
    await breakDeletion(broken!.id);
    service.clock.advance(1, 'minutes');
    expect(await sendDueMail(sender)).toBe(1);
    expect(await waiting()).toHaveLength(1);

    const other = await service.createAccount();
    await leaveMail(other.ownerEmail);
    service.clock.advance(1, 'minutes');
    expect(await sendDueMail(sender)).toBe(1);
    service.clock.advance(4, 'minutes');
    expect(await sendDueMail(sender)).toBe(0);
    expect(smtp.mails.map(({ recipients }) => recipients[0])).toEqual([account.ownerEmail, other.ownerEmail]);

    await repairDeletion();
    await untilMailIsSent(sender);
    expect(await waiting()).toEqual([]);
  });

  it('holds up no other message when it has expired', async () => {
    await leaveMail();
    await breakDeletion((await waiting())[0]!.id);
    service.clock.advance(2, 'days');
    const other = await service.createAccount();
    await leaveMail(other.ownerEmail);
    service.clock.advance(1, 'minutes');
    expect(await sendDueMail(sender)).toBe(1);
    await expect(purgeRows(service.services, 'outgoing_mail')).rejects.toThrow('broken');
    await repairDeletion();
    expect(await purgeRows(service.services, 'outgoing_mail')).toBe(1);
  });
});

it('is sent although the database failed when the sender looked for it before', async () => {
  await leaveMail();
  service.clock.advance(1, 'minutes');
  await onDatabase('alter table outgoing_mail rename to missing');
  await expect(sendDueMail(sender)).rejects.toThrow('does not exist');
  await onDatabase('alter table missing rename to outgoing_mail');
  expect(await sendDueMail(sender)).toBe(1);
});
