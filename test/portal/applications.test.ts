import { randomBytes } from 'node:crypto';
import { purgeRows } from '@affiliate/core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendAllMail } from '../support/mailbox.ts';
import { must, refer, sell } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { PortalVisitor, mailedToken } from './people.ts';
import { FRIENDS, SignUp } from './sign-up.ts';

const service = useService();
const account = useAccount(service, 'file');
let signUp: SignUp;
let affiliate: string;

beforeAll(async () => {
  signUp = await SignUp.of(service, account);
  await must(account, '/campaigns', { ...FRIENDS, name: 'Closed', private: true });
});
beforeEach(() => {
  affiliate = `${randomBytes(4).toString('hex')}@partner.example`;
  service.clock.advance(1, 'hours');
});

const anyone = () => signUp.anyone();
const openPage = (campaign?: string) => signUp.openPage(campaign);
const apply = (more?: object, seconds?: number) => signUp.apply(affiliate, more, seconds);
const confirm = (token: string) => signUp.confirm(token);
const confirmationOf = (email: string) => signUp.confirmationOf(email);
const affiliatesOf = async (email: string) =>
  (await account.api.get<{ data: Outputs['affiliates']['get'][] }>('/affiliates', { email })).body.data;

describe('the sign-up page', () => {
  it('shows the campaign unless the campaign is private, archived or unknown', async () => {
    expect((await openPage()).body.result!.data).toMatchObject({
      account_name: 'Test account',
      campaign_name: 'Friends',
      reward: '10% of every sale to a customer you refer.',
      terms: null,
    });
    expect((await openPage('closed')).status).toBe(404);
    expect((await openPage('none')).status).toBe(404);
    expect((await anyone().query('join.page', { account: 'none', campaign: 'friends' })).status).toBe(404);
  });

  it('states the rules for every affiliate, without those about codes, single affiliates and links, and those that are over', async () => {
    const campaign = await must<{ id: string }>(account, '/campaigns', { ...FRIENDS, name: 'Ruled' });
    const rule = (values: object) =>
      must<{ id: string }>(account, '/reward_rules', { campaign_id: campaign.id, name: 'Rule', ...values });
    const page = async () => (await openPage('ruled')).body.result!.data;
    await rule({ apply: 'on_top', pay: { percent: 5 } });
    expect(await page()).toMatchObject({ reward: '10% of every sale to a customer you refer.', rewards: [{ en: '5% on top.' }] });
    await rule({ when: { codes: ['VIP50'] }, pay: { percent: 1 } });
    const { id: affiliate_id } = await must<{ id: string }>(account, '/affiliates', {
      email: affiliate,
      campaign_id: campaign.id,
    });
    await rule({ affiliate_id, pay: { percent: 50 } });
    await rule({ until: '2020-01-01T00:00:00Z', pay: { percent: 2 } });
    const { reward, rewards } = await page();
    expect([reward, rewards.map(({ en }) => en)]).toEqual([
      '10% of every sale to a customer you refer, unless a special reward applies.',
      ['5% on top.'],
    ]);
    expect(JSON.stringify(await page())).not.toContain('VIP50');
  });

  it('has a URL that the merchant can change and that is unique in the installation', async () => {
    const other = await service.createAccount();
    expect((await other.client.portalSettings.get.query()).slug).not.toBe(signUp.slug);
    await expect(other.client.portalSettings.update.mutate({ slug: signUp.slug })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect(await other.client.portalSettings.update.mutate({ slug: 'other-shop' })).toMatchObject({ slug: 'other-shop' });
  });
});

describe('applications with the address of an affiliate', () => {
  it('to any number of programs mail the person at most 5 sign-in links an hour', async () => {
    for (let number = 1; number <= 7; number += 1) {
      const merchant = await service.createAccount();
      const page = await SignUp.of(service, merchant);
      const { data } = await merchant.client.campaigns.list.query({});
      await must(merchant, '/affiliates', { email: affiliate, campaign_id: data[0]!.id });
      expect(await page.apply(affiliate)).toMatchObject({ status: 200, body: { result: { data: { email: affiliate } } } });
      // A link that waits to be sent stands for the next one, too.
      await sendAllMail(service.services);
    }
    expect(service.mailbox.takeAll(affiliate, /sign-in link/)).toHaveLength(5);
  });
});

describe('an application', () => {
  it('waits for email confirmation, then for the merchant’s approval, which is mailed to the affiliate', async () => {
    expect((await apply({ first_name: 'Ada' })).body.result!.data).toEqual({ email: affiliate });
    expect(await affiliatesOf(affiliate)).toEqual([]);
    const token = await confirmationOf(affiliate);
    const { body } = await confirm(token);
    expect(body.result!.data).toMatchObject({ account_name: 'Test account', state: 'pending' });
    await service.mailbox.take(affiliate, /received your application/);
    expect((await confirm(token)).status).toBe(404);

    const browser = anyone();
    const signIn = await browser.send('POST', '/auth/sign-in/link', { body: { token: body.result!.data.sign_in_token } });
    expect(signIn.status).toBe(200);
    const session = await browser.query<Outputs['session']['get']>('session.get');
    expect(session.body.result!.data).toMatchObject({ accounts: [], affiliations: [{ state: 'pending' }] });

    const [pending] = await affiliatesOf(affiliate);
    expect(pending).toMatchObject({ state: 'pending', first_name: 'Ada' });
    await account.api.patch(`/affiliates/${pending!.id}`, { state: 'active' });
    const decided_at = service.clock.now().toISOString();
    expect(await account.client.applications.get.query({ affiliate_id: pending!.id })).toMatchObject({ decided_at, note: null });
    expect((await account.client.links.list.query({ affiliate_id: pending!.id })).data).toHaveLength(1);
    await service.mailbox.take(affiliate, /Welcome to the affiliate program/);
    expect((await browser.query('portal.home', {}, { 'X-Account-Id': account.id })).status).toBe(200);
  });

  it('is rejected with an email', async () => {
    await apply();
    await confirm(await confirmationOf(affiliate));
    const [pending] = await affiliatesOf(affiliate);
    await account.api.patch(`/affiliates/${pending!.id}`, { state: 'rejected' });
    expect((await service.mailbox.take(affiliate, /Your application/)).text).toContain('has not approved');
  });

  it('is approved at once if the merchant chose this, and creates a first link', async () => {
    await account.client.portalSettings.update.mutate({ approval: 'automatic' });
    await apply();
    await confirm(await confirmationOf(affiliate));
    await account.client.portalSettings.update.mutate({ approval: 'manual' });
    const visitor = await PortalVisitor.enter(service, account, affiliate);
    const home = await visitor.query<Outputs['portal']['home']>('portal.home');
    expect(home).toMatchObject({ state: 'active', links: [{ url: 'https://shop.example.com/' }] });

    const { data: links } = await account.client.links.list.query({ affiliate_id: home.affiliate_id });
    const { data: campaigns } = await account.client.campaigns.list.query({});
    const { id: referral_id } = await refer(account, {
      link: links[0]!,
      campaign: campaigns[0]!,
      affiliate: { id: home.affiliate_id } as never,
    });
    await sell(account, { referral_id });
    const { data: payouts } = await account.client.payouts.list.query({ affiliate_id: home.affiliate_id });
    await must(account, `/payouts/${payouts[0]!.id}/pay`, {}, 200);
    expect((await service.mailbox.take(affiliate, /has paid your commissions/)).text).toContain('US$10.00');
  });

  it('is answered in the language of the page until the person signs in with another language', async () => {
    await apply({ language: 'de' });
    const token = await mailedToken(service, affiliate, /Bestätigen Sie Ihre Bewerbung bei Test account/);
    await confirm(token);
    await service.mailbox.take(affiliate, /Test account hat Ihre Bewerbung erhalten/);
    const id = (await affiliatesOf(affiliate))[0]!.id;
    await account.client.affiliates.update.mutate({ id, state: 'active' });
    const welcome = await service.mailbox.take(affiliate, /Willkommen im Partnerprogramm von Test account/);
    expect(welcome.html).toContain('<html lang="de">');
    await must(account, '/commissions', { affiliate_id: id, amount_cents: 123_450, currency: 'USD', note: 'Bonus' });
    const { data: payouts } = await account.client.payouts.list.query({ affiliate_id: id });
    await must(account, `/payouts/${payouts[0]!.id}/pay`, {}, 200);
    const paid = await service.mailbox.take(affiliate, /hat Ihre Provisionen ausgezahlt/);
    expect(paid.text).toContain('1.234,50\u00a0$');
    expect(paid.text).toContain('Sie erhalten diese E-Mail als Partner von Test account.');

    const db = service.services.database.kysely;
    await db.updateTable('auth_user').set({ language: 'en' }).where('email', '=', affiliate).execute();
    await must(account, '/commissions', { affiliate_id: id, amount_cents: 1_000, currency: 'USD', note: 'Bonus' });
    const { data: more } = await account.client.payouts.list.query({ affiliate_id: id });
    await must(account, `/payouts/${more[0]!.id}/pay`, {}, 200);
    expect((await service.mailbox.take(affiliate, /has paid your commissions/)).text).toContain('US$10.00');
  });

  it.each([
    ['somebody@school.example', 'active', /Welcome to the affiliate program/],
    ['somebody@throwaway.example', 'rejected', /Your application/],
    ['somebody@else.example', 'pending', /received your application/],
  ])('is decided by the domain of %s: %s', async (email, state, subject) => {
    affiliate = email;
    const lists = { approved_domains: ['School.example'], rejected_domains: ['throwaway.example'] };
    await account.client.portalSettings.update.mutate({ approval: 'rule', ...lists });
    await apply();
    expect((await confirm(await confirmationOf(email))).body.result!.data.state).toBe(state);
    await service.mailbox.take(email, subject);
    await account.client.portalSettings.update.mutate({ approval: 'manual' });
  });

  it('includes answers to the merchant’s questions, which are shown with the affiliate', async () => {
    const questions = [
      { label: 'Your site?', kind: 'url', required: true, choices: [] },
      { label: 'Where do you write?', kind: 'choice', required: false, choices: ['Blog', 'Video'] },
    ] as const;
    await account.client.portalSettings.update.mutate({
      questions: questions.map((question) => ({ ...question, choices: [...question.choices] })),
    });
    expect((await openPage()).body.result!.data.questions).toEqual(questions);
    const site = { question: 'Your site?', answer: 'https://tea.example' };
    const refusals = [[], [{ ...site, answer: 'tea' }], [site, { question: 'Where do you write?', answer: 'Radio' }]];
    for (const [index, answers] of refusals.entries()) {
      const { status, body } = await apply({ answers });
      expect({ status, details: body.error?.data.details }).toMatchObject({
        status: 422,
        details: [{ path: `answers.${index === 2 ? 1 : 0}` }],
      });
    }
    expect(
      (await apply({ answers: [{ question: 'Former question', answer: 'x' }, site] })).body.error!.data.details,
    ).toMatchObject([{ path: 'answers', code: 'outdated' }]);
    expect((await apply({ answers: [site] })).status).toBe(200);
    await confirm(await confirmationOf(affiliate));
    await account.client.portalSettings.update.mutate({ questions: [] });
    const { data } = await account.client.applications.list.query({ limit: 100 });
    const { affiliate_id } = data.find(({ email }) => email === affiliate)!;
    expect(await account.client.applications.get.query({ affiliate_id })).toMatchObject({
      answers: [site],
      note: null,
      decided_at: null,
    });
  });

  it('can be decided together with others, with a note for the applicants', async () => {
    const addresses = [affiliate, `second-${affiliate}`];
    for (const address of addresses) {
      affiliate = address;
      await apply();
      await confirm(await confirmationOf(address));
    }
    const affiliate_ids = await Promise.all(addresses.map(async (email) => (await affiliatesOf(email))[0]!.id));
    const { decide } = account.client.applications;
    await expect(decide.mutate({ affiliate_ids: [...affiliate_ids, 'aff_none'], decision: 'approve' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect((await affiliatesOf(affiliate))[0]!.state).toBe('pending');
    const note = 'Not in {{account_name}} <this year>.';
    expect(await decide.mutate({ affiliate_ids: [affiliate_ids[0]!], decision: 'reject', note })).toEqual({
      decided: [affiliate_ids[0]],
      skipped: [],
    });
    const mail = await service.mailbox.take(addresses[0]!, /Your application/);
    expect(mail.text).toContain(note);
    expect(mail.html).toContain('&lt;this year&gt;');
    expect(await decide.mutate({ affiliate_ids, decision: 'approve' })).toEqual({
      decided: [affiliate_ids[1]],
      skipped: [affiliate_ids[0]],
    });
    await service.mailbox.take(addresses[1]!, /Welcome to the affiliate program/);
    expect((await account.client.links.list.query({ affiliate_id: affiliate_ids[1]! })).data).toHaveLength(1);
    const rejected = await PortalVisitor.enter(service, account, addresses[0]!);
    expect((await rejected.query<Outputs['session']['get']>('session.get')).affiliations).toMatchObject([
      { state: 'rejected', application_note: note },
    ]);
  });

  it.each([
    ['sent faster than a person can', {}, 1, 429],
    ['with a form that is a day old', {}, 86_401, 422],
    ['with an invented form', { form_token: 'v1.invented' }, 5, 422],
  ])('is refused when it is %s', async (_, more, seconds, status) => {
    expect((await apply({ ...more }, seconds)).status).toBe(status);
  });

  it('is refused with another token of the service, e.g. of an unsubscribe link', async () => {
    expect((await apply({ form_token: service.services.secrets.seal('no digests for aff_1') })).status).toBe(422);
  });

  it('is answered as usual but dropped if a bot filled in the hidden field', async () => {
    expect((await apply({ website: 'https://spam.example' })).body.result!.data).toEqual({ email: affiliate });
    expect(service.mailbox.mails.filter(({ to }) => to === affiliate)).toEqual([]);
  });

  it('of an existing affiliate gets the same answer and a sign-in link by email', async () => {
    await must(account, '/affiliates', {
      email: affiliate,
      campaign_id: (await account.client.campaigns.list.query({})).data[0]!.id,
    });
    expect((await apply()).body.result!.data).toEqual({ email: affiliate });
    await service.mailbox.take(affiliate, /sign-in link/);
  });

  it('does not sign in a person who has a user', async () => {
    await apply({ email: account.ownerEmail });
    const { body } = await confirm(await confirmationOf(account.ownerEmail));
    expect(body.result!.data.sign_in_token).toBeNull();
  });

  it('is limited to three an hour per address', async () => {
    const statuses = [];
    for (let attempt = 0; attempt < 4; attempt += 1) statuses.push((await apply()).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('is deleted when it is not confirmed within a day', async () => {
    await apply();
    const token = await confirmationOf(affiliate);
    service.clock.advance(24, 'hours');
    expect((await confirm(token)).status).toBe(404);
    expect(await purgeRows(service.services, 'application')).toBeGreaterThan(0);
  });
});
