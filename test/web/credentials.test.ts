import { expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { credentials } from '../support/service.ts';
import { THOROUGH } from '../support/thorough.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const { service, browser } = usePages();

/**
 * Returns all texts that the page keeps in memory or shows. In the ordinary run, returns only the texts that the page shows, because a snapshot of
 * the memory takes seconds.
 */
function keptText(owner: Visitor): Promise<string> {
  return THOROUGH ? owner.memory() : owner.content();
}

it('an owner creates an API key with selected permissions, sees it once, and revokes it', async () => {
  const account = await service.createAccount();
  await using owner = await Visitor.ownerAt('/settings/members', browser, service, account);
  await owner.page.getByRole('link', { name: 'API keys' }).click();
  await owner.button('Create API key').first().click();
  await owner.page.getByRole('textbox', { name: 'Name' }).fill('Nightly export');
  await owner.page.getByRole('combobox', { name: 'Affiliates' }).selectOption('read');
  expect(await owner.faults()).toEqual([]);
  await owner.dialog().getByRole('button', { name: 'Create' }).click();

  const secret = (await owner.page.getByTestId('secret').textContent())!;
  const list = (path: string) => send(`${service.url}/api/v1/${path}`, 'GET', { headers: credentials(account.id, secret) });
  expect(await list('affiliates')).toMatchObject({ status: 200 });
  expect(await list('commissions')).toMatchObject({ status: 403 });
  expect(await keptText(owner)).toContain(secret);
  await owner.button('Done').click();
  const row = owner.page.getByRole('row', { name: /Nightly export/ });
  await row.getByText('v1.affiliates.read').waitFor();
  expect(await owner.content()).not.toContain(secret.slice(-20));
  expect(await keptText(owner)).not.toContain(secret);
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);

  await owner.button('Revoke: Nightly export').click();
  expect(await owner.faults()).toEqual([]);
  await owner.dialog().getByRole('button', { name: 'Revoke' }).click();
  await row.getByText('Revoked').waitFor();
  expect(await list('affiliates')).toMatchObject({ status: 401 });

  await owner.button('Sign out').click();
  await owner.heading('Sign in');
  const memory = await owner.memory();
  expect(memory).toContain('Sign in');
  for (const known of [secret, 'Nightly export', account.ownerEmail, account.id]) expect(memory).not.toContain(known);
});

it.runIf(THOROUGH)('a connector can manage promo codes only if that was allowed', async () => {
  const account = await service.createAccount();
  await using owner = await Visitor.ownerAt('/settings/members', browser, service, account);
  await owner.page.getByRole('link', { name: 'Connectors' }).click();
  for (const [name, allowed] of [
    ['Reader', false],
    ['Promoter', true],
  ] as const) {
    await owner.button('Create connector').first().click();
    await owner.page.getByRole('textbox', { name: 'Name' }).fill(name);
    await owner.page.getByLabel('Allow promo code management').setChecked(allowed);
    await owner.dialog().getByRole('button', { name: 'Create' }).click();
    await owner.page.getByTestId('secret').waitFor();
    await owner.button('Done').click();
  }
  await owner.page.getByRole('row', { name: /Promoter.*write affiliate coupons/ }).waitFor();
  await owner.page.getByRole('row', { name: /Reader.*Read \(/ }).waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
});
