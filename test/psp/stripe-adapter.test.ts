import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PspError } from '../../packages/core/src/sources/port/psp-error.ts';
import { StripeGateway } from '../../packages/core/src/sources/stripe/stripe-gateway.ts';
import type { StripeProvider } from '../../packages/core/src/sources/stripe/stripe-provider.ts';
import {
  charge,
  coupon,
  invoice,
  invoicePayment,
  promotionCode,
  PspServer,
  wireEvent,
  customer,
  type TestAccount,
} from '../support/psp-server/index.ts';

let server: PspServer;
let account: TestAccount;
let psp: StripeProvider;

/** Time-out in milliseconds for tests that expect a response. Long enough for a busy machine. */
const PATIENT_MS = 10_000;
/** Time-out in milliseconds for tests in which the server does not respond. */
const IMPATIENT_MS = 200;

beforeAll(async () => {
  server = await PspServer.start();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  account = server.addAccount('test', { country: 'DE', default_currency: 'eur' });
  account.records.coupons.push(coupon({ id: 'SPRING' }));
  psp = await open(PATIENT_MS);
  server.requests.length = 0;
});

function open(timeoutMs: number): Promise<StripeProvider> {
  return new StripeGateway({ apiBase: server.url, timeoutMs }).open(account.secretKey);
}

async function failure(promise: Promise<unknown>): Promise<PspError> {
  const error: unknown = await promise.then(
    () => new Error('The call must fail, but succeeded.'),
    (reason: unknown) => reason,
  );
  if (error instanceof PspError) return error;
  throw error;
}

const NEW_CODE = { code: 'JANE20', couponId: 'SPRING', metadata: { operation: 'op_1' } };
const CREATION = { method: 'POST', path: /^\/v1\/promotion_codes$/ } as const;

describe('secret keys', () => {
  const gateway = new StripeGateway();

  test.each([
    ['sk_live_abc', 'live'],
    ['rk_live_abc', 'live'],
    ['sk_test_abc', 'test'],
    ['rk_test_a_b1', 'test'],
    ['pk_test_abc', null],
    ['sk_test_', null],
    ['sk_test_abc\n', null],
    ['', null],
  ])('such as %j belong to mode %j', (key, mode) => {
    expect(gateway.modeOf(key)).toBe(mode);
  });

  test('give access to their account if they are valid', async () => {
    expect(await psp.account()).toEqual({ id: account.records.account.id, name: null, country: 'DE', defaultCurrency: 'EUR' });
  });

  test('that are wrong cause an authentication error that does not contain the key', async () => {
    server.revokeKey(account.secretKey);
    const error = await failure(psp.account());
    expect(error).toMatchObject({ reason: 'authentication', outcomeUnknown: false });
    expect(inspect(error)).not.toContain(account.secretKey.slice(-4));
  });

  test('are sent without information about the machine', async () => {
    await psp.account();
    const [request] = server.requests;
    expect(request?.headers['x-stripe-client-telemetry']).toBeUndefined();
    expect(request?.headers['x-stripe-client-user-agent']).not.toContain('platform');
  });
});

