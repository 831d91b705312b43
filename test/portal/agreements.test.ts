import { purgeRows } from '@affiliate/core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { plusDays } from '../../packages/core/src/platform/time/instant.ts';
import { type Program, program, refer, sell, unique } from '../support/program.ts';
import { type Outputs, type TestAccount } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { PortalVisitor, mailedToken } from './people.ts';
import { SignUp } from './sign-up.ts';

type Profile = Outputs['portal']['getProfile'];
type Answered = Outputs['portal']['answerEmailChange'];

const service = useService();
const account = useAccount(service, 'file');
let started: Program;
let ada: PortalVisitor;

beforeAll(async () => {
  started = await program(account, { days_until_commissions_are_due: 0 }, { email: 'ada@partner.example' });
  await account.client.affiliates.create.mutate({ email: 'grace@partner.example', campaign_id: started.campaign.id });
  ada = await PortalVisitor.enter(service, account, 'ada@partner.example');
});

const answer = (token: string, choice: 'agree' | 'refuse' = 'agree'): Promise<Answered> =>
  account.client.portal.answerEmailChange.mutate({ token, answer: choice });
const emailOf = async () => (await account.client.affiliates.get.query({ id: started.affiliate.id })).email;

/** Requests a change of the email address. Returns the tokens that were emailed to the current and to the new address. */
async function request(visitor: PortalVisitor, from: string, to: string): Promise<{ present: string; next: string }> {
  const { email, email_change } = await visitor.mutate<Profile>('portal.requestEmailChange', { new_email: to });
  expect([email, email_change]).toMatchObject([from, { new_email: to, present_agreed: false, new_agreed: false }]);
  return {
    present: await mailedToken(service, from, /^Your email address at/),
    next: await mailedToken(service, to, /^Confirm your new email address/),
  };
}

