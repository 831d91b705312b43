import { beforeEach, expect, it } from 'vitest';
import { payee } from '../payouts/program.ts';
import type { TestAccount } from '../support/service.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const { service, browser } = usePages();
let account: TestAccount;

beforeEach(async () => {
  account = await service.createAccount();
});

const german = () => Visitor.arrive(browser, service.url, { locale: 'de-DE', isFresh: true });

it('a refused sign-in reads in the language of the page', async () => {
  await using visitor = await german();
  await visitor.open('/sign-in');
  await visitor.page.getByLabel('E-Mail').fill(account.ownerEmail);
  await visitor.page.getByLabel('Passwort', { exact: true }).fill('not the password');
  await visitor.page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await visitor.page.getByRole('alert').getByText('E-Mail-Adresse oder Passwort stimmt nicht.').waitFor();
  expect(await visitor.faults({ isCheckedElsewhere: true })).toEqual([]);
});

it('a refused field reads in the language of the page, and so does a refusal without a field', async () => {
  const { payout } = await payee(account, { amount_cents: 10_000 });
  await using owner = await german();
  const { email } = await account.client.affiliates.get.query({ id: payout.affiliate_id });
  await owner.enter('/affiliates', { email: account.ownerEmail, password: account.ownerPassword });
  await owner.button('Partner hinzufügen').first().click();
  await owner
    .dialog()
    .getByRole('textbox', { name: /^E-Mail(?! für)/ })
    .fill(email);
  await owner.dialog().getByRole('button', { name: 'Hinzufügen', exact: true }).click();
  await owner.dialog().getByText('Ein anderer Partner hat diese E-Mail-Adresse.').waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);

  // Somebody else pays while the page is open.
  await owner.open('/payouts');
  const pay = owner.button(/^Als bezahlt markieren: /);
  await pay.click();
  await account.client.payouts.pay.mutate({ id: payout.id });
  await owner.dialog().getByRole('button', { name: 'Als bezahlt markieren' }).click();
  await owner.page.getByRole('alert').getByText('Diese Auszahlung ist schon bezahlt.').waitFor();
});
