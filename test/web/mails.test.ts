import { expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { must, program, sell } from '../support/program.ts';
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

it('the page of emails says who gets the emails of the program, and an affiliate ends them by the link of an email', async () => {
  const account = await service.createAccount();
  const { affiliate, link } = await program(account, { days_until_commissions_are_due: 0 });
  const referral = await must<{ id: string }>(account, '/referrals', { link_id: link.id });
  await sell(account, { referral_id: referral.id });
  const payouts = await account.client.payouts.list.query({ affiliate_id: affiliate.id });
  await account.client.payouts.pay.mutate({ id: payouts.data[0]!.id });
  const { unsubscribeUrl } = await service.mailbox.take(affiliate.email, /has paid your commissions/);

  await using owner = await Visitor.ownerAt('/settings/mails', browser, service, account);
  const choice = owner.page.getByLabel('Who gets the emails of the program');
  const shown = (text: string) => expect.poll(() => choice.locator('option:checked').textContent()).toBe(text);
  await shown('All affiliates, however they were added (1)');
  await choice.selectOption('signed_in');
  await shown('Only affiliates who have signed in at least once (0)');
  await choice.selectOption('everyone');
  await shown('All affiliates, however they were added (1)');
  expect(await owner.faults()).toEqual([]);

  const { pathname, search } = new URL(unsubscribeUrl!);
  await using ada = await Visitor.arrive(browser, service.url);
  await ada.open(pathname + search);
  await ada.heading('Emails of Test account');
  expect(await ada.faults()).toEqual([]);
  await ada.page.reload();
  await ada.button('End these emails').click();
  await ada.page.getByText('You no longer get these emails from Test account.').waitFor();
  await owner.page.reload();
  await owner.page
    .getByRole('row', { name: new RegExp(affiliate.email) })
    .getByText('Has ended the emails of the program')
    .waitFor();
  expect(await owner.page.getByRole('button', { name: /^Send emails again/ }).count()).toBe(0);
  await shown('All affiliates, however they were added (0)');
  await ada.page.reload();
  await ada.button('Get these emails again').click();
  await ada.button('End these emails').waitFor();
  await owner.page.reload();
  await shown('All affiliates, however they were added (1)');
});