describe('a new email address of an affiliate', () => {
  it('takes effect when the holders of both addresses have agreed, in either order', async () => {
    const { present, next } = await request(ada, 'ada@partner.example', 'ada@new.example');
    expect(await answer(next)).toMatchObject({ state: 'waiting' });
    expect((await ada.query<Profile>('portal.getProfile')).email_change).toMatchObject({
      present_agreed: false,
      new_agreed: true,
    });
    expect(await emailOf()).toBe('ada@partner.example');
    await expect(answer(next)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await answer(present)).toMatchObject({ state: 'changed' });
    expect(await emailOf()).toBe('ada@new.example');
    await service.mailbox.take('ada@partner.example', /has changed/);
    expect(await ada.query<Profile>('portal.getProfile')).toMatchObject({ email: 'ada@new.example', email_change: null });
    const again = await PortalVisitor.enter(service, account, 'ada@new.example');
    expect((await again.query<Profile>('portal.getProfile')).email).toBe('ada@new.example');
    await expect(answer(present)).rejects.toMatchObject({ code: 'NOT_FOUND' });

    const back = await request(ada, 'ada@new.example', 'ada@partner.example');
    await Promise.all([answer(back.present), answer(back.next)]);
    expect(await emailOf()).toBe('ada@partner.example');
  });

  it('can be refused by the holder of either address, withdrawn by the affiliate, or expire after a day', async () => {
    for (const refuser of ['present', 'next'] as const) {
      const tokens = await request(ada, 'ada@partner.example', `${refuser}@new.example`);
      expect(await answer(tokens[refuser], 'refuse')).toMatchObject({ state: 'refused' });
      for (const token of Object.values(tokens)) await expect(answer(token)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    const taken = await request(ada, 'ada@partner.example', 'back@new.example');
    expect((await ada.mutate<Profile>('portal.cancelEmailChange')).email_change).toBeNull();
    await expect(answer(taken.present)).rejects.toMatchObject({ code: 'NOT_FOUND' });

    service.clock.advance(1, 'hours');
    const late = await request(ada, 'ada@partner.example', 'late@new.example');
    const replaced = await request(ada, 'ada@partner.example', 'later@new.example');
    await expect(answer(late.present)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await answer(replaced.next);
    service.clock.advance(24, 'hours');
    await expect(answer(replaced.present)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await ada.query<Profile>('portal.getProfile')).email_change).toBeNull();
    expect(await purgeRows(service.services, 'email_change')).toBe(1);
    expect(await emailOf()).toBe('ada@partner.example');
  });

  it('is refused if another affiliate has the address, and only the holder of that address learns this', async () => {
    const { present, next } = await request(ada, 'ada@partner.example', 'Grace@partner.example');
    expect(await answer(present)).toMatchObject({ state: 'waiting' });
    await expect(answer(next)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await emailOf()).toBe('ada@partner.example');
  });

  it('gives access to the user who already has the address', async () => {
    await service.createAccount();
    const elsewhere = await service.createAccount();
    const { present, next } = await request(ada, 'ada@partner.example', elsewhere.ownerEmail);
    await answer(present);
    await answer(next);
    expect(await ada.refusal('query', 'portal.getProfile')).toMatchObject({ status: 403 });
    const owner = await PortalVisitor.enter(service, account, elsewhere.ownerEmail);
    expect((await owner.query<Profile>('portal.getProfile')).email).toBe(elsewhere.ownerEmail);
    ada = owner;
  });

  it('cannot be requested too often', async () => {
    service.clock.advance(1, 'hours');
    const outcomes: number[] = [];
    for (let time = 0; time < 6; time += 1) {
      const { status } = await ada.refusal('mutate', 'portal.requestEmailChange', { new_email: `try-${time}@new.example` });
      outcomes.push(status);
    }
    expect(outcomes).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

it('new terms must be accepted before links and payout details are shown, but sales keep earning', async () => {
  const [grace] = (await account.client.affiliates.list.query({ email: 'grace@partner.example' })).data;
  const link = await account.client.links.create.mutate({
    affiliate_id: grace!.id,
    campaign_id: started.campaign.id,
    url: started.campaign.url,
  });
  const visitor = await PortalVisitor.enter(service, account, 'grace@partner.example');
  const home = () => visitor.query<Outputs['portal']['home']>('portal.home');
  expect((await home()).links).toHaveLength(1);
  await account.client.portalSettings.update.mutate({ terms: 'Be kind.' });
  expect(await home()).toMatchObject({ links: [], terms: { version: 1, body: 'Be kind.' } });
  const changes = [
    ['portal.createLink', { url: started.campaign.url }],
    ['portal.updatePayoutDetails', { walleta_email: 'grace@pay.example' }],
    ['portal.requestEmailChange', { new_email: 'grace@new.example' }],
  ] as const;
  for (const [procedure, input] of changes)
    expect(await visitor.refusal('mutate', procedure, input)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  const { id: referral_id } = await refer(account, { ...started, affiliate: grace!, link });
  await sell(account, { referral_id });
  expect((await home()).earnings).toMatchObject([{ due_cents: 1_000 }]);
  await visitor.mutate('portal.acceptTerms', { version: 1 });
  expect((await home()).links).toHaveLength(1);
  for (const [procedure, input] of changes) await visitor.mutate(procedure, input);
  await service.mailbox.take('grace@new.example', /Confirm/);
});

it('new terms that apply later can be accepted before, and must be accepted from then on', async () => {
  const shop = await service.createAccount();
  const email = `${unique('later')}@partner.example`;
  const { campaign } = await program(shop, {}, { email });
  const visitor = await PortalVisitor.enter(service, shop, email);
  const home = () => visitor.query<Outputs['portal']['home']>('portal.home');
  const create = { url: campaign.url };
  await shop.client.portalSettings.update.mutate({ terms: 'Be kind.\nNo ads.', terms_apply_from: service.clock.instant() });
  // Earlier terms that nobody has accepted still apply.
  const terms_apply_from = plusDays(service.clock.instant(), 30);
  await shop.client.portalSettings.update.mutate({
    terms: 'Be kind.\nNo spam.',
    terms_summary: 'Ads are fine.',
    terms_apply_from,
  });
  expect(await visitor.refusal('mutate', 'portal.createLink', create)).toMatchObject({ status: 403 });
  await visitor.mutate('portal.acceptTerms', { version: 2 });
  await visitor.mutate('portal.createLink', create);

  service.clock.advance(1, 'minutes');
  const later = plusDays(service.clock.instant(), 14);
  const settings = await shop.client.portalSettings.update.mutate({
    terms: 'No spam.\nBe kind.\nBe quick.',
    terms_apply_from: later,
  });
  expect(settings.terms).toMatchObject({ version: 3, summary: null, applies_from: later });
  // The description of a version is ignored without a new one.
  const again = await shop.client.portalSettings.update.mutate({
    terms: 'No spam.\nBe kind.\nBe quick.',
    terms_summary: 'Nothing.',
  });
  expect(again.terms).toEqual(settings.terms);
  expect(await home()).toMatchObject({
    links: [{}, {}],
    terms: { version: 3, applies_from: later, is_due: false, changes: { added: ['Be quick.'], removed: [] } },
  });
  await visitor.mutate('portal.createLink', create);
  service.clock.advance(14, 'days');
  expect(await home()).toMatchObject({ links: [], terms: { version: 3, is_due: true } });
  expect(await visitor.refusal('mutate', 'portal.createLink', create)).toMatchObject({ status: 403 });
  await visitor.mutate('portal.acceptTerms', { version: 3 });
  expect(await home()).toMatchObject({ links: [{}, {}, {}], terms: null });
});

describe('an application', () => {
  let shop: TestAccount;
  let signUp: SignUp;
  let affiliate: string;
  beforeEach(async () => {
    shop = await service.createAccount();
    signUp = await SignUp.of(service, shop);
    affiliate = `${unique('applicant')}@partner.example`;
    service.clock.advance(1, 'hours');
  });

  it('accepts the current terms, and their version, hash, time and IP address are stored', async () => {
    await shop.client.portalSettings.update.mutate({ terms: 'Be kind.' });
    expect((await shop.client.portalSettings.update.mutate({ terms: 'Be kind.' })).terms!.version).toBe(1);
    const { terms } = await shop.client.portalSettings.update.mutate({ terms: 'Be kind and honest.' });
    expect(terms).toMatchObject({ version: 2, body: 'Be kind and honest.' });
    expect((await signUp.apply(affiliate, { accepted_terms: undefined })).status).toBe(422);
    expect((await signUp.apply(affiliate, { accepted_terms: 1 })).status).toBe(422);
    expect((await signUp.apply(affiliate, { accepted_terms: 2 })).status).toBe(200);
    await signUp.confirm(await signUp.confirmationOf(affiliate));
    const { id } = (await shop.client.affiliates.list.query({ email: affiliate })).data[0]!;
    const proof = await service.services.database.kysely
      .selectFrom('terms_acceptance')
      .selectAll()
      .where('affiliate_id', '=', id)
      .execute();
    expect(proof).toMatchObject([
      { version: 2, body_hash: expect.stringMatching(/^[0-9a-f]{64}$/), client_address: expect.stringContaining('127.0.0.1') },
    ]);
  });

  it('does not cover later terms, which the affiliate must accept at the next visit', async () => {
    await shop.client.portalSettings.update.mutate({ terms: 'Be kind.' });
    await signUp.apply(affiliate);
    await signUp.confirm(await signUp.confirmationOf(affiliate));
    const { id } = (await shop.client.affiliates.list.query({ email: affiliate })).data[0]!;
    await shop.client.applications.decide.mutate({ affiliate_ids: [id], decision: 'approve' });
    const visitor = await PortalVisitor.enter(service, shop, affiliate);
    const asked = async () => (await visitor.query<Outputs['portal']['home']>('portal.home')).terms;
    expect(await asked()).toBeNull();
    await shop.client.portalSettings.update.mutate({ terms: 'Be kind, honest and quick.' });
    expect(await asked()).toEqual({
      version: 2,
      body: 'Be kind, honest and quick.',
      summary: null,
      applies_from: service.clock.instant(),
      is_due: true,
      changes: { added: ['Be kind, honest and quick.'], removed: ['Be kind.'] },
    });
    expect(await visitor.refusal('mutate', 'portal.acceptTerms', { version: 1 })).toMatchObject({ status: 422 });
    for (let time = 0; time < 2; time += 1) await visitor.mutate('portal.acceptTerms', { version: 2 });
    expect(await asked()).toBeNull();
  });
});