describe('promotion codes', () => {
  test('are created with the operation as idempotency key and metadata', async () => {
    const created = await psp.createPromotionCode(NEW_CODE, 'op_1');
    expect(created).toMatchObject({
      code: 'JANE20',
      couponId: 'SPRING',
      active: true,
      mode: 'test',
      metadata: { operation: 'op_1' },
    });
    expect(server.received('POST', /promotion_codes/)).toMatchObject([{ idempotencyKey: 'op_1' }]);
    expect(await psp.promotionCode(created.id)).toEqual(created);
  });

  test('are created once for the same key and input', async () => {
    const [first, second] = [await psp.createPromotionCode(NEW_CODE, 'op_1'), await psp.createPromotionCode(NEW_CODE, 'op_1')];
    expect(second).toEqual(first);
    expect(account.records.promotionCodes).toHaveLength(1);
  });

  test('are refused for the same key with another input', async () => {
    await psp.createPromotionCode(NEW_CODE, 'op_1');
    const error = await failure(psp.createPromotionCode({ ...NEW_CODE, code: 'OTHER' }, 'op_1'));
    expect(error).toMatchObject({ reason: 'rejected', outcomeUnknown: false });
  });

  test('are found in upper or lower case, active or not, over all pages', async () => {
    for (let i = 0; i < 105; i += 1) account.records.promotionCodes.push(promotionCode({ code: 'Many', active: false }));
    account.records.promotionCodes.push(promotionCode({ code: 'Manyother' }));
    expect(await psp.promotionCodesByCode('mANY')).toHaveLength(105);
    expect(await psp.promotionCodesByCode('man')).toEqual([]);
  });

  test('can be deactivated and activated', async () => {
    const { id } = await psp.createPromotionCode(NEW_CODE, 'op_1');
    for (const active of [false, true, false]) expect(await psp.setPromotionCodeActive(id, active)).toMatchObject({ id, active });
  });

  test('are refused with the provider’s message and code', async () => {
    expect(await failure(psp.promotionCode('promo_none'))).toMatchObject({
      reason: 'not_found',
      providerCode: 'resource_missing',
      message: "No such promotion code: 'promo_none'",
    });
    await psp.createPromotionCode(NEW_CODE, 'op_1');
    expect(await failure(psp.createPromotionCode(NEW_CODE, 'op_2'))).toMatchObject({
      reason: 'rejected',
      message: expect.stringContaining('already exists'),
    });
  });
});

describe('when the provider fails', () => {
  test.each([
    ['timeout', 'timeout'],
    ['garbage', 'unavailable'],
    [500, 'unavailable'],
    [502, 'unavailable'],
    [409, 'unavailable'],
  ] as const)('a creation met by %s leaves its outcome open, and its key finds it', async (kind, reason) => {
    const fault = server.faults.plant({ ...CREATION, kind, effect: 'applied', times: 1 });
    const caller = kind === 'timeout' ? await open(IMPATIENT_MS) : psp;
    const attempt = caller.createPromotionCode(NEW_CODE, 'op_1');
    expect(await failure(attempt)).toMatchObject({ reason, outcomeUnknown: true });
    await fault.met;
    expect(account.records.promotionCodes).toHaveLength(1);
    expect(await psp.createPromotionCode(NEW_CODE, 'op_1')).toMatchObject({ id: account.records.promotionCodes[0]?.id });
    expect(account.records.promotionCodes).toHaveLength(1);
  });

  test('a connection that stays broken also leaves the outcome unknown', async () => {
    const fault = server.faults.plant({ ...CREATION, kind: 'reset', effect: 'applied' });
    expect(await failure(psp.createPromotionCode(NEW_CODE, 'op_1'))).toMatchObject({
      reason: 'unreachable',
      outcomeUnknown: true,
    });
    fault.lift();
    expect(account.records.promotionCodes).toHaveLength(1);
  });

  test('the SDK’s own retry after a broken connection does not create a second code', async () => {
    server.faults.plant({ ...CREATION, kind: 'reset', effect: 'applied', times: 1 });
    await psp.createPromotionCode(NEW_CODE, 'op_1');
    expect(server.received('POST', /promotion_codes/).map((request) => request.idempotencyKey)).toEqual(['op_1', 'op_1']);
    expect(account.records.promotionCodes).toHaveLength(1);
  });

  test('a fault replayed for the key is distinguished from a new fault', async () => {
    server.faults.plant({ ...CREATION, kind: 500, effect: 'none', remembered: true, times: 1 });
    expect(await failure(psp.createPromotionCode(NEW_CODE, 'op_1'))).toMatchObject({ reason: 'unavailable', replayed: false });
    expect(await failure(psp.createPromotionCode(NEW_CODE, 'op_1'))).toMatchObject({ reason: 'unavailable', replayed: true });
    expect(await psp.createPromotionCode(NEW_CODE, 'op_1-2')).toMatchObject({ code: 'JANE20' });
  });

  test('a rate limit is reported as an operation that did not happen', async () => {
    server.faults.plant({ ...CREATION, kind: 429, effect: 'none', times: 1 });
    expect(await failure(psp.createPromotionCode(NEW_CODE, 'op_1'))).toMatchObject({
      reason: 'rate_limited',
      outcomeUnknown: false,
    });
  });

  test('a missing server is reported as unreachable', async () => {
    await using gone = await PspServer.start();
    const url = gone.url;
    await gone[Symbol.asyncDispose]();
    const provider = await new StripeGateway({ apiBase: url, timeoutMs: PATIENT_MS }).open('sk_test_x');
    const error = await failure(provider.account());
    expect(error.reason).toBe('unreachable');
  });

  test('a response that arrives too slowly is aborted', async () => {
    await using slow = await PspServer.start();
    const { secretKey } = slow.addAccount();
    slow.faults.plant({ method: 'GET', path: /account/, kind: 'drip', effect: 'none' });
    const provider = await new StripeGateway({ apiBase: slow.url, timeoutMs: IMPATIENT_MS }).open(secretKey);
    const error = await failure(provider.account());
    expect(error.reason).toBe('timeout');
  });
});

