/**
 * The words of the rails about payments, call by call, against their doubles and without the service: above all, whether a failed call has certainly paid nothing.
 * `scenarios.test.ts` and the files of the rails have what the service makes of it.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPayoutMethods } from '../../../packages/core/src/payouts/methods/methods.ts';
import type { Outgoing, SendingMethod } from '../../../packages/core/src/payouts/port/method.ts';
import { type RailAccess, RailError, type Word } from '../../../packages/core/src/payouts/port/rail.ts';
import { newId } from '../../../packages/core/src/platform/wire/ids.ts';
import { PayPalServer } from '../../support/paypal-server/paypal-server.ts';
import type { DoubleAccount, Fate, SignedNotice } from '../../support/rail-double.ts';
import { StripeTransfersServer } from '../../support/stripe-transfers-server/stripe-transfers-server.ts';
import { WiseServer } from '../../support/wise-server/wise-server.ts';

const NOW = new Date();
const NOTICES = 'https://pay.example/notices';

const RAILS = [
  {
    kind: 'paypal',
    server: new PayPalServer(),
    addresses: { paypal: { email: 'ada@pay.example' } },
    sent: 'sent',
    ofContent: { status: 400, name: 'VALIDATION_ERROR', message: 'The receiver ada@pay.example is invalid.' },
    cannotPay: { status: 403, name: 'AUTHORIZATION_ERROR' },
  },
  {
    kind: 'wise',
    server: new WiseServer(),
    addresses: { wise: { email: 'ada@pay.example' } },
    sent: 'in_transit',
    ofContent: { status: 422, name: 'NOT_VALID', message: 'The receiver ada@pay.example is invalid.' },
    cannotPay: { status: 403, name: 'UNAUTHORIZED' },
  },
  {
    kind: 'stripe',
    server: new StripeTransfersServer(),
    addresses: { stripe: { account_id: 'acct_1000000000ada' } },
    sent: 'arrived',
    ofContent: { status: 400, name: 'parameter_invalid', message: 'The receiver ada@pay.example is invalid.' },
    cannotPay: { status: 403, name: 'permission_error' },
  },
] as const;

type Rail = (typeof RAILS)[number];

/** The accounts of a test at a rail, and its calls. */
async function openAt({ kind, server, addresses }: Rail, isSandbox = false) {
  const publicKeys = server instanceof WiseServer ? { wise: server.publicKey } : {};
  const methods = createPayoutMethods({ apiBases: { [kind]: server.url }, publicKeys, timeoutMs: 2_000 });
  const method = methods.find((each) => each.kind === kind && 'send' in each) as SendingMethod;
  const app: DoubleAccount = server.addAccount(isSandbox);
  const credentials = app.credentials as Record<string, string>;
  const { mode, accountId } = await method.accounts!.connect(credentials);
  const access: RailAccess = { mode: mode!, credentials, accountId, endpointId: null, endpointSecret: null };
  const payment = (more: Partial<Outgoing> = {}): Outgoing => ({
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'King',
    addresses,
    payout_created_at: NOW.toISOString(),
    first_posted_at: NOW.toISOString(),
    payout_id: newId('payout', NOW),
    affiliate_id: 'aff_1',
    amount_cents: 1_000,
    currency: 'USD',
    commissions_count: 1,
    key: newId('payout_attempt', NOW),
    key_generation: 1,
    isRepeat: false,
    livemode: true,
    provider_batch_id: null,
    provider_item_id: null,
    ...more,
  });
  const known = (of: Outgoing, { facts }: Word): Outgoing => ({
    ...of,
    provider_batch_id: facts?.provider_batch_id ?? of.provider_batch_id,
    provider_item_id: facts?.provider_item_id ?? of.provider_item_id,
  });
  const withEndpoint = async (): Promise<RailAccess> => {
    const { id, secret } = await method.accounts!.notices!.createEndpoint(access, NOTICES);
    return { ...access, endpointId: id, endpointSecret: secret };
  };
  const verify = (to: RailAccess, { body, headers }: SignedNotice, now = server.now()) =>
    method.accounts!.notices!.verify(
      to,
      { rawBody: new TextEncoder().encode(body), header: (name) => headers[name.toLowerCase()] },
      now,
    );
  return { method, app, access, payment, known, withEndpoint, verify };
}

