import {
  remindOfPayoutDetails,
  tellOfChangedRewards,
  tellOfEndedCampaigns,
  tellOfEndedMemberships,
  tellOfTerms,
  writeDigests,
} from '@affiliate/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { Mover } from '../imports/moving.ts';
import { inMode } from '../modes/accounts.ts';
import { Browser } from '../support/browser.ts';
import { type ErrorBody, type Fields, send } from '../support/http.ts';
import { sendAllMail } from '../support/mailbox.ts';
import { must, program, sell, unique } from '../support/program.ts';
import { type Outputs, type TestAccount } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';
import { PortalVisitor } from './people.ts';

const TOKEN = 'token-of-the-mail-provider';
const service = useService({ writesRows: true, mailReportsToken: TOKEN });
const account = useAccount(service);

beforeEach(async () => {
  // Starts on a Tuesday, because weekly emails depend on the weekday.
  while (service.clock.now().getUTCDay() !== 2) service.clock.advance(1, 'hours');
  await must(account, '/campaigns', { ...CAMPAIGN, default: true });
});

const CAMPAIGN = {
  name: 'Friends',
  url: 'https://shop.example.com/',
  reward_type: 'percent',
  commission_percent: 10,
  days_until_commissions_are_due: 0,
};

const SWEEPS = [
  remindOfPayoutDetails,
  tellOfTerms,
  tellOfChangedRewards,
  tellOfEndedCampaigns,
  tellOfEndedMemberships,
  writeDigests,
];

/** Lets the worker write what is due, twice, and returns the emails to an address. */
async function told(email: string) {
  service.clock.advance(1, 'minutes');
  for (let time = 0; time < 2; time += 1) for (const write of SWEEPS) await write(service.services, () => false);
  await sendAllMail(service.services);
  return service.mailbox.takeAll(email, /./);
}

const SHORT: [RegExp, string][] = [
  [/cannot pay you yet/, 'details missing'],
  [/has paid your commissions/, 'paid'],
  [/came back/, 'returned'],
  [/terms of .* have changed/, 'terms'],
  [/changed what you earn/, 'rewards'],
  [/has ended Friends/, 'campaign ended'],
  [/membership .* has ended/, 'membership ended'],
  [/^You earned/, 'digest'],
];
const kindsOf = (mails: { subject: string }[]) =>
  mails.map(({ subject }) => SHORT.find(([form]) => form.test(subject))?.[1] ?? subject).toSorted();

interface Known {
  id: string;
  email: string;
  campaign_id: string;
}

const find = async (email: string, of = account) => (await of.api.get<{ data: Known[] }>('/affiliates', { email })).body.data[0]!;

async function earn({ id, campaign_id }: Known, of: TestAccount = account): Promise<void> {
  const referral = await must<{ id: string }>(of, '/referrals', { affiliate_id: id, campaign_id });
  await sell(of, { referral_id: referral.id });
  service.clock.advance(1, 'seconds');
}

async function openPayout({ id }: Known, of: TestAccount = account): Promise<string> {
  const { data } = await of.client.payouts.list.query({ affiliate_id: id });
  return data.find(({ state }) => state !== 'paid' && state !== 'returned')!.id;
}

/** Everything that happens to an affiliate of whom the program has emails to tell. */
async function live(affiliate: Known, of: TestAccount = account): Promise<void> {
  await earn(affiliate, of);
  await told('nobody@partner.example');
  const payout = await openPayout(affiliate, of);
  await of.client.payouts.pay.mutate({ id: payout });
  service.clock.advance(1, 'seconds');
  await of.client.payouts.return.mutate({ id: payout, reason: 'Account closed' });
  await of.client.portalSettings.update.mutate({ terms: `Be kind ${unique('and')}.` });
  await must(of, '/reward_rules', { campaign_id: affiliate.campaign_id, name: 'More', pay: { percent: 20 } });
  service.clock.advance(2, 'hours');
  await told('nobody@partner.example');
  service.clock.advance(7, 'days');
  await told('nobody@partner.example');
  expect((await of.api.delete(`/campaigns/${affiliate.campaign_id}`)).status).toBe(204);
  await told('nobody@partner.example');
  await of.client.affiliates.update.mutate({ id: affiliate.id, state: 'disabled' });
}

