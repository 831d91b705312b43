import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Portal, checkLooks, turnTo } from './portal.ts';

/** An image of one pixel. */
const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

export function applicant(portal: Portal): void {
  it('a person applies on a phone, and the merchant approves the application and views the portal', async () => {
    await portal.account.client.portalSettings.update.mutate({
      slug: 'tea',
      terms: 'Be kind.',
      support_email: 'help@shop.example.com',
    });
    await using owner = await portal.ownerAt('/settings/portal');
    await owner.button('Add question').click();
    await owner.page.getByLabel('Question 1').fill('Where do you write?');
    await owner.page.getByLabel('Answer', { exact: true }).selectOption('A choice');
    await owner.page.getByLabel('Choices, one per line').fill('Blog\nVideo');
    await owner.page.locator('section', { hasText: 'Sign-up and portal' }).getByRole('button', { name: 'Save' }).click();
    await owner.page.getByText('Settings saved.').waitFor();
    const branding = owner.page.locator('section', { hasText: 'Branding' });
    await branding.getByLabel('Upload logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: LOGO });
    await owner.page.getByText('Logo saved.').waitFor();
    await branding.getByLabel('Name for affiliates').fill('Northwind Tea');
    await branding.getByLabel('Color of buttons').fill('#ffd000');
    await branding.getByRole('button', { name: 'Save' }).click();
    await owner.page.getByText('Branding saved.').waitFor();
    const large = { name: 'video.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) };
    await owner.page.getByLabel('Add file').setInputFiles(large);
    await owner.page.getByText('The file is larger than 5 MiB.').waitFor();
    await owner.page.getByLabel('Add file').setInputFiles({ name: 'banner.png', mimeType: 'image/png', buffer: LOGO });
    await owner.page.getByText('File added: banner.png').waitFor();
    await using grace = await portal.arriveByPhone();
    await grace.open('/join/tea/nothing');
    await grace.heading('Affiliate program');
    await grace.page.getByRole('alert').waitFor();
    await grace.button('Try again').waitFor();
    await checkLooks(grace);
    await grace.open('/join/tea/friends-of-the-shop');
    await grace.heading('Join Northwind Tea');
    await checkLooks(grace);
    await grace.picture('portal-join');
    await grace.page.getByLabel('Email').fill('grcae@partner.example');
    await grace.page.getByLabel('Code of your link').fill('official');
    await grace.page.getByText('This code is reserved. Choose another one.').waitFor();
    await grace.page.getByLabel('Code of your link').fill('Größer');
    await grace.page.getByText('Free: your link ends in groesser.').waitFor();
    await grace.page.getByLabel('Where do you write?').selectOption('Blog');
    await grace.page.getByText('Terms of the program').click();
    await grace.page.getByText('Be kind.').waitFor();
    await grace.button('Apply').click();
    await grace.page.getByText('Read and accept the terms.').waitFor();
    expect(await grace.page.locator(':focus').getAttribute('name')).toBe('accepted');
    await checkLooks(grace);
    await grace.page.getByLabel('I have read the terms').check();
    portal.service.clock.advance(5, 'seconds');
    await grace.button('Apply').click();
    await grace.heading('Confirm your address');
    // A wrong address can be corrected, and the email sent again.
    await grace.page.getByText('We have sent an email to grcae@partner.example.').waitFor();
    await checkLooks(grace);
    await grace.button('Correct the address').click();
    await grace.heading('Join Northwind Tea');
    expect(await grace.page.locator(':focus').getAttribute('name')).toBe('email');
    expect(await grace.page.getByLabel('Where do you write?').inputValue()).toBe('Blog');
    expect(await grace.page.getByLabel('I have read the terms').isChecked()).toBe(true);
    await grace.page.getByLabel('Email').fill('grace@partner.example');
    await grace.button('Apply').click();
    await grace.page.getByText('We have sent an email to grace@partner.example.').waitFor();
    await portal.service.mailbox.take('grace@partner.example', /Confirm your application/);
    await grace.button('Send the email again').click();
    await grace.page.getByText('We have sent the email to grace@partner.example again.').waitFor();
    expect(await grace.page.title()).toBe('Confirm your address · Northwind Tea');
    await grace.open(await portal.mailedPath('grace@partner.example', /Confirm your application/));
    await grace.heading('Your application');
    await checkLooks(grace);
    await grace.button('Confirm').click();
    await grace.heading('Application received');
    await checkLooks(grace);

    await owner.open('/affiliates');
    await owner.page.getByRole('link', { name: 'Applications' }).click();
    await owner.page.getByText('Where do you write? Blog').waitFor();
    expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
    await owner.page.getByLabel('Note to the applicants').fill('Nice blog!');
    await owner.button('Approve: grace@partner.example').click();
    await owner.page.getByText('1 application approved.').waitFor();
    expect((await portal.service.mailbox.take('grace@partner.example', /Welcome to the affiliate program/)).text).toContain(
      'Nice blog!',
    );
    await owner.open('/settings/portal');
    await owner.page.getByLabel('Terms of the program').fill('Be kind.\n\nBe honest.');
    await owner.page.getByLabel('What changes').fill('Honesty is new.');
    expect(await owner.faults()).toEqual([]);
    await owner.page
      .locator('form')
      .filter({ has: owner.page.getByLabel('What changes') })
      .getByRole('button', { name: 'Save' })
      .click();
    await owner.page.getByLabel('What changes').waitFor({ state: 'detached' });
    await owner.open('/affiliates');
    await grace.page.reload();
    await grace.heading('Welcome');
    await grace.page.getByText('Read and accept the terms').waitFor();
    await grace.page.getByText('They apply from').waitFor();
    await grace.page.getByText('Honesty is new.').waitFor();
    await grace.page.getByText('New or changed in the terms').click();
    await grace.page.getByText('Be honest.', { exact: true }).waitFor();
    await checkLooks(grace);
    await grace.button('Accept').click();
    await grace.page.getByText('Read and accept the terms').waitFor({ state: 'detached' });
    await grace.button(/^Copy link/).waitFor();
    await grace.page.getByText('/groesser').waitFor();
    await checkLooks(grace, { isCheckedElsewhere: true });
    await turnTo(grace, 'Materials');
    await checkLooks(grace);
    const [banner] = await Promise.all([grace.page.waitForEvent('download'), grace.button('Download: banner.png').click()]);
    expect(readFileSync(await banner.path())).toEqual(LOGO);

    const { data } = await portal.account.client.affiliates.list.query({ email: 'grace@partner.example' });
    await owner.open(`/affiliates/${data[0]!.id}`);
    await owner.page.getByText('Your note: Nice blog!').waitFor();
    await owner.button('More').click();
    const [tab] = await Promise.all([
      owner.page.context().waitForEvent('page'),
      owner.button('View portal as affiliate').click(),
    ]);
    await tab.getByText('You are looking at the portal of an affiliate').waitFor();
    expect(new URL(tab.url()).pathname).toMatch(/^\/portal/);
  });
}