/** The error of a failed call. */
async function errorOf(call: Promise<unknown>): Promise<RailError> {
  const error = await call.then(
    () => new Error('Nothing was thrown.'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RailError);
  return error as RailError;
}

beforeAll(async () => {
  for (const { server } of RAILS) await server.start();
});
afterAll(async () => {
  for (const { server } of RAILS) await server.stop();
});

describe.each(RAILS)('$kind', (rail) => {
  let at: Awaited<ReturnType<typeof openAt>>;

  beforeEach(async () => {
    at = await openAt(rail);
  });

  const fated = (fate: Fate, more: Partial<Outgoing> = {}) => {
    at.app.fates = [fate];
    return errorOf(at.method.send(at.payment(more), at.access));
  };

  it('makes a payment of the amount, and tells how far it is', async () => {
    const of = at.payment();
    const word = await at.method.send(of, at.access);
    expect(word.state).toBe(rail.sent);
    expect(at.app.made).toMatchObject([{ key: of.key, cents: 1_000, currency: 'USD' }]);
    at.app.process();
    const later = await at.method.look(at.known(of, word), at.access);
    expect(later).toMatchObject({ state: 'arrived', amount: { amount_cents: 1_000, currency: 'USD' } });
    expect(await at.method.look(at.known(at.known(of, word), later), at.access)).toMatchObject({ state: 'arrived' });
  });

  it.each(['lose the answer', 'lose the request', 'html', 'straggle'] as const)(
    'does not know the outcome without an answer (%s), and makes the payment once when it is sent again',
    async (fate) => {
      const of = at.payment();
      at.app.fates = [fate];
      expect(await errorOf(at.method.send(of, at.access))).toMatchObject({ outcomeUnknown: true, stopsRail: false });
      const word = await at.method.send({ ...of, isRepeat: true }, at.access);
      at.app.arrive();
      expect(at.app.made).toHaveLength(1);
      at.app.process();
      expect(await at.method.look(at.known(of, word), at.access)).toMatchObject({ state: 'arrived' });
    },
  );

  it.each([408, 409, 425, 429, 500, 503])('does not know the outcome after status %i', async (status) => {
    expect(await fated({ status, name: 'BUSY' })).toMatchObject({ outcomeUnknown: true, stopsRail: false });
  });

  it('knows that a payment which is refused for its content was not made, even if it was sent before', async () => {
    for (const isRepeat of [false, true]) {
      const { outcomeUnknown, word, stopsRail, said } = await fated(rail.ofContent, { isRepeat });
      expect({ outcomeUnknown, word, stopsRail }).toEqual({ outcomeUnknown: false, word: rail.ofContent.name, stopsRail: false });
      expect(String(said)).toBe('The receiver … is invalid.');
    }
  });

  it('does not believe a refusal of the account about a payment that was sent before', async () => {
    const once = await fated(rail.cannotPay);
    expect([once.outcomeUnknown, once.stopsRail]).toEqual([false, true]);
    const again = await fated(rail.cannotPay, { isRepeat: true });
    expect([again.outcomeUnknown, again.stopsRail, again.word]).toEqual([true, true, once.word]);
  });

  it('does not take the payment of another key for its own', async () => {
    const [one, other] = [at.payment(), at.payment()];
    const word = await at.method.send(one, at.access);
    at.app.process();
    const seen = await at.method.look(at.known(one, word), at.access);
    const mistaken = { ...at.known(one, seen), key: other.key };
    expect(await errorOf(at.method.look(mistaken, at.access))).toMatchObject({ outcomeUnknown: true });
  });

  it('tells an unknown payment', async () => {
    const of = at.payment({ provider_batch_id: 'unknown', provider_item_id: rail.kind === 'wise' ? '999999' : 'unknown' });
    expect(await errorOf(at.method.look(of, at.access))).toMatchObject({ outcomeUnknown: false });
  });

  it('finds the mode and the account of its credentials, and refuses others', async () => {
    expect(at.access.mode).toBe('live');
    expect((await openAt(rail, true)).access.mode).toBe('test');
    const wrong = Object.fromEntries(Object.keys(at.access.credentials).map((name) => [name, 'wrong']));
    const error = await errorOf(at.method.accounts!.connect(wrong));
    expect([error.outcomeUnknown, error.stopsRail]).toEqual([false, true]);
    expect(String(error.said)).not.toContain('wrong');
  });

  it('makes its endpoint for notices, and deletes it', async () => {
    const first = await at.withEndpoint();
    const second = await at.withEndpoint();
    // Stripe tells the secret of an endpoint only once.
    expect(second.endpointId === first.endpointId).toBe(rail.kind !== 'stripe');
    const of = at.payment();
    await at.method.send(of, at.access);
    const notice = at.app.notice(of.key);
    expect((await at.verify(second, notice))!.keys).toContain(of.key);
    await at.method.accounts!.notices!.deleteEndpoint(second, second.endpointId!);
    const third = await at.withEndpoint();
    // The ids of Wise's endpoints are made of the address.
    expect(third.endpointId === second.endpointId).toBe(rail.kind === 'wise');
  });

  it('believes no notice that is forged or of another account', async () => {
    const access = await at.withEndpoint();
    const of = at.payment();
    await at.method.send(of, at.access);
    const { body, headers } = at.app.notice(of.key);
    expect(await at.verify(access, { body: body.replace(/"id"/, '"id" '), headers })).toBeNull();
    expect(await at.verify(access, { body, headers: {} })).toBeNull();
    expect(await at.verify(access, { body: 'no event', headers })).toBeNull();
    const other = await openAt(rail);
    expect(await other.verify(await other.withEndpoint(), { body, headers })).toBeNull();
  });

  it.runIf(rail.kind !== 'paypal')('finds a payment by its key', async () => {
    const of = at.payment();
    expect(await at.method.find!(of, at.access)).toBeNull();
    await at.method.send(of, at.access);
    expect(await at.method.find!(of, at.access)).toMatchObject({ facts: { provider_item_id: at.app.made[0]!.id } });
    expect(await at.method.find!(at.payment(), at.access)).toBeNull();
  });

  it.runIf(rail.kind !== 'paypal')('tells its balances', async () => {
    at.app.balance = new Map([
      ['USD', 12_345],
      ['JPY', 500],
    ]);
    if (rail.kind === 'wise') at.app.balance.delete('JPY');
    expect(await at.method.balances!(at.access)).toEqual([...at.app.balance].map(([currency, cents]) => ({ cents, currency })));
  });
});

describe('PayPal', () => {
  const [rail] = RAILS;
  let at: Awaited<ReturnType<typeof openAt>>;
  let app: ReturnType<PayPalServer['addAccount']>;

  beforeEach(async () => {
    at = await openAt(rail);
    app = at.app as typeof app;
  });

  it('gets another token when its token has ended', async () => {
    await at.method.send(at.payment(), at.access);
    app.tokens.clear();
    await at.method.send(at.payment(), at.access);
    expect(app.made).toHaveLength(2);
    expect(app.tokens.size).toBe(1);
  });

  it('sends each payment as a batch of its own, with the same bytes', async () => {
    const of = at.payment({ currency: 'HUF', amount_cents: 100_000 });
    app.fates = ['lose the request'];
    await errorOf(at.method.send(of, at.access));
    await at.method.send({ ...of, isRepeat: true }, at.access);
    expect(new Set(app.bodies).size).toBe(1);
    expect(JSON.parse(app.bodies[0]!)).toMatchObject({
      sender_batch_header: { sender_batch_id: of.key, recipient_type: 'EMAIL' },
      items: [
        {
          recipient_type: 'EMAIL',
          receiver: 'ada@pay.example',
          amount: { currency: 'HUF', value: '1000' },
          note: `Affiliate payout ${of.payout_id}`,
          sender_item_id: of.key,
        },
      ],
    });
  });

  it('calls back what nobody has claimed', async () => {
    const of = at.payment();
    const word = await at.method.send(of, at.access);
    app.process('unclaimed');
    const seen = await at.method.look(at.known(of, word), at.access);
    expect(seen.state).toBe('unclaimed');
    const claimed = at.known(of, seen);
    expect(await at.method.cancel!(claimed, at.access)).toMatchObject({ state: 'returned', raw_state: 'RETURNED' });
    expect(await errorOf(at.method.cancel!(claimed, at.access))).toMatchObject({ outcomeUnknown: false });
  });

  it('stops if the balance lacks the money', async () => {
    app.balance = new Map([['USD', 1_000]]);
    const of = at.payment();
    const word = await at.method.send(of, at.access);
    app.process();
    expect(await at.method.look(at.known(of, word), at.access)).toMatchObject({
      state: 'failed',
      raw_state: 'DENIED',
      stopsRail: true,
    });
  });

  it('believes no notice with a certificate from elsewhere', async () => {
    const access = await at.withEndpoint();
    const of = at.payment();
    await at.method.send(of, at.access);
    const { body } = app.notice(of.key);
    for (const [certificate, isBelieved] of [
      ['https://api.sandbox.paypal.com/cert', true],
      ['http://api.paypal.com/cert', false],
      ['https://api.paypal.com.evil.example/cert', false],
      ['cert', false],
    ] as const)
      expect((await at.verify(access, rail.server.sign(app, body, certificate))) !== null).toBe(isBelieved);
  });

  it('names the payments of a notice, of an item or a batch', async () => {
    const access = await at.withEndpoint();
    const told = (event: object) => at.verify(access, rail.server.sign(app, JSON.stringify(event)));
    const type = { id: 'WH-1', event_type: 'PAYMENT.PAYOUTSBATCH.DENIED' };
    const header = { payout_batch_id: 'BATCH', sender_batch_header: { sender_batch_id: 'patt_1' } };
    expect(await told({ ...type, resource: { batch_header: header } })).toEqual({
      id: 'WH-1',
      type: type.event_type,
      keys: ['patt_1'],
      provider_batch_id: 'BATCH',
      provider_item_id: null,
    });
    const item = { payout_item_id: 'ITEM', payout_batch_id: 'BATCH', payout_item: { sender_item_id: 'patt_2' } };
    expect(await told({ ...type, resource: item })).toMatchObject({ keys: ['patt_2'], provider_item_id: 'ITEM' });
    expect(await told({ ...type, resource: {} })).toMatchObject({ keys: [], provider_batch_id: null, provider_item_id: null });
    expect(await told({ id: 'WH-1' })).toBeNull();
  });

  it('leaves out whose address is too long', () => {
    const of = (email: string) => at.method.problems([at.payment({ addresses: { paypal: { email } } })]).map(({ code }) => code);
    expect(of(`${'a'.repeat(115)}@pay.example`)).toEqual([]);
    expect(of(`${'a'.repeat(116)}@pay.example`)).toEqual(['unsupported_address']);
    expect(of('')).toEqual(['missing_address']);
  });
});

describe('Wise', () => {
  const [, rail] = RAILS;
  let at: Awaited<ReturnType<typeof openAt>>;
  let app: ReturnType<WiseServer['addAccount']>;

  beforeEach(async () => {
    at = await openAt(rail);
    app = at.app as typeof app;
  });

  it('tells the fee before and after the payment', async () => {
    const of = at.payment();
    expect(await at.method.quote!([of], at.access)).toEqual([
      { fee: { cents: 50, currency: 'USD' }, debited: { cents: 1_050, currency: 'USD' } },
    ]);
    expect(app.posts).toEqual([]);
    expect((await at.method.send(of, at.access)).facts).toMatchObject({ fee_cents: 50, debited_cents: 1_050 });
    const many = Array.from({ length: 7 }, (_, each) => at.payment({ amount_cents: 1_000 * (each + 1) }));
    expect((await at.method.quote!(many, at.access)).map((quote) => quote?.debited.cents)).toEqual(
      many.map(({ amount_cents }) => amount_cents + 50),
    );
  });

  it('pays from the balance in the currency that the merchant has chosen', async () => {
    const access = { ...at.access, credentials: { ...at.access.credentials, source_currency: 'EUR' } };
    expect((await at.method.send(at.payment(), access)).facts).toMatchObject({
      fee_currency: 'EUR',
      debited_cents: 1_300,
      debited_currency: 'EUR',
      credited_cents: 1_000,
      credited_currency: 'USD',
      exchange_rate: '0.8',
    });
  });

  it('leaves a transfer that a token may not pay in to a person', async () => {
    app.isFundedByHand = true;
    const of = at.payment();
    const word = await at.method.send(of, at.access);
    expect(word).toMatchObject({ state: 'sent', raw_state: 'incoming_payment_waiting' });
    expect(word.facts).not.toHaveProperty('fee_cents');
    app.payIn();
    expect((await at.method.look(at.known(of, word), at.access)).facts).toMatchObject({ fee_cents: 75, debited_cents: 1_075 });
  });

  it('cancels a transfer that is not paid in, and says for certain that it failed', async () => {
    for (const [fate, stopsRail] of [
      ['reject', false],
      [null, true],
    ] as const) {
      if (fate === null) app.balance = new Map();
      else app.fundingFates = [fate];
      const error = await errorOf(at.method.send(at.payment(), at.access));
      expect([error.outcomeUnknown, error.stopsRail]).toEqual([false, stopsRail]);
    }
    expect(app.made.map(({ stage }) => stage)).toEqual(['failed', 'failed']);
  });

  it.each([
    'lose the answer',
    'lose the request',
    'html',
    { status: 500, name: 'ERROR' },
    { status: 422, name: 'ERROR' },
  ] as const)('does not know whether a transfer was paid in (%j), and pays it in once', async (fate) => {
    const of = at.payment();
    app.fundingFates = [fate];
    expect((await errorOf(at.method.send(of, at.access))).outcomeUnknown).toBe(true);
    expect((await at.method.send({ ...of, isRepeat: true }, at.access)).state).toBe('in_transit');
    expect([app.made.length, app.payments.size]).toEqual([1, 1]);
  });

  it('calls back what has not arrived', async () => {
    const of = at.payment();
    const sent = at.known(of, await at.method.send(of, at.access));
    expect(await at.method.cancel!(sent, at.access)).toMatchObject({ state: 'failed', raw_state: 'cancelled' });
    expect(await errorOf(at.method.cancel!(sent, at.access))).toMatchObject({ outcomeUnknown: false });
  });

  it('finds a payment among many', async () => {
    const of = at.payment();
    const more = Array.from({ length: 100 }, () => at.payment());
    for (const each of more) await at.method.send(each, at.access);
    await at.method.send(of, at.access);
    expect(await at.method.find!(of, at.access)).toMatchObject({ facts: { provider_item_id: app.made.at(-1)!.id } });
  });

  it('takes a notice that tests the address, and one about a transfer of the merchant', async () => {
    const access = await at.withEndpoint();
    const of = at.payment();
    await at.method.send(of, at.access);
    const { body } = app.notice(of.key);
    expect(await at.verify(access, rail.server.sign(body, { 'x-test-notification': 'true' }))).toMatchObject({ keys: [] });
    app.transferOf(of.key).customerTransactionId = crypto.randomUUID();
    expect(await at.verify(access, rail.server.sign(body))).toMatchObject({ keys: [] });
  });

  it('tells by a notice what came back, and the id only of a transfer that is paid in', async () => {
    const access = await at.withEndpoint();
    const of = at.payment();
    const { facts } = await at.method.send(of, at.access);
    const refund = app.notice(of.key, 'transfers#refund', { refund_amount: 9.2, refund_currency: 'USD' });
    expect(await at.verify(access, refund)).toMatchObject({
      returned: { cents: 920, currency: 'USD' },
      provider_item_id: facts!.provider_item_id,
    });
    app.transferOf(of.key).status = 'incoming_payment_waiting';
    expect(await at.verify(access, app.notice(of.key))).toMatchObject({ keys: [of.key], provider_item_id: null });
  });

  it('is of the profile that the merchant names', async () => {
    const named = { ...at.access.credentials, profile_id: String(app.id) };
    expect(await at.method.accounts!.connect(named)).toEqual({ mode: 'live', accountId: String(app.id) });
    await errorOf(at.method.accounts!.connect({ ...named, profile_id: '1' }));
  });
});

describe('Stripe', () => {
  const [, , rail] = RAILS;
  let at: Awaited<ReturnType<typeof openAt>>;
  let app: ReturnType<StripeTransfersServer['addAccount']>;

  beforeEach(async () => {
    at = await openAt(rail);
    app = at.app as typeof app;
  });

  it('tells a rate, or leaves the facts out that the key may not read', async () => {
    const of = at.payment();
    const word = await at.method.send(of, at.access);
    expect(word.facts).toMatchObject({ fee_cents: 0, fee_currency: 'USD', debited_cents: 1_000, debited_currency: 'USD' });
    expect(word.facts).not.toHaveProperty('exchange_rate');
    Object.assign(app.transfers[0]!.balance_transaction, { currency: 'eur', net: -930, fee: 5, exchange_rate: 0.9 });
    expect((await at.method.look(at.known(of, word), at.access)).facts).toMatchObject({
      fee_cents: 5,
      fee_currency: 'EUR',
      debited_cents: 930,
      debited_currency: 'EUR',
      credited_cents: 1_000,
      credited_currency: 'USD',
      exchange_rate: '0.9',
    });
    app.forbidden.add('balance_transactions');
    expect((await at.method.look(at.known(of, word), at.access)).facts).toEqual({ provider_item_id: app.transfers[0]!.id });
  });

  it('reverses a payment, once', async () => {
    const of = at.payment();
    const sent = at.known(of, await at.method.send(of, at.access));
    app.reverse(app.transfers[0]!, 300);
    expect(await at.method.look(sent, at.access)).toMatchObject({
      state: 'arrived',
      raw_state: 'partly_reversed',
      facts: { returned_cents: 300 },
    });
    for (let time = 0; time < 2; time += 1)
      expect(await at.method.cancel!(sent, at.access)).toMatchObject({
        state: 'returned',
        raw_state: 'reversed',
        facts: { returned_cents: 1_000 },
      });
    // An old answer of the first request says nothing of the reversal.
    expect(await at.method.send({ ...of, isRepeat: true }, at.access)).toMatchObject({ state: 'returned' });
  });

  it('asks again for a reversal that was refused, after a part has come back', async () => {
    const of = at.payment();
    const sent = at.known(of, await at.method.send(of, at.access));
    app.emptied.add('acct_1000000000ada');
    expect(await errorOf(at.method.cancel!(sent, at.access))).toMatchObject({ outcomeUnknown: false });
    app.emptied.clear();
    app.reverse(app.transfers[0]!, 300);
    expect(await at.method.cancel!(sent, at.access)).toMatchObject({ state: 'returned' });
  });

  it('stops if the balance lacks the money, and fails for an account that is closed', async () => {
    expect(
      await errorOf(at.method.send(at.payment({ addresses: { stripe: { account_id: 'acct_10000000Closed' } } }), at.access)),
    ).toMatchObject({
      outcomeUnknown: false,
      stopsRail: false,
      word: 'account_closed',
    });
    app.balance = new Map();
    expect(await errorOf(at.method.send(at.payment(), at.access))).toMatchObject({
      outcomeUnknown: false,
      stopsRail: true,
      word: 'balance_insufficient',
    });
  });

  it('does not know the outcome if another request has its key', async () => {
    const of = at.payment();
    await at.method.send(of, at.access);
    expect(await errorOf(at.method.send({ ...of, amount_cents: 2_000 }, at.access))).toMatchObject({
      outcomeUnknown: true,
      word: 'idempotency_error',
    });
  });

  it('leaves several transfers of one payment to a person', async () => {
    const of = at.payment();
    await at.method.send(of, at.access);
    app.transfers.push({ ...app.transfers[0]!, id: 'tr_second' });
    expect(await errorOf(at.method.find!(of, at.access))).toMatchObject({ outcomeUnknown: true });
  });

  it('opens an account once, with the agreement for accounts abroad, and makes a link to it', async () => {
    const onboarding = at.method.onboarding!;
    const person = { key: 'aff_1', email: 'ada@example.com', country: 'DE' };
    const address = await onboarding.open(person, at.access);
    expect(await onboarding.open(person, at.access)).toEqual(address);
    await onboarding.open({ ...person, key: 'aff_2', country: 'US' }, at.access);
    await onboarding.open({ ...person, key: 'aff_3', country: null }, at.access);
    const agreement = 'tos_acceptance[service_agreement]';
    expect(app.accounts.map(({ form }) => [form['country'], form[agreement], form['metadata[affiliate]']])).toEqual([
      ['DE', 'recipient', 'aff_1'],
      ['US', undefined, 'aff_2'],
      [undefined, undefined, 'aff_3'],
    ]);
    const made = await onboarding.link(address, 'https://shop.example/back', at.access);
    expect(made.url).toContain(address['account_id']);
    expect(Date.parse(made.expires_at!)).toBeGreaterThan(rail.server.now().getTime());
  });

  it('believes no notice that is older or newer than five minutes', async () => {
    const access = await at.withEndpoint();
    const of = at.payment();
    await at.method.send(of, at.access);
    const notice = app.notice(of.key);
    const at_ = Number(/t=(\d+)/.exec(notice.headers['stripe-signature']!)![1]) * 1_000;
    const isBelieved = async (ms: number) => (await at.verify(access, notice, new Date(at_ + ms))) !== null;
    expect([await isBelieved(300_000), await isBelieved(300_001)]).toEqual([true, false]);
    expect([await isBelieved(-300_000), await isBelieved(-300_001)]).toEqual([true, false]);
    expect(await at.verify({ ...access, endpointSecret: null }, notice)).toBeNull();
  });

  it('takes a notice about a transfer of the merchant', async () => {
    const access = await at.withEndpoint();
    const event = (transfer_group: string | null) =>
      app.sign(JSON.stringify({ id: 'evt_1', type: 'transfer.created', data: { object: { id: 'tr_1', transfer_group } } }));
    const known = { id: 'evt_1', type: 'transfer.created', provider_batch_id: null, provider_item_id: 'tr_1' };
    expect(await at.verify(access, event('own group'))).toEqual({ ...known, keys: [] });
    expect(await at.verify(access, event(null))).toEqual({ ...known, keys: [] });
    expect(await at.verify(access, event('patt_1'))).toEqual({ ...known, keys: ['patt_1'] });
    expect(await at.verify(access, app.sign(JSON.stringify({ id: 'evt_1' })))).toBeNull();
  });

  it('leaves out who has no account', () => {
    expect(at.method.problems([at.payment(), at.payment({ addresses: {} })])).toMatchObject([{ code: 'missing_address' }]);
  });
});
