import { remindOfPayoutDetails, tellOfEndedCampaigns, tellOfEndedMemberships } from '@affiliate/core';
import { expect, it } from 'vitest';
import { EXPIRES_AT, outlookStates } from '../portal/outlook-states.ts';
import { mailedToken } from '../portal/people.ts';
import { sendAllMail } from '../support/mailbox.ts';
import { ownerOf } from '../support/people.ts';
import { program, unique } from '../support/program.ts';
import { sample } from '../support/thorough.ts';
import { startMerchantSite } from './portal/merchant-site.ts';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const { service, browser } = usePages({ writesRows: true });

/** Time zones of readers. The days are those of the account for all of them. */
const READERS = { timeZone: 'Asia/Tokyo', isFresh: true };

// test/portal/payment-outlook.test.ts compares what the service says in all states. This test reads it on the pages, in some of the states in the ordinary run.
it('an affiliate in each state reads the same sentences in the portal, in a frame, in emails and on the page of the merchant', async () => {
  const account = await service.createAccount();
  const timeZone = service.clock.now().getUTCHours() < 10 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
  const { browser: member } = await ownerOf(service, account);
  expect((await member.mutate('account.update', { account_id: account.id, time_zone: timeZone })).status).toBe(200);
  const { states, earn } = outlookStates(service, account);
  const dayOf = (language: string, at: number) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(new Date(at));
  await using owner = await Visitor.arrive(browser, service.url, READERS);
  await owner.enter('/icon.svg', { email: account.ownerEmail, password: account.ownerPassword });
  let token = '';
  await using site = await startMerchantSite(
    () => `<script src="${service.url}/embed.js" data-account="${account.id}" data-token="${token}" data-language="en"></script>`,
    'localhost',
  );
  await account.client.portalSettings.update.mutate({ embed_origins: [site.origin] });
  process.stdout.write('| The affiliate | Emails | Portal (German) | Frame | Page of the merchant |\n|---|---|---|---|---|\n');
  for (const [name, { terms, person, become, expected }] of sample(Object.entries(states), 2, 0)) {
    const email = `${unique('ada')}@partner.example`;
    const started = await program(account, { days_until_commissions_are_due: 0, ...terms }, { email, ...person });
    await using ada = await Visitor.arrive(browser, service.url, { ...READERS, locale: 'de-DE', width: 390, height: 844 });
    const post = (path: string, data: object) =>
      ada.page.request.post(`${service.url}/auth${path}`, { data, headers: { Origin: service.url } });
    await post('/request-sign-in-link', { email });
    await post('/sign-in/link', { token: await mailedToken(service, email, /sign-in link|Anmeldelink/) });
    ({ token } = await account.client.affiliates.createEmbedToken.mutate({ id: started.affiliate.id }));
    await earn(started);
    service.clock.advance(1, 'seconds');
    await become?.(started);
    service.clock.advance(1, 'seconds');
    for (const tell of [remindOfPayoutDetails, tellOfEndedMemberships, tellOfEndedCampaigns])
      await tell(service.services, () => false);
    await sendAllMail(service.services);
    const mails = service.mailbox.takeAll(email, /./).map(({ text }) => oneLine(text.split('\n\n').slice(0, -2).join(' ')));

    const [now, day] = [service.clock.now().getTime(), 86_400_000];
    const filled = (language: string, text: string) =>
      text
        .replace('{held}', dayOf(language, now + 3 * day))
        .replace('{due}', dayOf(language, now + 30 * day))
        .replace('{expires}', dayOf(language, Date.parse(EXPIRES_AT)));
    await ada.open('/portal');
    await ada.heading(/^Willkommen/);
    const portal = await panels(ada.page.locator('section'), 'Verdienst');
    await ada.page.goto(site.origin);
    const frame = ada.page.frameLocator('iframe');
    await frame.getByRole('heading', { name: /^Welcome/ }).waitFor();
    const framed = await panels(frame.locator('section'), 'Earnings');
    await owner.open(`/affiliates/${started.affiliate.id}`);
    await owner.page.getByRole('heading', { name: 'Not paid yet' }).waitFor();
    await owner.settled();
    const merchant = await panels(owner.page.locator('section'), 'Not paid yet');
    for (const { en, de } of expected) {
      expect.soft(portal, name).toContain(filled('de-DE', de));
      expect.soft(framed, name).toContain(filled('en-GB', en));
      expect.soft(merchant, name).toContain(filled('en-GB', en));
    }
    const isBelow = expected.some(({ obstacles }) => obstacles.includes('below_minimum'));
    expect.soft(merchant.includes('minimum'), name).toBe(isBelow);
    process.stdout.write(`| ${[name, mails.join(' // '), portal, framed, merchant].join(' | ')} |\n`);
  }
});

const oneLine = (text: string) => text.replaceAll(/[\s\u00a0]+/g, ' ').trim();

/** Returns what the panels with a heading say. */
async function panels(sections: ReturnType<Visitor['page']['locator']>, heading: string): Promise<string> {
  return oneLine((await sections.filter({ hasText: heading }).allInnerTexts()).join(' '));
}
