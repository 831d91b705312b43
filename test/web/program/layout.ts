import { expect, it } from 'vitest';
import { program, refer, sell } from '../../support/program.ts';
import type { Shop } from './shop.ts';

export function layout(shop: Shop): void {
  it('supports reviewing a commission with the keyboard alone', async () => {
    const friends = await program(shop.account, { days_until_commissions_are_due: 0 });
    const { commission } = await sell(shop.account, { referral_id: (await refer(shop.account, friends)).id });
    await shop.account.api.post(`/commissions/${commission!.id}/review`, { review_action: 'suspicious' });
    await using owner = await shop.ownerAt('/');
    const { keyboard } = owner.page;
    const focused = () =>
      owner.page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent');
    /** Presses Tab until the named element has the focus. Throws if the element is not reached, e.g. because of a focus trap. */
    const tabTo = async (name: string) => {
      for (let stops = 0; stops < 40; stops += 1) {
        await keyboard.press('Tab');
        if ((await focused()) === name) return;
      }
      throw new Error(`${name} cannot be reached with the Tab key`);
    };
    await owner.page.getByRole('link', { name: '1 flagged commission' }).waitFor();
    await tabTo('Skip to content');
    await keyboard.press('Enter');
    await tabTo('1 flagged commission');
    await keyboard.press('Enter');
    await owner.heading('Needs review');
    await owner.button('Void: US$10.00 for Ada').waitFor();
    await tabTo('Void: US$10.00 for Ada');
    await keyboard.press('Enter');
    await owner.dialog().waitFor();
    await keyboard.press('Escape');
    await owner.dialog().waitFor({ state: 'detached' });
    expect(await focused()).toBe('Void: US$10.00 for Ada');
    await keyboard.press('Shift+Tab');
    expect(await focused()).toBe('Approve: US$10.00 for Ada');
    await keyboard.press('Enter');
    await owner.page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
    const { body } = await shop.account.api.get(`/commissions/${commission!.id}`);
    expect(body).toMatchObject({ review_status: 'approved' });
  });

  it('shows no animations to users who prefer reduced motion', async () => {
    await using owner = await shop.ownerAt('/affiliates');
    await owner.page.getByRole('heading', { name: 'No affiliates yet' }).waitFor();
    const { page } = owner;
    await page.evaluate(`window.moved = [];
      for (const type of ['transitionrun', 'animationstart'])
        addEventListener(type, ({ target, propertyName }) => moved.push(type + ' of ' + (propertyName ?? '') + ': ' + target.className));`);
    /** Returns the animations and transitions that have started, after waiting for two frames. */
    const moved = () =>
      page.evaluate<string[]>(
        'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(moved)))))',
      );
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await moved()).toEqual([]);
    await owner.button('Menu').click();
    expect(await moved()).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await moved()).toEqual([]);
  });

  it('stays usable when one page crashes and shows an error', async () => {
    await using owner = await shop.ownerAt('/affiliates');
    await owner.heading('Affiliates');
    // Returns a response that does not match the page, and that the service never sends.
    const nonsense = (url: string) =>
      url
        .split('?')[0]!
        .split(',')
        .map(() => ({ result: { data: { days: 1 } } }));
    await owner.page.route(/overview\.daily/, (route) => route.fulfill({ json: nonsense(route.request().url()) }));
    await owner.page.getByRole('link', { name: 'Overview' }).click();
    await owner.page.getByRole('alert').waitFor();
    expect(await owner.page.getByRole('alert').textContent()).toContain('Something went wrong');
    await owner.page.getByRole('link', { name: 'Affiliates' }).click();
    await owner.page.getByRole('heading', { name: 'No affiliates yet' }).waitFor();
  });
}