const EVERYTHING = [
  'campaign ended',
  'details missing',
  'details missing',
  'digest',
  'membership ended',
  'paid',
  'returned',
  'rewards',
  'terms',
].toSorted();

/** Ways in which a merchant adds an affiliate, who has not signed in after them. */
const WAYS: Record<string, (email: string) => Promise<unknown>> = {
  'by hand': (email) => account.client.affiliates.create.mutate({ email }),
  'over the API': (email) => must(account, '/affiliates', { email }),
  'in bulk': (email) => must(account, '/affiliates/bulk', { items: [{ email }] }, 200),
  'with an upsert': (email) => must(account, '/affiliates/bulk', { items: [{ email }], upsert: true }, 200),
  'by an import': async (email) => {
    const mover = new Mover(service, account);
    const { id } = await mover.read({ source: 'csv', files: [{ kind: 'affiliates', content: `Email\n${email}` }] });
    await mover.run(id);
  },
  'by a token': (email) => account.client.affiliates.createEmbedTokenByEmail.mutate({ email }),
};

describe('an affiliate who never signed in', () => {
  it.each(Object.keys(WAYS))('and was added %s gets all emails of the program, and none at being added', async (way) => {
    const email = `${unique('ada')}@partner.example`;
    await WAYS[way]!(email);
    expect(await told(email)).toEqual([]);
    await live(await find(email));
    const mails = await told(email);
    expect(kindsOf(mails)).toEqual(EVERYTHING);
    for (const { text, unsubscribeUrl } of mails) {
      expect(text).toContain(unsubscribeUrl!);
      // Its only other link leads to a page that asks for a sign-in.
      const others = [...text.matchAll(/https?:\S+/g)].map(([url]) => url).filter((url) => url !== unsubscribeUrl);
      expect(
        others
          .map((url) => new URL(url))
          .every(({ pathname, search, hash }) => /^\/portal\b/.test(pathname) && search + hash === ''),
      ).toBe(true);
    }
  });

  it('reads no address of a payment, as one does who has signed in', async () => {
    const [ada, grace] = [`${unique('ada')}@partner.example`, `${unique('grace')}@partner.example`];
    for (const email of [ada, grace]) await must(account, '/affiliates', { email, walleta_email: `secret.${email}` });
    await PortalVisitor.enter(service, account, grace);
    for (const email of [ada, grace]) {
      const affiliate = await find(email);
      await earn(affiliate);
      const { id } = await must<{ id: string }>(account, '/payout_exports', {
        payout_ids: [await openPayout(affiliate)],
        export_format: 'walleta',
      });
      await account.client.payoutExports.pay.mutate({ payout_export_id: id });
    }
    const paid = async (email: string) => (await told(email)).find(({ subject }) => /has paid/.test(subject))!.text;
    expect(await paid(ada)).toMatch(/paid you US\$10\.00\. Paid by PayPal on/);
    expect(await paid(grace)).toMatch(/paid you US\$10\.00\. Paid by PayPal to s…@partner\.example on/);
  });
});

