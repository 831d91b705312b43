import { createSmtpMailer } from '@affiliate/app/mail';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { ownerOf, signedIn } from '../support/people.ts';
import { type Outputs, type TestAccount, type TestService, startService } from '../support/service.ts';
import { type TestSmtpServer, startSmtpServer } from '../support/smtp-server.ts';

let smtp: TestSmtpServer;
let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  smtp = await startSmtpServer();
  service = await startService({ mailer: createSmtpMailer({ url: smtp.url, from: 'Affiliates <noreply@example.com>' }) });
  account = await service.createAccount();
  await service.services.database.kysely.updateTable('account').set({ name: 'Café “Søren” & Co' }).execute();
});
afterAll(async () => {
  await service.stop();
  await smtp.close();
});

it('a person can follow an owner’s invitation, sent over SMTP, and sign in', async () => {
  const owner = await ownerOf(service, account);
  const body = { kind: 'member', email: 'grace@example.com', role: 'admin' };
  expect((await owner.browser.send('POST', '/api/v1/invitations', { body })).status).toBe(201);

  await expect.poll(() => smtp.mails).toHaveLength(1);
  const mail = smtp.mails[0]!;
  expect(mail).toMatchObject({
    envelopeFrom: 'noreply@example.com',
    recipients: ['grace@example.com'],
    subject: 'Join Café “Søren” & Co',
    text: expect.stringContaining('the team of Café “Søren” & Co'),
    html: expect.stringContaining('the team of Café “Søren” &amp; Co'),
  });
  const link = new URL(/https:\S+/.exec(mail.text!)![0]);
  expect(link.href.startsWith(`${service.services.publicUrl}/invitation#`)).toBe(true);
  expect(mail.html).toContain(`href="${link.href}"`);

  const token = new URLSearchParams(link.hash.slice(1)).get('token');
  const visitor = new Browser(service.url, service.services.publicUrl);
  const join = { token, password: 'a password of hers', first_name: 'Grace' };
  expect((await visitor.mutate('invitations.join', join)).status).toBe(200);
  const grace = await signedIn(service, 'grace@example.com', 'a password of hers');
  const session = await grace.query<Outputs['session']['get']>('session.get');
  expect(session.body.result!.data.accounts).toMatchObject([{ id: account.id, role: 'admin' }]);
});
