import { createLogMailer } from '@affiliate/app/log-mailer';
import { expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { newMember, ownerOf } from '../support/people.ts';
import type { Outputs } from '../support/service.ts';
import { useAccount } from '../support/suite.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const mailer = createLogMailer(silent);
const { service, browser } = usePages({ mailer });
const account = useAccount(service, 'file');

type UnsentMails = Outputs['account']['unsentMails'];
const read = (reader: Browser, account_id = account.id) => reader.query<UnsentMails>('account.unsentMails', { account_id });
/** Waits until the mailer has got a message to a person. */
const untilMailed = (email: string) => expect.poll(() => mailer.recent.some(({ to }) => to === email)).toBe(true);

it('an owner without a mail server finds an invitation in the outbox, and opens its link', async () => {
  await using owner = await Visitor.ownerAt('/settings/members', browser, service, account);
  await account.client.invitations.create.mutate({ kind: 'member', email: 'sofia@example.com', role: 'admin' });
  await untilMailed('sofia@example.com');
  await owner.page.getByText('Emails are not sent').waitFor();
  await owner.page.getByRole('link', { name: 'Open the outbox' }).click();
  await owner.heading('Outbox');
  await owner.page.getByRole('button', { name: /sofia@example\.com/ }).click();
  expect(await owner.faults()).toEqual([]);
  const link = await owner.page.getByRole('link', { name: /\/invitation/ }).getAttribute('href');
  const { pathname, hash } = new URL(link!);
  await owner.open(pathname + hash);
  await owner.page.getByText('sofia@example.com').first().waitFor();
});

it('the outbox has no emails about sign-ins, and is not for admins', async () => {
  const owner = await ownerOf(service, account);
  const admin = await newMember(service, account, 'admin');
  const stranger = new Browser(service.url, service.services.publicUrl);
  await stranger.send('POST', '/auth/request-password-reset', { body: { email: admin.email } });
  await stranger.send('POST', '/auth/request-password-reset', { body: { email: owner.email } });
  await untilMailed(admin.email);
  await untilMailed(owner.email);
  const { mails } = (await read(owner.browser)).body.result!.data;
  expect(mails!.map(({ to }) => to)).toEqual(['sofia@example.com']);
  expect(await read(admin.browser)).toMatchObject({ status: 403 });
  expect(await read(stranger)).toMatchObject({ status: 401 });
});

it('the outbox shows nothing while the installation has a program of another owner, and never that program’s emails', async () => {
  const owner = await ownerOf(service, account);
  const other = await service.createAccount();
  expect((await read(owner.browser)).body.result?.data).toEqual({ mails: null, reason: 'other_owners' });
  expect(await read(owner.browser, other.id)).toMatchObject({ status: 403 });
  await using visitor = await Visitor.ownerAt('/settings/outbox', browser, service, account);
  await visitor.page.getByText('There are programs of other owners').waitFor();
  expect(await visitor.faults({ isCheckedElsewhere: true })).toEqual([]);
});