describe('the link that ends emails', () => {
  const choice = async (token: string) => {
    const browser = new Browser(service.url, service.services.publicUrl);
    return (await browser.query<Outputs['portal']['getEmailChoice']>('portal.getEmailChoice', { token })).body.result!.data;
  };
  const choose = (token: string, gets_emails: boolean) =>
    new Browser(service.url, service.services.publicUrl).mutate('portal.chooseEmails', { token, gets_emails });

  async function digested() {
    const email = `${unique('ada')}@partner.example`;
    await must(account, '/affiliates', { email, walleta_email: `pay.${email}` });
    const affiliate = await find(email);
    await earn(affiliate);
    service.clock.advance(7, 'days');
    const [mail] = await told(email);
    const { pathname, search } = new URL(mail!.unsubscribeUrl!);
    const click = (method: string) =>
      fetch(service.url + pathname + search, {
        method,
        ...(method === 'POST' && { body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }),
      });
    return { email, affiliate, click, token: new URLSearchParams(search).get('token')! };
  }

  it('ends all of them with one click and no sign-in, changes nothing when it is opened, and starts them again', async () => {
    const { email, affiliate, click, token } = await digested();
    for (const method of ['GET', 'HEAD', 'GET']) await click(method);
    expect(await choice(token)).toEqual({ account_name: 'Test account', gets_emails: true, is_member: false });

    // An email that waits is not sent any more.
    service.mailbox.refuseNext = new Error('busy');
    await account.client.payouts.pay.mutate({ id: await openPayout(affiliate) });
    await expect.poll(() => service.mailbox.refuseNext).toBe(null);
    for (let time = 0; time < 2; time += 1) expect((await click('POST')).status).toBe(200);
    expect(await choice(token)).toMatchObject({ gets_emails: false });
    expect(await told(email)).toEqual([]);
    await live(affiliate);
    expect(await told(email)).toEqual([]);
    // Its security does not depend on it, nor what somebody asks for.
    await account.client.affiliates.update.mutate({ id: affiliate.id, walleta_email: 'thief@pay.example' });
    await sendAllMail(service.services);
    expect(service.mailbox.takeAll(`pay.${email}`, /your payout details/)).toHaveLength(1);
    const visitor = await PortalVisitor.enter(service, account, email);
    expect(await visitor.query('portal.getProfile')).toMatchObject({ gets_emails: false, digest: 'weekly' });

    await choose(token, true);
    expect(await visitor.query('portal.getProfile')).toMatchObject({ gets_emails: true });
    await account.client.affiliates.update.mutate({ id: affiliate.id, state: 'active' });
    service.clock.advance(1, 'minutes');
    await account.client.affiliates.update.mutate({ id: affiliate.id, state: 'disabled' });
    expect(kindsOf(await told(email))).toContain('membership ended');
  });

  it('is the choice in the profile, too', async () => {
    const { email, affiliate, token } = await digested();
    const visitor = await PortalVisitor.enter(service, account, email);
    await visitor.mutate('portal.updateProfile', { gets_emails: false });
    expect(await choice(token)).toMatchObject({ gets_emails: false });
    await earn(affiliate);
    service.clock.advance(7, 'days');
    expect(await told(email)).toEqual([]);
    await visitor.mutate('portal.updateProfile', { gets_emails: true });
    expect(await choice(token)).toMatchObject({ gets_emails: true });
  });

  it('cannot be made for somebody else, and dies with the data of the affiliate', async () => {
    const { affiliate, token } = await digested();
    const { secrets } = service.services;
    for (const wrong of [
      affiliate.id,
      'x',
      `${token.slice(0, -4)}AAAA`,
      secrets.seal(affiliate.id),
      secrets.seal(`no emails to ${affiliate.id}`),
    ])
      expect([wrong, (await choose(wrong, false)).status]).toEqual([wrong, 404]);
    expect(await choice(token)).toMatchObject({ gets_emails: true });
    await must(account, `/affiliates/${affiliate.id}/erase`, {}, 200);
    expect((await choose(token, true)).status).toBe(404);
  });

  it('holds against the merchant, who sees it', async () => {
    const { email, affiliate, token } = await digested();
    await choose(token, false);
    const { data, recipients } = await account.client.emailTexts.listBlocked.query();
    expect(data).toEqual([{ email, reason: 'unsubscribed', blocked_at: service.clock.instant(), expires_at: null }]);
    expect(recipients).toEqual({ everyone: 0, signed_in: 0 });
    const unblocked = await account.api.send<ErrorBody>('POST', '/api/settings/v1/blocked_addresses/unblock', {
      body: { email },
    });
    expect(unblocked).toMatchObject({ status: 422, body: { details: [{ path: 'email', code: 'unsubscribed' }] } });
    // Nor does another record of the same person get them.
    expect((await account.api.delete(`/affiliates/${affiliate.id}`)).status).toBe(204);
    await must(account, '/affiliates', { email });
    await earn(await find(email));
    service.clock.advance(7, 'days');
    expect(await told(email)).toEqual([]);
    // But the person may, with the link of the former one.
    await choose(token, true);
    await earn(await find(email));
    service.clock.advance(7, 'days');
    expect(kindsOf(await told(email))).toEqual(['details missing', 'digest']);
  });
});