describe('coupons', () => {
  test('are found by id, and valid coupons are listed', async () => {
    account.records.coupons.push(
      coupon({ id: 'GONE', valid: false }),
      coupon({ id: 'FIXED', percent_off: null, amount_off: 500, currency: 'jpy' }),
    );
    expect(await psp.coupon('SPRING')).toMatchObject({ id: 'SPRING', percentOff: 20, amountOff: null, valid: true });
    expect((await psp.validCoupons()).map((found) => [found.id, found.amountOff, found.currency])).toEqual([
      ['FIXED', 500, 'JPY'],
      ['SPRING', null, null],
    ]);
    expect(await failure(psp.coupon('NONE'))).toMatchObject({ reason: 'not_found' });
  });
});

describe('payments of an invoice', () => {
  test('are found from either side', async () => {
    const paid = invoice({ id: 'in_1', total: 3000, currency: 'eur' });
    account.records.invoicePayments.push(invoicePayment(paid, 'pi_1', 1000), invoicePayment(paid, 'pi_2', 2000), {
      ...invoicePayment(paid, 'pi_3', 3000),
      status: 'canceled',
    });
    expect(await psp.invoicePayments('in_1')).toEqual([
      { chargeId: null, paymentIntentId: 'pi_2', amount: 2000 },
      { chargeId: null, paymentIntentId: 'pi_1', amount: 1000 },
    ]);
    account.records.charges.push(charge({ id: 'ch_1', payment_intent: 'pi_1' }));
    expect(await psp.invoicePayments('in_1')).toMatchObject([{ chargeId: null }, { chargeId: 'ch_1', paymentIntentId: 'pi_1' }]);
    const restricted = await new StripeGateway({ apiBase: server.url, timeoutMs: PATIENT_MS }).open(
      server.restrictKey(account, ['rak_invoice_read']),
    );
    expect(await restricted.invoicePayments('in_1')).toMatchObject([{ chargeId: null }, { chargeId: null }]);
    expect(await psp.invoicePayments('in_other')).toEqual([]);
    expect(await psp.invoiceOfPaymentIntent('pi_2')).toBe('in_1');
    expect(await psp.invoiceOfPaymentIntent('pi_none')).toBeNull();
  });
});

describe('undelivered events', () => {
  test('are listed for the handled types since a given time, over all pages', async () => {
    const { events } = account.records;
    for (let i = 0; i < 120; i += 1)
      events.push({ event: wireEvent('customer.updated', customer(), { created: 1000 + i }), delivered: false });
    events.push(
      { event: wireEvent('customer.updated', customer(), { created: 2000 }), delivered: true },
      { event: wireEvent('plan.created', customer(), { created: 2000 }), delivered: false },
    );
    const found: number[] = [];
    for await (const { events: page } of psp.since(new Date(1010 * 1000)))
      found.push(...page.map(({ occurredAt }) => occurredAt.getTime() / 1000));
    expect(found).toEqual(Array.from({ length: 110 }, (_, i) => 1119 - i));
  });
});
