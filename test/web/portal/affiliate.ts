import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { must, sell } from '../../support/program.ts';
import type { Visitor } from '../visitor.ts';
import { type Portal, checkLooks, turnTo } from './portal.ts';

/** Returns the compressed size in bytes of the scripts and style sheets that the open page has loaded. */
async function transferred(visitor: Visitor): Promise<number> {
  return visitor.page.evaluate<number>(
    `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/'))
      .reduce((total, { encodedBodySize }) => total + encodedBodySize, 0)`,
  );
}

export function affiliate(portal: Portal): void {
  it('an affiliate on a phone accepts an invitation, shares a link, and sees clicks, sales, payouts and statements', async () => {
    const { data: campaigns } = await portal.account.client.campaigns.list.query({});
    await must(portal.account, '/invitations', {
      kind: 'affiliate',
      email: 'ada@partner.example',
      campaign_id: campaigns[0]!.id,
    });

    await using ada = await portal.arriveByPhone();
    await ada.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    // The affiliate needs only three clicks after the email arrives: open its link, accept, copy the affiliate link.
    await ada.open(await portal.mailedPath('ada@partner.example', /Become an affiliate/));
    await ada.page.getByLabel('Code of your link').fill('ä');
    await ada.button('Accept').click();
    await ada.page.getByText('Use 3 to 64 letters').waitFor();
    expect(await ada.faults()).toEqual([]);
    await ada.page.getByLabel('Code of your link').fill('Adas Blätter');
    await ada.button('Accept').click();
    await ada.heading(/^Welcome/);
    const bytes = await transferred(ada);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(170_000);
    await checkLooks(ada, { isCheckedElsewhere: true });
    await ada.button(/^Copy link/).click();
    await ada.button(/^Copied link/).waitFor();
    const link = await ada.page.evaluate<string>('navigator.clipboard.readText()');
    expect(link).toMatch(/\/adas-blaetter$/i);

    const click = await fetch(link.replace(/^https?:\/\/[^/]+/, portal.service.url), {
      redirect: 'manual',
      headers: {
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36',
      },
    });
    const referral_id = new URL(click.headers.get('location')!).searchParams.get('referral')!;
    await sell(portal.account, { referral_id, amount_cents: 12_300, customer_email: 'karen@customer.example' });
    await ada.page.reload();
    await ada.page.getByText('Payouts start at').waitFor();
    await checkLooks(ada);
    await ada.picture('portal');

    await turnTo(ada, 'Links');
    await ada.page.getByLabel('Link code').fill('tea-time');
    await ada.button('Create link').click();
    await ada.page.getByText('/tea-time').waitFor();
    // A phone offers its share sheet. The browser of the test has none.
    await ada.page.evaluate(
      `window.shared = []; Object.defineProperty(navigator, 'share', { value: async (data) => void shared.push(data.url) })`,
    );
    await turnTo(ada, 'Payouts');
    expect(await ada.page.title()).toBe('Payouts · Test account');
    await turnTo(ada, 'Links');
    await ada.button('Share link: tea-time').click();
    expect(await ada.page.evaluate<string[]>('shared')).toEqual([expect.stringMatching(/\/tea-time$/)]);
    await ada.button('QR code: tea-time').click();
    await ada.page.getByRole('img', { name: 'QR code of tea-time' }).waitFor();
    for (const [format, beginning] of [
      ['PNG', '\u0089PNG'],
      ['SVG', '<svg xmlns='],
    ] as const) {
      const [file] = await Promise.all([ada.page.waitForEvent('download'), ada.button(`${format}: QR code of tea-time`).click()]);
      expect(file.suggestedFilename()).toBe(`tea-time.${format.toLowerCase()}`);
      expect(readFileSync(await file.path(), 'latin1').slice(0, beginning.length)).toBe(beginning);
    }
    // Several pages make several links, and each can be archived.
    await ada.page.getByLabel('Page to share').fill('shop.example.com/green\nshop.example.com/black');
    await ada.button('Create link').click();
    await ada.page.getByText('leads to https://shop.example.com/black').waitFor();
    await ada.page.getByText('leads to https://shop.example.com/green').waitFor();
    const row = ada.page.getByRole('row', { name: 'https://shop.example.com/green' });
    await row.getByRole('button', { name: /^Archive/ }).click();
    await ada.dialog().getByRole('button', { name: 'Archive' }).click();
    await row.waitFor({ state: 'detached' });
    await ada.button('Name and code: tea-time').click();
    const naming = ada.page.getByRole('form', { name: 'Name and code: tea-time' });
    await naming.getByLabel('Name of the link').fill('Newsletter');
    await naming.getByLabel('Link code').fill('Grüner Tee');
    await naming.getByText('Free: your link ends in gruener-tee.').waitFor();
    await naming.getByRole('button', { name: 'Save' }).click();
    await ada.page.getByText('The former code tea-time goes on to work.').waitFor();
    await ada.page.getByRole('row', { name: /Newsletter.*gruener-tee/ }).waitFor();
    await checkLooks(ada);
    await ada.picture('portal-links');

    await sell(portal.account, { referral_id, amount_cents: 20_000, customer_email: 'karen@customer.example' });
    const { data: payouts } = await portal.account.client.payouts.list.query({});
    await must(portal.account, `/payouts/${payouts[0]!.id}/pay`, {}, 200);
    for (const [page, shown] of [
      ['Conversions', 'k•••@•••'],
      ['Commissions', 'Sale to k•••@••• #'],
      ['Commissions', 'The campaign pays 10%'],
      ['Payouts', 'Paid'],
    ] as const) {
      await turnTo(ada, page);
      await ada.page.getByText(shown).first().waitFor();
      await checkLooks(ada);
    }
    await ada.picture('portal-payouts');
    for (const format of ['CSV', 'PDF']) {
      const [download] = await Promise.all([
        ada.page.waitForEvent('download'),
        ada.button(new RegExp(`^${format}: statement`)).click(),
      ]);
      const end = `-usd-${payouts[0]!.id.slice(-6)}.${format.toLowerCase()}`;
      expect(download.suggestedFilename()).toMatch(/^statement-\d{4}-\d\d-\d\d-usd-/);
      expect(download.suggestedFilename()).toContain(end);
    }

    await turnTo(ada, 'Payout details');
    await ada.page.getByLabel('PayPal email').fill('ada@pay.example');
    await ada.button('Save').click();
    await ada.page.getByText('Saved.').waitFor();
    await ada.page.getByLabel('PayPal email').fill('');
    await ada.page.getByText('Saved.').waitFor({ state: 'detached' });
    await ada.button('Save').click();
    await ada.page.getByText('This is your only payout address.').waitFor();
    await checkLooks(ada);
    // The service has refused the entry, so it is not lost without a question.
    await Promise.all([turnTo(ada, 'Profile'), ada.button('Discard entries').click()]);
    await ada.page.getByLabel('New email address').fill('ada@new.example');
    await ada.button('Change email address').click();
    await ada.page.getByText('The change to ada@new.example waits').waitFor();
    await checkLooks(ada);
    await ada.open(await portal.mailedPath('ada@new.example', /Confirm your new email address/));
    await ada.heading('Change email address');
    await checkLooks(ada);
    await ada.button('Confirm').click();
    await ada.page.getByText('is waiting for the other address to be confirmed').waitFor();
  });
}