describe('who gets the emails of the program', () => {
  const paid = async (person: Fields = {}, of: TestAccount = account) => {
    const email = `${unique('ada')}@partner.example`;
    const started = await program(of, CAMPAIGN, { email, ...person });
    if (person['state'] === undefined) await earn(started.affiliate, of);
    return started.affiliate;
  };
  const pay = async (affiliate: Known, of: TestAccount = account) => {
    await of.client.payouts.pay.mutate({ id: await openPayout(affiliate, of) });
    return kindsOf(await told(affiliate.email));
  };

  it('is everyone, or only those who have signed in if the merchant wants that', async () => {
    const [ada, grace] = [await paid(), await paid()];
    await PortalVisitor.enter(service, account, grace.email);
    await account.client.portalSettings.update.mutate({ program_emails: 'signed_in' });
    expect((await account.client.emailTexts.listBlocked.query()).recipients).toEqual({ everyone: 2, signed_in: 1 });
    expect(await told(ada.email)).toEqual([]);
    expect(await pay(ada)).toEqual([]);
    expect(await pay(grace)).toEqual(['details missing', 'paid']);
    await account.client.portalSettings.update.mutate({ program_emails: 'everyone' });
    await earn(ada);
    expect(await pay(ada)).toEqual(['paid']);
  });

  it('does not get an email that the merchant has stopped', async () => {
    const ada = await paid();
    await account.client.emailTexts.choose.mutate({ mail: 'commission_digest', is_sent: false });
    service.clock.advance(7, 'days');
    expect(kindsOf(await told(ada.email))).toEqual(['details missing']);
    const { data } = await account.client.emailTexts.list.query();
    const always = data.filter(({ can_unsubscribe }) => !can_unsubscribe).map(({ mail }) => mail);
    expect(always.toSorted()).toEqual([
      'application_approved',
      'application_received',
      'application_rejected',
      'email_changed_by_merchant',
      'payout_details_changed',
      'payout_details_changed_by_merchant',
    ]);
  });

  it('is an affiliate who was archived or disabled, about money that is owed', async () => {
    for (const end of [
      (id: string) => account.client.affiliates.archive.mutate({ id }),
      (id: string) => account.client.affiliates.update.mutate({ id, state: 'disabled' }),
    ]) {
      const ada = await paid();
      await told(ada.email);
      await end(ada.id);
      const [mail, ...others] = await told(ada.email);
      expect([kindsOf([mail!]), others]).toEqual([['membership ended'], []]);
      expect(mail!.text).toContain('US$10.00 is still to be paid');
      expect(await pay(ada)).toEqual(['paid']);
    }
  });

  it('is nobody who was erased, or whose address does not exist, or who reported an email as spam', async () => {
    const erased = await paid();
    const payout = await openPayout(erased);
    await must(account, `/affiliates/${erased.id}/erase`, {}, 200);
    await account.client.payouts.pay.mutate({ id: payout });
    expect(await told(erased.email)).toEqual([]);
    for (const reason of ['no_such_recipient', 'complaint']) {
      const ada = await paid();
      await send(`${service.url}/mail/reports/${TOKEN}`, 'POST', { body: { email: ada.email, reason } });
      expect(await pay(ada)).toEqual([]);
    }
  });

  it('is nobody in test mode, nor while the account moves in', async () => {
    const test = await inMode(service, account, false);
    const tested = await paid({}, test);
    await live(tested, test);
    expect(await told(tested.email)).toEqual([]);

    const ada = await paid();
    expect((await account.api.send('POST', '/api/settings/v1/shadow', { body: {} })).status).toBe(200);
    service.clock.advance(1, 'seconds');
    await account.client.portalSettings.update.mutate({ terms: 'Be kind.' });
    await account.client.affiliates.update.mutate({ id: ada.id, state: 'disabled' });
    service.clock.advance(7, 'days');
    expect(await told(ada.email)).toEqual([]);
  });
});
