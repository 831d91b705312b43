import { createSmtpMailer } from '@affiliate/app/mail';
import { type Services, sendDueMail } from '@affiliate/core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { type TestAccount, type TestService, startService } from '../support/service.ts';
import { type TestSmtpServer, startSmtpServer } from '../support/smtp-server.ts';

let service: TestService;
let smtp: TestSmtpServer;
/** Services of a second process, which sends over SMTP. The first process keeps its test mailbox. */
let sender: Services;
let account: TestAccount;

beforeAll(async () => {
  service = await startService();
  smtp = await startSmtpServer();
  const mailer = createSmtpMailer({ url: smtp.url, from: 'Affiliates <noreply@affiliates.example.com>' });
  sender = { ...service.services, mailer };
});
afterAll(async () => {
  await service.stop();
  await smtp.close();
});
beforeEach(async () => {
  account = await service.createAccount();
  smtp.mails.length = 0;
});

/** Leaves a message in the outbox, as after a failure of the mail server or of the sending process. */
async function leaveMail(): Promise<void> {
  service.mailbox.refuseNext = new Error('Connection lost');
  const browser = new Browser(service.url, service.services.publicUrl);
  await browser.send('POST', '/auth/request-password-reset', { body: { email: account.ownerEmail } });
  // Waits long, because the first request loads the sign-in library, which takes seconds on a busy machine.
  const failed = async () => (await waiting()).filter(({ last_error }) => last_error !== null);
  await expect.poll(failed, { timeout: 20_000 }).toHaveLength(1);
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
  const mailer = createSmtpMailer({ url: smtp.url, from: 'noreply@affiliates.example.com' });
  await mailer.send({
    id: 'mail_1',
    to: '"a,b"@example.com',
    subject: 'One\r\nBcc: victim@example.com',
    text: 'x',
    html: '<p>x',
  });
  expect(smtp.mails[0]!.recipients).toEqual(['"a,b"@example.com']);
  expect(smtp.mails[0]!.bcc).toBeUndefined();
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
    await expect.poll(() => other.log.lines.map(({ message }) => message)).toContain('an email could not be sent');
    other.clock.advance(2, 'minutes');
    await other.worker!.sweepNow();
    await other.mailbox.take(ownerEmail, /password/);
  } finally {
    await other.stop();
  }
});
