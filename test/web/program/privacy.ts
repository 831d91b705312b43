import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { program, refer, sell } from '../../support/program.ts';
import type { Shop } from './shop.ts';

export function privacy(shop: Shop): void {
  it('of a customer can be exported and erased', async () => {
    const started = await program(shop.account);
    const { id: referral_id } = await refer(shop.account, started);
    await sell(shop.account, { referral_id, customer_email: 'private@buyer.example' });
    const { body } = await shop.account.api.get<{ data: { id: string }[] }>('/customers', { search: 'private@buyer.example' });
    await using owner = await shop.ownerAt(`/customers/${body.data[0]!.id}`);
    const [file] = await Promise.all([owner.page.waitForEvent('download'), owner.button('Export personal data').click()]);
    expect(await readFile(await file.path(), 'utf8')).toContain('private@buyer.example');
    await owner.page.getByRole('button', { name: 'Erase personal data: private@buyer.example' }).click();
    await owner.dialog().getByText('This cannot be undone.').waitFor();
    expect(await owner.faults()).toEqual([]);
    await owner.dialog().getByRole('button', { name: 'Erase personal data' }).click();
    await owner.page.getByText('The personal data were erased').waitFor();
    expect(await owner.content()).not.toContain('private@buyer.example');
    expect(await owner.faults()).toEqual([]);
  });

  it('of an affiliate can be erased', async () => {
    const { affiliate } = await program(shop.account, {}, { first_name: 'Edith', email: 'edith@private.example' });
    await using owner = await shop.ownerAt(`/affiliates/${affiliate.id}`);
    await owner.page.getByRole('button', { name: /^Erase personal data: Edith/ }).click();
    await owner.dialog().getByRole('button', { name: 'Erase personal data' }).click();
    await owner.page.getByText('The personal data were erased').waitFor();
    expect(await owner.content()).not.toContain('edith@private.example');
    expect(await owner.button('Restore').count()).toBe(0);
    expect(await owner.faults()).toEqual([]);
  });
}
