import { expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { program } from '../support/program.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const TOKEN = 'token-of-the-mail-provider';
const { service, browser } = usePages({ mailReportsToken: TOKEN });

const report = (email: string, reason: 'complaint' | 'no_such_recipient') =>
  send(`${service.url}/mail/reports/${TOKEN}`, 'POST', { body: { email, reason } });

it('the page of emails names the blocked addresses, and sends to one of them again', async () => {
  const account = await service.createAccount();
  const { affiliate } = await program(account);
  await account.client.invitations.create.mutate({ kind: 'member', email: 'gone@example.com' });
  await report(affiliate.email, 'complaint');
  await report('gone@example.com', 'no_such_recipient');
  await using owner = await Visitor.ownerAt('/settings/mails', browser, service, account);
  const row = (email: string) => owner.page.getByRole('row', { name: new RegExp(email) });
  await row(affiliate.email).getByText('Reported an email as spam').waitFor();
  await row('gone@example.com').getByText('The address does not exist').waitFor();
  expect(await owner.faults()).toEqual([]);

  await owner.button('Send emails again: gone@example.com').click();
  await owner.page.getByText('gone@example.com gets emails again.').waitFor();
  await row('gone@example.com').waitFor({ state: 'detached' });
  await row(affiliate.email).waitFor();
  await owner.button(`Send emails again: ${affiliate.email}`).click();
  await owner.page.getByRole('heading', { name: 'Addresses that get no emails' }).waitFor({ state: 'detached' });
  expect((await account.client.emailTexts.listBlocked.query()).data).toEqual([]);
});
