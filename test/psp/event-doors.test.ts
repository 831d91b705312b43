import { describe, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import {
  charge,
  customer,
  legacyPromotionCode,
  newId,
  promotionCode,
  sendEvent,
  signedDelivery,
  wireEvent,
  coupon,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { oneOffPayment, useEventShop } from './event-shop.ts';

const shop = useEventShop();

describe('customers and promo codes', () => {
  test('a customer’s name is stored, and an affiliate’s provider id', async () => {
    const { email } = await shop.merchant.call().affiliates.get({ id: shop.program.affiliateId });
    const known = customer({ email: email.toUpperCase(), name: 'Jane Doe' });
    await shop.deliver(wireEvent('customer.created', known));
    expect((await shop.merchant.api.get('/affiliates', { psp_customer_id: known.id })).body).toMatchObject({
      data: [{ id: shop.program.affiliateId, psp_customer_id: known.id }],
    });
  });

  test('a customer’s change of address is applied, and older reports of it change nothing', async () => {
    const referralId = await shop.refer();
    const { buyer, events } = oneOffPayment(referralId);
    await shop.deliver(...events);
    const change = (from: string | null, to: string) =>
      wireEvent('customer.updated', { ...buyer, email: to }, { previous: { email: from } });
    const first = change(buyer.email, 'second@buyer.example');
    await shop.deliver(first, change('SECOND@buyer.example', 'third@buyer.example'));
    await shop.deliver({ ...first, id: newId('evt') }, wireEvent('customer.updated', buyer));
    await shop.deliver(wireEvent('customer.updated', buyer, { previous: { email: 7 } }));
    const found = await shop.merchant.api.get('/referrals', { email: 'third@buyer.example' });
    expect(found.body).toMatchObject({ data: [{ id: referralId }] });

    const other = customer({ email: 'taken@buyer.example' });
    await shop.deliver(wireEvent('customer.created', other), change('third@buyer.example', 'Taken@buyer.example'));
    expect((await shop.merchant.api.get('/referrals', { email: 'third@buyer.example' })).body).toMatchObject(found.body);
  });

  test('a customer’s change of address to that of the affiliate flags unpaid commissions', async () => {
    const { buyer, events } = oneOffPayment(await shop.refer());
    await shop.deliver(...events);
    expect(await shop.commissions()).toMatchObject([{ review_status: null }]);
    const { email } = await shop.merchant.call().affiliates.get({ id: shop.program.affiliateId });
    await shop.deliver(wireEvent('customer.updated', { ...buyer, email }, { previous: { email: buyer.email } }));
    expect(await shop.commissions()).toMatchObject([{ review_status: 'suspicious', review_reason: 'self_referral' }]);
  });

  test.each(['new', 'old'])(
    'promotion_code.updated (%s shape) refreshes an assignment unless the event is older than the stored state',
    async (shape) => {
      const spring = coupon({ id: 'SPRING' });
      shop.merchant.psp.records.coupons.push(spring);
      const code = promotionCode({ code: 'JANE20', promotion: { type: 'coupon', coupon: 'SPRING' } });
      shop.merchant.psp.records.promotionCodes.push(code);
      const path = `/affiliates/${shop.program.affiliateId}/promo_codes`;
      await shop.merchant.api.post(path, { psp_promotion_code_id: code.id, dry_run: false }, { 'Idempotency-Key': 'k1' });
      const told = (fields: object, minutes: number) => {
        const now = { ...code, ...fields };
        const created = Math.floor(shop.service.clock.now().getTime() / 1000) + 60 * minutes;
        return wireEvent('promotion_code.updated', shape === 'new' ? now : legacyPromotionCode(now, spring), { created });
      };
      await shop.deliver(told({ active: false, times_redeemed: 9 }, 2), told({ active: true, times_redeemed: 8 }, 1));
      expect((await shop.merchant.api.get(path)).body).toMatchObject({
        data: [{ status: 'inactive', psp_coupon_id: 'SPRING', observation: { times_redeemed: 9 } }],
      });
    },
  );
});

describe('accepted deliveries', () => {
  const event = () => wireEvent('charge.succeeded', charge());

  test('must have a recent signature with the account’s secret', async () => {
    const { secret } = { secret: shop.merchant.webhookSecret };
    const good = signedDelivery(event(), { secret });
    const refused: [string, string, Record<string, string>][] = [
      ['unsigned', good.body, { 'content-type': 'application/json' }],
      ['another secret', ...parts(signedDelivery(event(), { secret: 'whsec_other' }))],
      ['an old signature', ...parts(signedDelivery(event(), { secret, timestamp: 1_600_000_000 }))],
      ['another body', good.body.replace('"amount": 2000', '"amount": 9000'), good.headers],
      ['no event', ...parts(signedDelivery(wireEvent('x', {}), { secret: 'whsec_other' }))],
    ];
    for (const [what, body, headers] of refused) {
      const response = await send(shop.endpoint, 'POST', { raw: body, headers });
      expect([what, response.status, response.body['code']]).toEqual([what, 400, 'INVALID_SIGNATURE']);
    }
    expect(await shop.count('sale')).toBe(0);
    expect(await shop.storedEvents()).toEqual([]);
  });

  test('an account without a connection and an unknown account get the response for a wrong signature', async () => {
    const other = await shop.service.createMerchant();
    const answers = await Promise.all(
      [other.id, 'acct_none'].map(async (id) => {
        const response = await sendEvent(`${shop.service.url}/psp/webhooks/${id}`, event(), {
          secret: shop.merchant.webhookSecret,
        });
        return { status: response.status, body: { ...((await response.json()) as object), request_id: '' } };
      }),
    );
    expect(answers).toMatchObject([{ status: 400 }, { status: 400 }]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
  });

  test('another account’s event, with that account’s signature, is refused', async () => {
    const other = await shop.service.createMerchant();
    await other.connect();
    const response = await sendEvent(shop.endpoint, event(), { secret: other.webhookSecret });
    expect(response.status).toBe(400);
  });

  test('after a rotation both secrets are valid for a day', async () => {
    await shop.merchant.call().pspConnection.rotateWebhookSecret({ webhook_secret: 'whsec_next' });
    const post = (secret: string) =>
      sendEvent(shop.endpoint, event(), { secret, timestamp: Math.floor(shop.service.clock.now().getTime() / 1000) });
    expect((await post('whsec_next')).status).toBe(200);
    expect((await post(shop.merchant.webhookSecret)).status).toBe(200);
    shop.service.clock.advance(25, 'hours');
    expect((await post('whsec_next')).status).toBe(200);
    expect((await post(shop.merchant.webhookSecret)).status).toBe(400);
    shop.service.clock.advance(-25, 'hours');
  });

  test('other methods and large bodies are refused', async () => {
    expect(await send(shop.endpoint, 'GET')).toMatchObject({ status: 405 });
    expect(await send(shop.endpoint, 'POST', { raw: 'x'.repeat(2_000_000) })).toMatchObject({ status: 413 });
  });

  test('a signed body that is not an event is not reported as badly signed', async () => {
    const { secret } = { secret: shop.merchant.webhookSecret };
    for (const nothing of [{}, { ...event(), livemode: 'no' }, { ...event(), data: { object: 7 } }]) {
      const { body, headers } = signedDelivery(nothing as WireEvent, { secret });
      expect(await send(shop.endpoint, 'POST', { raw: body, headers })).toMatchObject({
        status: 400,
        body: { code: 'MALFORMED_JSON' },
      });
    }
    expect(await shop.storedEvents()).toEqual([]);
  });

  test('the response reports the outcome of the event', async () => {
    const { secret } = { secret: shop.merchant.webhookSecret };
    const outcomeOf = async (told: WireEvent) => {
      const { body, headers } = signedDelivery(told, { secret });
      return (await send(shop.endpoint, 'POST', { raw: body, headers })).body;
    };
    const paid = event();
    expect(await outcomeOf(paid)).toEqual({ received: true, outcome: 'processed' });
    expect(await outcomeOf(paid)).toEqual({ received: true, outcome: 'duplicate' });
    expect(await outcomeOf(wireEvent('plan.created', { id: 'plan_1' }))).toEqual({ received: true, outcome: 'ignored' });
  });

  test('events of the other mode are stored and have no effect', async () => {
    await shop.deliver(wireEvent('charge.succeeded', charge({ livemode: true })));
    expect(await shop.count('sale')).toBe(0);
    expect(await shop.storedEvents()).toMatchObject([{ state: 'ignored', problem: expect.stringContaining('mode') }]);
  });

  test('unused types, and objects that cannot be read, are stored and accepted', async () => {
    await shop.deliver(wireEvent('plan.created', { id: 'plan_1' }), wireEvent('charge.succeeded', { id: 'ch_1', amount: 'x' }));
    expect((await shop.storedEvents()).map(({ state }) => state)).toEqual(['ignored', 'ignored']);
  });

  test('text that the database cannot store is removed', async () => {
    const referralId = await shop.refer();
    const { events, paid } = oneOffPayment(referralId);
    await shop.deliver(...events.slice(0, 2), wireEvent('charge.succeeded', { ...paid, description: 'nul \0 and \ud800' }));
    expect(await shop.commissions()).toMatchObject([{ sale: { description: expect.stringContaining('nul') } }]);
  });
});

describe('concurrency and faults', () => {
  test('one event delivered 50 times concurrently among other events makes one sale and one commission', async () => {
    const referralId = await shop.refer();
    const { events } = oneOffPayment(referralId);
    const copies = Array.from({ length: 50 }, (_, i) => events[i % 3] as WireEvent);
    const answers = await Promise.all(
      copies.map((copy) => sendEvent(shop.endpoint, copy, { secret: shop.merchant.webhookSecret })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await shop.commissions()).toMatchObject([{ amount_cents: 2_000, sale: { tax_amount_cents: 1_900 } }]);
    expect(await shop.count('sale')).toBe(1);
  });

  test('the provider is asked to deliver again when it cannot be reached', async () => {
    const buyer = customer();
    const paid = charge({ customer: buyer.id });
    const fault = shop.service.psp.faults.plant({ method: 'GET', path: /invoice_payments/, kind: 503, effect: 'none' });
    const told = wireEvent('charge.succeeded', paid);
    const refused = await sendEvent(shop.endpoint, told, { secret: shop.merchant.webhookSecret });
    expect(refused.status).toBe(502);
    expect(await shop.storedEvents()).toMatchObject([{ state: 'pending' }]);
    expect(await shop.count('sale')).toBe(0);
    fault.lift();
    await shop.deliver(told);
    expect(await shop.storedEvents()).toMatchObject([{ state: 'processed', problem: null }]);
    expect(await shop.count('sale')).toBe(1);
  });
});

function parts({ body, headers }: ReturnType<typeof signedDelivery>): [string, Record<string, string>] {
  return [body, headers];
}
