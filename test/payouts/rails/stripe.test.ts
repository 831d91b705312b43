/** Transfers to connected accounts at Stripe, against a double: what only Stripe does. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PortalVisitor } from '../../portal/people.ts';
import { databaseRows, loggedBy } from '../../support/dump.ts';
import { differencesFrom } from '../../support/published-types.ts';
import { answered } from '../../support/rest.ts';
import type { StripeTransfersServer } from '../../support/stripe-transfers-server/stripe-transfers-server.ts';
import { discrepancies, type Payee } from '../program.ts';
import { RailMerchant, type RailService, startStripeService } from './merchant.ts';

let at: RailService<StripeTransfersServer>;
let merchant: RailMerchant<StripeTransfersServer>;
let ada: Payee;

beforeAll(async () => {
  at = await startStripeService();
});
afterAll(() => at.stop());
beforeEach(async () => {
  merchant = await RailMerchant.open(at);
  ada = await merchant.payee('ada');
});

const attempt = async (of = ada) => (await merchant.attempts(of))[0]!;
const keyOf = async (of = ada) => String((await attempt(of))['id']);
const transferOf = async (of = ada) => merchant.app.transferOf(await keyOf(of));

it('a transfer goes to the account of the affiliate with its key, and arrives when it is made', async () => {
  await merchant.pay();
  expect(await transferOf()).toMatchObject({
    amount: 1_000,
    currency: 'usd',
    destination: 'acct_1000000000ada',
    transfer_group: await keyOf(),
    metadata: { affiliate_payout_attempt: await keyOf() },
  });
  expect(await attempt()).toMatchObject({
    state: 'arrived',
    raw_state: 'created',
    can_cancel: true,
    debited_cents: 1_000,
    debited_currency: 'USD',
  });
  expect(await merchant.payout(ada)).toMatchObject({ state: 'paid' });
});

it.each([
  ['JPY', 150_000, 15_000, 15_000],
  ['ISK', 100_000, 1_000_000, 10_000],
  ['EUR', 12_340, 1_234, 1_234],
  // Stripe has no decimals for it. The rest is carried into the next payout.
  ['MGA', 12_340, 12, 1_200],
])('an amount in %s is written as Stripe takes it', async (currency, amount_cents, amount, debited_cents) => {
  const bob = await merchant.payee('bob', { currency, amount_cents });
  await merchant.pay({ affiliate_ids: [bob.program.affiliate.id] });
  expect(await transferOf(bob)).toMatchObject({ amount, currency: currency.toLowerCase() });
  expect(await attempt(bob)).toMatchObject({ state: 'arrived', debited_cents, debited_currency: currency });
  expect(await discrepancies(merchant.account)).toEqual([]);
});

it('no account of an affiliate is stored readably, written to the log or told in an event', async () => {
  merchant.app.fates.push({ status: 400, name: 'resource_missing', message: "No such destination: 'acct_1000000000ada'" });
  await merchant.pay();
  expect(await attempt()).toMatchObject({ state: 'failed' });
  await merchant.pay();
  const kept = `${await databaseRows(at.service)}\n${loggedBy(at.service)}`;
  expect(kept).toContain(await keyOf());
  for (const planted of ['acct_1000000000ada', merchant.app.credentials.secret_key])
    expect({ planted, isKept: kept.includes(planted) }).toEqual({ planted, isKept: false });
});

it('a rate is a fact of the attempt', async () => {
  await merchant.pay();
  Object.assign((await transferOf()).balance_transaction, { currency: 'eur', amount: -950, net: -950, exchange_rate: 1.0526 });
  await merchant.later(1, 'days');
  expect(await attempt()).toMatchObject({
    debited_cents: 950,
    debited_currency: 'EUR',
    credited_cents: 1_000,
    credited_currency: 'USD',
    exchange_rate: '1.0526',
  });
});

it('a key that may not read the balance pays without the facts', async () => {
  merchant.app.forbidden.add('balance_transactions');
  await merchant.pay();
  expect(await attempt()).toMatchObject({ state: 'arrived', fee_cents: null, debited_cents: null });
});

it('an account that is closed fails alone', async () => {
  const { id: affiliate_id } = ada.program.affiliate;
  const { data } = (await merchant.account.api.get<{ data: { id: string }[] }>('/payout_methods', { affiliate_id })).body;
  await merchant.account.api.patch(`/payout_methods/${data[0]!.id}`, { address: { account_id: 'acct_1000000000Closed' } });
  const bob = await merchant.payee('bob');
  at.service.clock.advance(30, 'days');
  await merchant.pay();
  expect(await attempt()).toMatchObject({ state: 'failed', raw_state: 'account_closed' });
  expect(await attempt(bob)).toMatchObject({ state: 'arrived' });
});

it.each(['acct_', 'cus_1032D82eZvKYlo2C', 'acct_1032D82e/../x', ''])('%s is not an account', async (account_id) => {
  const bob = await merchant.payee('bob');
  const { id: affiliate_id } = bob.program.affiliate;
  const { data } = (await merchant.account.api.get<{ data: { id: string }[] }>('/payout_methods', { affiliate_id })).body;
  const refused = await merchant.account.api.patch(`/payout_methods/${data[0]!.id}`, { address: { account_id } });
  expect(refused).toMatchObject({ status: 422, body: { details: [{ path: 'address.account_id' }] } });
});

describe('a reversal', () => {
  beforeEach(() => merchant.pay());

  it('takes a payment back that has arrived, once', async () => {
    expect((await merchant.attemptTo('cancel', await keyOf())).status).toBe(200);
    await merchant.advance();
    expect(await attempt()).toMatchObject({
      state: 'returned',
      raw_state: 'reversed',
      returned_cents: 1_000,
      cancel_requested_at: null,
    });
    expect(await merchant.payout(ada)).toMatchObject({ state: 'returned' });
    expect((await merchant.attemptTo('cancel', await keyOf())).status).toBe(422);
    expect(await transferOf()).toMatchObject({ amount_reversed: 1_000 });
    expect(await discrepancies(merchant.account)).toEqual([]);
  });

  it('that is refused leaves the payment paid', async () => {
    merchant.app.emptied.add((await transferOf()).destination);
    await merchant.attemptTo('cancel', await keyOf());
    await merchant.advance();
    await merchant.advance();
    expect(await attempt()).toMatchObject({ state: 'arrived', cancel_requested_at: null });
    expect(await merchant.payout(ada)).toMatchObject({ state: 'paid' });
  });

  it('of a part leaves the rest paid, and shows what came back', async () => {
    merchant.app.reverse(await transferOf(), 400);
    await merchant.later(1, 'days');
    expect(await attempt()).toMatchObject({ state: 'arrived', raw_state: 'partly_reversed', returned_cents: 400 });
    expect(await merchant.payout(ada)).toMatchObject({ state: 'paid' });
    expect(await discrepancies(merchant.account)).toEqual([]);
  });
});

it('a repeated answer is old: what was reversed since is seen', async () => {
  merchant.app.fates = ['lose the answer'];
  await merchant.pay();
  merchant.app.reverse(await transferOf(), 1_000);
  await merchant.later(6, 'minutes');
  expect(await attempt()).toMatchObject({ state: 'returned', returned_cents: 1_000 });
  expect(await merchant.payout(ada)).toMatchObject({ state: 'due' });
});

it('a refusal that Stripe repeats under the old key is not met again under the new one', async () => {
  merchant.app.balance = new Map([['USD', 0]]);
  await merchant.pay();
  expect(await attempt()).toMatchObject({ state: 'failed', raw_state: 'balance_insufficient' });
  merchant.app.balance = new Map([['USD', 5_000]]);
  await merchant.settings('POST', `payout_rails/${merchant.railId}/resume`);
  await merchant.attemptTo('retry', await keyOf());
  await merchant.advance();
  expect(await attempt()).toMatchObject({ state: 'arrived' });
});

it('another request under the same key stays unknown, and is no failure', async () => {
  merchant.app.fates = ['lose the answer'];
  await merchant.pay();
  const known = merchant.app.known.get(await keyOf())!;
  known.body = known.body.replace('amount=1000', 'amount=999');
  await merchant.later(6, 'minutes');
  expect(await attempt()).toMatchObject({ state: 'unknown' });
  // After the time of the key, the transfer is found by its group.
  await merchant.later(1, 'days');
  expect(await attempt()).toMatchObject({ state: 'arrived' });
  expect(merchant.app.made).toHaveLength(1);
});

it('several transfers of one payment are left to a person', async () => {
  merchant.app.fates = ['lose the answer', ...Array.from({ length: 400 }, () => 'lose the request' as const)];
  await merchant.pay();
  const transfer = await transferOf();
  merchant.app.transfers.push({ ...transfer, id: `${transfer.id}2` });
  await merchant.later(1, 'days');
  await merchant.later(1, 'days');
  expect(await attempt()).toMatchObject({ state: 'unknown', reason: 'key_expired', provider_item_id: null });
  expect(await merchant.payout(ada)).toMatchObject({ state: 'processing' });
});

describe('an account of an affiliate', () => {
  const open = (affiliate_id: string, more: Record<string, string> = {}) =>
    merchant.account.api.post<{ url: string; payout_method: Record<string, string> }>('/payout_methods/open_account', {
      affiliate_id,
      kind: 'stripe',
      return_url: 'https://shop.example.com/partners',
      ...more,
    });
  const affiliate = async () => {
    const { body } = await merchant.account.api.post('/affiliates', {
      email: `${crypto.randomUUID()}@pay.example`,
      campaign_id: ada.program.campaign.id,
    });
    return String(body['id']);
  };

  it('is opened once, with a link for the affiliate each time, and is paid', async () => {
    const id = await affiliate();
    const first = await open(id, { country: 'DE' });
    expect(first).toMatchObject({ status: 200, body: { payout_method: { kind: 'stripe', affiliate_id: id } } });
    expect(merchant.app.accounts).toMatchObject([
      {
        form: {
          country: 'DE',
          'capabilities[transfers][requested]': 'true',
          'tos_acceptance[service_agreement]': 'recipient',
        },
      },
    ]);
    expect(first.body.url).toContain(merchant.app.accounts[0]!.id);
    const second = await open(id);
    expect(second.body.url).not.toBe(first.body.url);
    expect(second.body.payout_method['id']).toBe(first.body.payout_method['id']);
    expect(merchant.app.accounts).toHaveLength(1);
  });

  it('is opened by the affiliate in the portal, who comes back there', async () => {
    const email = `${crypto.randomUUID()}@pay.example`;
    const { body } = await merchant.account.api.post('/affiliates', { email, campaign_id: ada.program.campaign.id });
    const visitor = await PortalVisitor.enter(at.service, merchant.account, email);
    const { offered } = await visitor.query<{ offered: Record<string, unknown>[] }>('portal.listPayoutMethods');
    expect(offered.find(({ kind }) => kind === 'stripe')).toMatchObject({ opens_account: true });
    const opened = await visitor.mutate<{ url: string }>('portal.openPayoutAccount', { kind: 'stripe' });
    expect(opened.url).toContain(merchant.app.accounts[0]!.id);
    const { data } = await visitor.query<{ data: object[] }>('portal.listPayoutMethods');
    expect(data).toMatchObject([{ kind: 'stripe', state: 'confirmed' }]);
    expect(await visitor.refusal('mutate', 'portal.openPayoutAccount', { kind: 'paypal' })).toMatchObject({ status: 422 });
    const { data: methods } = (
      await merchant.account.api.get<{ data: object[] }>('/payout_methods', { affiliate_id: String(body['id']) })
    ).body;
    expect(methods).toHaveLength(1);
  });

  it('at home needs no other agreement', async () => {
    await open(await affiliate());
    expect(Object.keys(merchant.app.accounts[0]!.form).filter((name) => name.startsWith('tos_'))).toEqual([]);
  });

  it('is opened only by who may write payouts, at a service that opens accounts and is connected', async () => {
    const id = await affiliate();
    const reader = await merchant.account.apiWith({ 'v1.payouts.read': true });
    const body = { affiliate_id: id, kind: 'stripe', return_url: 'https://shop.example.com' };
    expect((await reader.post('/payout_methods/open_account', body)).status).toBe(403);
    expect(await open('aff_unknown')).toMatchObject({ status: 422, body: { details: [{ path: 'affiliate_id' }] } });
    for (const kind of ['paypal', 'bank_sepa', 'constructor'])
      expect(await open(id, { kind })).toMatchObject({ status: 422, body: { details: [{ path: 'kind' }] } });
    expect((await open(id, { return_url: 'http://shop.example.com' })).status).toBe(422);
    await merchant.settings('DELETE', `payout_rails/${merchant.railId}`);
    expect(await open(id)).toMatchObject({ status: 422, body: { details: [{ path: 'kind', code: 'not_connected' }] } });
    expect(merchant.app.accounts).toEqual([]);
  });
});

describe('a notice of Stripe', () => {
  it('that is old is refused, and one about another transfer is taken without an alarm', async () => {
    await merchant.pay();
    const { body } = merchant.app.notice(await keyOf());
    const now = Math.floor(at.service.clock.now().getTime() / 1_000);
    expect((await merchant.deliver(merchant.app.sign(body, now - 301))).status).toBe(400);
    expect((await merchant.deliver(merchant.app.sign(body, now - 299))).status).toBe(200);
    const other = body.replaceAll(await keyOf(), 'order_7').replace('evt_', 'evt_other');
    expect(await merchant.deliver(merchant.app.sign(other))).toMatchObject({ status: 200, body: { outcome: 'unknown' } });
    expect(at.service.log.lines.filter(({ message }) => message.startsWith('a notice of a payment'))).toEqual([]);
  });

  it('is verified with the secret of the newest endpoint, which is stored sealed', async () => {
    const { id, secret } = merchant.app.endpoints[0]!;
    answered(201, await merchant.connect());
    expect(merchant.app.endpoints).toHaveLength(1);
    expect(merchant.app.endpoints[0]!.id).not.toBe(id);
    const { rows } = { rows: await at.service.services.database.kysely.selectFrom('payout_rail').selectAll().execute() };
    expect(JSON.stringify(rows)).not.toContain(merchant.app.endpoints[0]!.secret);
    await merchant.pay();
    const good = merchant.app.notice(await keyOf());
    merchant.app.endpoints[0]!.secret = secret;
    expect((await merchant.deliver(merchant.app.sign(good.body))).status).toBe(400);
    expect((await merchant.deliver(good)).status).toBe(200);
  });
});

it('the objects of the double have the published types', async () => {
  await merchant.pay();
  const transfer = await transferOf();
  expect(differencesFrom('Transfers', 'Transfer', transfer)).toEqual([]);
  expect(differencesFrom('BalanceTransactions', 'BalanceTransaction', transfer.balance_transaction)).toEqual([]);
  expect(differencesFrom('Transfers', 'Transfer', { ...transfer, amount: '1', reversed: undefined })).toHaveLength(2);
});
