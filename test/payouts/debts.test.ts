import { carryLateDebts } from '@affiliate/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { mailedToken } from '../portal/people.ts';
import { SignUp } from '../portal/sign-up.ts';
import { onServer } from '../support/postgres.ts';
import { must, sell, unique } from '../support/program.ts';
import { type Outputs, type TestAccount } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { type Payee, type Payout, discrepancies, openPayout, payee } from './program.ts';

type Affiliate = Outputs['affiliates']['get'];

const service = useService({ writesRows: true });
let account: TestAccount;
let signUp: SignUp;
let email: string;

beforeEach(async () => {
  service.clock.advance(1, 'hours');
  account = await service.createAccount();
  signUp = await SignUp.of(service, account);
  email = `${unique('debtor')}@partner.example`;
});

/** Refunds a part of a sale. Of the amount, the affiliate owes a tenth. */
async function refund(externalId: string, amount_cents: number): Promise<void> {
  await must(account, '/track/refunds', { external_id: externalId, refund_id: unique('back'), amount_cents });
}

/** Creates an affiliate who was paid for a sale of 100.00, and pays the money back. Returns the affiliate and the sale's id. */
async function debtor(refunded = 10_000): Promise<Payee & { external_id: string; id: string }> {
  const made = await payee(account, { person: { email } });
  const external_id = unique('order');
  await sell(account, { referral_id: made.referral_id, external_id });
  await must(account, `/payouts/${made.payout.id}/pay`, {}, 200);
  if (refunded > 0) await refund(external_id, refunded);
  return { ...made, external_id, id: made.program.affiliate.id };
}

async function present(): Promise<Affiliate> {
  const { body } = await account.api.get<{ data: Affiliate[] }>('/affiliates', { email });
  expect(body.data).toHaveLength(1);
  return body.data[0]!;
}

/** Returns the sums of the open payouts of an affiliate, by currency. */
async function balances(affiliateId: string): Promise<Record<string, number>> {
  const { body } = await account.api.get<{ data: Payout[] }>('/payouts', { affiliate_id: affiliateId, state: 'pending,due' });
  return Object.fromEntries(
    body.data.map(({ currency, livemode, amount_cents }) => [livemode ? currency : `${currency} test`, amount_cents]),
  );
}

const again = (more: object = {}) => account.api.post<Affiliate>('/affiliates', { email, ...more });

/** The ways in which a person joins, by name. */
const WAYS: Record<string, (campaignId: string) => Promise<unknown>> = {
  'the merchant adds them': (campaign_id) => again({ campaign_id }),
  'the merchant adds them with another spelling': (campaign_id) => again({ campaign_id, email: email.toUpperCase() }),
  'they accept an invitation': async (campaign_id) => {
    await must(account, '/invitations', { kind: 'affiliate', email, campaign_id });
    const token = await mailedToken(service, email, /Become an affiliate/);
    return signUp.anyone().mutate('invitations.join', { token });
  },
  'the merchant accepts their invitation': async (campaign_id) => {
    const { id } = await must<{ id: string }>(account, '/invitations', { kind: 'affiliate', email, campaign_id });
    return account.api.patch(`/invitations/${id}`, { invitation_action: 'accept' });
  },
  'they apply': async () => {
    await signUp.apply(email);
    return signUp.confirm(await signUp.confirmationOf(email));
  },
  'an application embeds their portal': () => must(account, '/affiliates/embed_token', { email }),
};

