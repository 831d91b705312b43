/** Requests of strangers, buyers and hostile servers to the address of a connection. */
import { gzipSync } from 'node:zlib';
import { retryPspEvents } from '@affiliate/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Carousel } from '../support/carousel.ts';
import { type Reply, send } from '../support/http.ts';
import { sample } from '../support/thorough.ts';
import type { Shop } from './stories.ts';

const ATTACKS = [
  'no signature',
  'a forged signature',
  'the secret of another connection',
  'an old delivery',
  'a replayed delivery',
  '10 MB',
  'a zip bomb',
  'rates and HTML in custom data',
  'addresses that are not the provider’s',
] as const;
type Attack = (typeof ATTACKS)[number];

export interface AttacksOn<Of> {
  open: () => Promise<Of>;
  /** Sells something whose checkout has entries by which the merchant names who sent the customer. */
  sell: (shop: Of, custom: Record<string, string>) => void;
  /** Ages of deliveries that are refused, in seconds. */
  ages?: readonly number[];
  /** The attacks that are not possible, each with the reason. */
  without: Readonly<Partial<Record<Attack, string>>>;
}

/** Declares tests of each attack on a provider's shop: nothing comes in, and every refusal has its reason. The ordinary run makes every second attack. */
export function tellAttacks<Event, Of extends Shop<Event>>({
  open,
  sell,
  ages = [301, -301, 86_400 * 365],
  without,
}: AttacksOn<Of>): void {
  describe('an attack by', () => {
    let canary: Carousel;
    beforeAll(async () => {
      canary = await new Carousel().start();
    });
    afterAll(() => canary.stop());

    const soldAt = async () => {
      const shop = await open();
      sell(shop, { referral: shop.friends.link.token });
      return shop;
    };
    const deliver = (shop: Of, body: string, { secret = shop.secret, age = 0, headers = {} } = {}): Promise<Reply> => {
      const at = new Date(shop.service.clock.now().getTime() - age * 1_000);
      return send(shop.url, 'POST', { raw: body, headers: { ...shop.headersOf(body, secret, at), ...headers } });
    };
    const bodyOf = (shop: Of, more: object = {}) => JSON.stringify({ ...(shop.events[0] as object), ...more });
    const expectNothing = async (shop: Of) => {
      await retryPspEvents(shop.service.services);
      expect(await shop.rows()).toMatchObject({ sales: [], commissions: [], customers: [] });
    };
    const refused = { status: 400, body: { code: 'INVALID_SIGNATURE' } };

    const told: Record<Attack, () => Promise<void>> = {
      'no signature': async () => {
        const shop = await soldAt();
        expect(await send(shop.url, 'POST', { raw: bodyOf(shop), headers: {} })).toMatchObject(refused);
        await expectNothing(shop);
      },
      'a forged signature': async () => {
        const shop = await soldAt();
        for (const secret of ['forged', `whsec_${Buffer.alloc(24, 1).toString('base64')}`])
          expect(await deliver(shop, bodyOf(shop), { secret })).toMatchObject(refused);
        const changed = bodyOf(shop, { more: 1 });
        const headers = shop.headersOf(bodyOf(shop), shop.secret, shop.service.clock.now());
        expect(await deliver(shop, changed, { headers })).toMatchObject(refused);
        await expectNothing(shop);
      },
      'the secret of another connection': async () => {
        const [shop, other] = [await soldAt(), await open()];
        expect(await deliver(shop, bodyOf(shop), { secret: other.secret })).toMatchObject(refused);
        await expectNothing(shop);
      },
      'an old delivery': async () => {
        const shop = await soldAt();
        for (const age of ages) expect(await deliver(shop, bodyOf(shop), { age })).toMatchObject(refused);
        await expectNothing(shop);
      },
      'a replayed delivery': async () => {
        const shop = await soldAt();
        const body = bodyOf(shop);
        const headers = shop.headersOf(body, shop.secret, shop.service.clock.now());
        const replay = async () => {
          const { status } = await send(shop.url, 'POST', { raw: body, headers });
          await retryPspEvents(shop.service.services);
          return status;
        };
        expect(await replay()).toBe(shop.accepted);
        const rows = await shop.rows();
        expect(rows).toMatchObject({ sales: [expect.any(String)], commissions: [expect.any(String)] });
        expect(await replay()).toBe(shop.accepted);
        shop.service.clock.advance(1, 'hours');
        expect(await replay()).toBe('an old delivery' in without ? shop.accepted : 400);
        expect(await shop.rows()).toEqual(rows);
      },
      '10 MB': async () => {
        const shop = await soldAt();
        const body = bodyOf(shop, { more: 'x'.repeat(10 * 1_048_576) });
        expect(await deliver(shop, body)).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
        await expectNothing(shop);
      },
      'a zip bomb': async () => {
        const shop = await soldAt();
        const bomb = new Uint8Array(gzipSync(Buffer.alloc(50 * 1_048_576)));
        const headers = { ...shop.headersOf('', shop.secret, shop.service.clock.now()), 'Content-Encoding': 'gzip' };
        const reply = await send(shop.url, 'POST', { raw: bomb, headers });
        expect(reply).toMatchObject({ status: 415, body: { code: expect.any(String) } });
        await expectNothing(shop);
      },
      'rates and HTML in custom data': async () => {
        const shop = await open();
        const { affiliate, campaign } = shop.friends;
        const orders = { commission_percent: '99', commission_cents: '100000', amount: '1', currency: 'EUR' };
        sell(shop, { referral: '<img src=x onerror=alert(1)>', ...orders, affiliate_id: affiliate.id, campaign_id: campaign.id });
        expect((await deliver(shop, bodyOf(shop))).status).toBe(shop.accepted);
        await retryPspEvents(shop.service.services);
        expect(await shop.rows()).toMatchObject({ sales: [expect.stringMatching(/^1000 0 0 USD/)], commissions: [] });
      },
      'addresses that are not the provider’s': async () => {
        const shop = await soldAt();
        const url = `${canary.url}/certificate.pem`;
        const more = { url, cert_url: url, links: { self: url, next: url }, _links: { self: [{ href: url }] } };
        const headers = {
          'paypal-cert-url': url,
          'x-shopify-shop-domain': new URL(url).host,
          'x-wc-webhook-source': url,
          'x-forwarded-host': new URL(url).host,
        };
        await deliver(shop, bodyOf(shop, more), { headers });
        await retryPspEvents(shop.service.services);
        expect(canary.requests).toEqual([]);
      },
    };
    it.each(
      sample(
        ATTACKS.filter((attack) => !(attack in without)),
        2,
        0,
      ),
    )('%s', async (attack) => {
      expect.hasAssertions();
      await told[attack]();
    });

    it('another way is not possible, for a reason', () => {
      for (const reason of Object.values(without)) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
    });
  });
}
