/** The warning that the visits of affiliates' links and the payments of the provider never meet (docs/rules/intake.md#tracking-and-payments). */
import { expect, test } from 'vitest';
import { charge, checkoutSession, newId, subscription, wireEvent, type WireEvent } from '../support/psp-server/index.ts';
import { useEventShop } from './event-shop.ts';

const shop = useEventShop();

/** Follows an affiliate's link. Returns the id of the visitor's referral. */
async function visit(): Promise<string> {
  const { affiliateId: affiliate_id, campaignId: campaign_id } = shop.program;
  const { token } = await shop.merchant.call().links.create({ affiliate_id, campaign_id, url: 'https://shop.example' });
  const answer = await fetch(`${shop.service.url}/t/${token}?account_id=${shop.merchant.id}`, { redirect: 'manual' });
  return new URL(answer.headers.get('location')!).searchParams.get('referral')!;
}

const seconds = () => Math.floor(shop.service.clock.now().getTime() / 1_000);
const pay = (customer = newId('cus'), more: object = {}): WireEvent =>
  wireEvent('charge.succeeded', charge({ amount: 5_000, customer, created: seconds(), ...more }), { created: seconds() });
const checkout = (reference: string | null, customer: string): WireEvent =>
  wireEvent(
    'checkout.session.completed',
    checkoutSession({ client_reference_id: reference, customer, customer_details: null, created: seconds() }),
    { created: seconds() },
  );
const isWarned = async () => (await shop.merchant.call().pspConnection.activity()).never_meet;

/** Moves the clock, and back at the end of the test. */
function useClock(): Disposable & { wait: (days: number) => void } {
  const before = shop.service.clock.instant();
  return {
    wait: (days) => shop.service.clock.advance(days, 'days'),
    [Symbol.dispose]: () => shop.service.clock.set(before),
  };
}

test('warns after a week with visits and checkouts that name no referral, until a checkout names one', async () => {
  using clock = useClock();
  await visit();
  await shop.deliver(pay());
  expect(await isWarned()).toBe(false);
  clock.wait(6);
  const referral = await visit();
  const stranger = newId('cus');
  await shop.deliver(checkout('user 42', stranger), pay(stranger));
  expect(await isWarned()).toBe(false);
  clock.wait(1.01);
  expect(await isWarned()).toBe(true);
  const buyer = newId('cus');
  await shop.deliver(checkout(referral, buyer));
  expect(await isWarned()).toBe(false);
  clock.wait(7.01);
  expect(await isWarned()).toBe(false);
  await visit();
  await shop.deliver(pay());
  expect(await isWarned()).toBe(true);
});

test.each([
  ['without visits', async () => shop.deliver(pay())],
  ['without payments', async () => void (await visit())],
  [
    'if only known customers pay',
    async () => {
      const known = newId('cus');
      await shop.deliver(pay(known));
      shop.service.clock.advance(8, 'days');
      await visit();
      await shop.deliver(pay(known));
    },
  ],
  [
    'if the only payment was excluded by its metadata',
    async () => {
      await visit();
      await shop.deliver(pay(newId('cus'), { metadata: { affiliate: 'false' } }));
    },
  ],
  [
    'if a subscription in a trial names a referral',
    async () => {
      const trial = subscription(newId('cus'), { created: seconds(), metadata: { referral: await visit() } });
      await shop.deliver(wireEvent('customer.subscription.created', trial, { created: seconds() }), pay());
    },
  ],
  [
    'if the metadata of a payment of an unknown customer name a referral',
    async () => {
      const metadata = { referral: await visit() };
      await shop.deliver(wireEvent('charge.succeeded', charge({ amount: 5_000, created: seconds(), metadata })), pay());
    },
  ],
])('does not warn %s', async (_case, happen) => {
  using clock = useClock();
  clock.wait(8);
  await happen();
  expect(await isWarned()).toBe(false);
});