describe('the debt of an archived affiliate', () => {
  it.each(Object.keys(WAYS))('is still there when %s', async (way) => {
    const former = await debtor();
    expect(await balances(former.id)).toEqual({ USD: -1_000 });
    await account.api.delete(`/affiliates/${former.id}`);
    await account.api.patch(`/campaigns/${former.program.campaign.id}`, { default: true });
    await WAYS[way]!(former.program.campaign.id);
    const { id, email: address } = await present();
    expect(id).not.toBe(former.id);
    expect(address.toLowerCase()).toBe(email);
    expect(await balances(id)).toEqual({ USD: -1_000 });
    expect(await balances(former.id)).toEqual({ USD: 0 });
    const { body } = await account.api.get<{ data: Outputs['commissions']['get'][] }>('/commissions', { affiliate_id: id });
    expect(body.data).toMatchObject([
      { kind: 'manual', state: 'due', amount_cents: -1_000, note: expect.stringContaining(former.id) },
    ]);
    expect(await discrepancies(account)).toEqual([]);
  });

  it('reduces what the affiliate earns next, and is carried once', async () => {
    const former = await debtor();
    await account.api.delete(`/affiliates/${former.id}`);
    const campaign_id = former.program.campaign.id;
    const { body: next } = await again({ campaign_id });
    const referral = await must<{ id: string }>(account, '/referrals', { affiliate_id: next.id, campaign_id });
    await sell(account, { referral_id: referral.id, amount_cents: 30_000 });
    expect(await openPayout(account, next.id)).toMatchObject({ amount_cents: 2_000 });
    expect(await carryLateDebts(service.services)).toBe(0);
    await account.api.delete(`/affiliates/${next.id}`);
    const { body: third } = await again({ campaign_id });
    expect(await balances(third.id)).toEqual({});
    expect(await balances(next.id)).toEqual({ USD: 2_000 });
  });

  it('is carried as often as the affiliate leaves and joins', async () => {
    const former = await debtor(4_000);
    const campaign_id = former.program.campaign.id;
    let last = former.id;
    for (let times = 0; times < 3; times += 1) {
      await account.api.delete(`/affiliates/${last}`);
      const { body } = await again({ campaign_id });
      expect(await balances(last)).toEqual({ USD: 0 });
      expect(await balances(body.id)).toEqual({ USD: -400 });
      last = body.id;
    }
    expect(await discrepancies(account)).toEqual([]);
  });

  it('is carried by currency and mode, without positive balances', async () => {
    const former = await debtor();
    for (const [currency, amount_cents] of [
      ['EUR', -300],
      ['GBP', 500],
    ] as const)
      await must(account, '/commissions', { affiliate_id: former.id, amount_cents, currency, note: 'Correction' });
    const { kysely } = service.services.database;
    const [eur] = await kysely
      .selectFrom('payout')
      .select('id')
      .where('affiliate_id', '=', former.id)
      .where('currency', '=', 'EUR')
      .execute();
    await kysely.updateTable('payout').set({ livemode: false }).where('id', '=', eur!.id).execute();
    await kysely
      .updateTable('commission')
      .set({ livemode: false })
      .where('affiliate_id', '=', former.id)
      .where('currency', '=', 'EUR')
      .execute();
    await account.api.delete(`/affiliates/${former.id}`);
    const { body: next } = await again({ campaign_id: former.program.campaign.id });
    expect(await balances(next.id)).toEqual({ USD: -1_000, 'EUR test': -300 });
    expect(await balances(former.id)).toEqual({ USD: 0, 'EUR test': 0, GBP: 500 });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('stays with the affiliate who is restored', async () => {
    const former = await debtor();
    await account.api.delete(`/affiliates/${former.id}`);
    await account.api.patch(`/affiliates/${former.id}`, { archived_at: null });
    expect(await balances(former.id)).toEqual({ USD: -1_000 });
    expect(await carryLateDebts(service.services)).toBe(0);
  });

  it('is not carried to another address, nor to another account', async () => {
    const former = await debtor();
    await account.api.delete(`/affiliates/${former.id}`);
    const campaign_id = former.program.campaign.id;
    const { body: other } = await account.api.post<Affiliate>('/affiliates', { email: `x${email}`, campaign_id });
    const elsewhere = await service.createAccount();
    const { program } = await payee(elsewhere, { person: { email } });
    expect(await carryLateDebts(service.services)).toBe(0);
    expect(await balances(other.id)).toEqual({});
    expect(await openPayout(elsewhere, program.affiliate.id)).toMatchObject({ amount_cents: 1_000 });
    expect(await balances(former.id)).toEqual({ USD: -1_000 });
  });

  it('is carried once when two requests add the affiliate at the same time', async () => {
    const former = await debtor();
    await account.api.delete(`/affiliates/${former.id}`);
    const campaign_id = former.program.campaign.id;
    const replies = await Promise.all([again({ campaign_id }), again({ campaign_id }), again({ campaign_id })]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422]);
    expect(await balances((await present()).id)).toEqual({ USD: -1_000 });
  });
});

describe('a debt that arises after the affiliate has joined again', () => {
  it.each(['a refund', 'a void'])('is carried by maintenance (%s)', async (cause) => {
    const former = await debtor(0);
    // The affiliate is archived after the charge, so that the commission stays earned.
    service.clock.advance(1, 'seconds');
    await account.api.delete(`/affiliates/${former.id}`);
    const { body: next } = await again({ campaign_id: former.program.campaign.id });
    expect(await balances(next.id)).toEqual({});
    const { body } = await account.api.get<{ data: { id: string }[] }>('/commissions', { affiliate_id: former.id });
    if (cause === 'a refund') await refund(former.external_id, 10_000);
    else await account.api.delete(`/commissions/${body.data[0]!.id}`);
    expect(await carryLateDebts(service.services)).toBe(1);
    expect(await carryLateDebts(service.services)).toBe(0);
    expect(await balances(next.id)).toEqual({ USD: -1_000 });
    expect(await balances(former.id)).toEqual({ USD: 0 });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('is carried although that of another account fails', async () => {
    const former = await debtor();
    await account.api.delete(`/affiliates/${former.id}`);
    const failing = account;
    account = await service.createAccount();
    const other = await debtor();
    const campaign_id = other.program.campaign.id;
    await account.api.delete(`/affiliates/${other.id}`);
    const { body: joined } = await account.api.post<Affiliate>('/affiliates', { email: `x${email}`, campaign_id });
    await account.api.patch(`/affiliates/${joined.id}`, { email });
    const { body: stuck } = await failing.api.post<Affiliate>('/affiliates', {
      email: `x${email}`,
      campaign_id: former.program.campaign.id,
    });
    await failing.api.patch(`/affiliates/${stuck.id}`, { email });
    await onServer(
      service.databaseUrl,
      `create function fail_debt() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
       create trigger fail_debt before insert on commission for each row when (new.account_id = '${failing.id}') execute function fail_debt()`,
    );
    await expect(carryLateDebts(service.services)).rejects.toThrow('broken');
    expect(await balances(joined.id)).toEqual({ USD: -1_000 });
    await onServer(service.databaseUrl, 'drop function fail_debt cascade');
    expect(await carryLateDebts(service.services)).toBe(1);
  });

  it('is carried to the affiliate who gets the address by a change', async () => {
    const former = await debtor();
    await account.api.delete(`/affiliates/${former.id}`);
    const { body: other } = await account.api.post<Affiliate>('/affiliates', {
      email: `x${email}`,
      campaign_id: former.program.campaign.id,
    });
    await account.api.patch(`/affiliates/${other.id}`, { email });
    expect(await carryLateDebts(service.services)).toBe(1);
    expect(await balances(other.id)).toEqual({ USD: -1_000 });
  });
});
