/** Operations of the random walk about customers whom several facts tie to affiliates, with what each must earn by the rules. */
import {
  charge,
  checkoutCustomer,
  checkoutSession,
  customer,
  legacyCharge,
  type WireEvent,
  wireEvent,
} from '../support/psp-server/index.ts';
import type { LedgerSale } from './ledger.ts';
import type { Random } from './random.ts';

/** An affiliate with the campaign and the terms of a referral of theirs. */
export interface Referrer {
  affiliateId: string;
  campaignId: string;
  terms: LedgerSale['terms'];
}

export interface Walk {
  random: Random;
  referrers: readonly Referrer[];
  /** Campaigns that have chosen the last click. */
  lastClick: Set<string>;
  refer: (referrer: Referrer) => Promise<string>;
  mayEarn: (affiliateId: string) => Promise<boolean>;
  /** The time now, in seconds. */
  now: () => number;
  wait: () => void;
  lead: (referralId: string, email: string) => Promise<void>;
  tell: (event: WireEvent) => Promise<void>;
  /** The commission of a test payment; null when it earned nothing. */
  commissionOf: (chargeId: string) => Promise<{ id: string; sale_id: string; affiliate_id: string; currency: string } | null>;
}

/** A payment of a test customer, and who must earn from it: null for nobody. */
export interface Payment {
  paid: ReturnType<typeof charge>;
  earner: Referrer | null;
}

/**
 * Two affiliates' links lead a customer to checkouts before the customer pays; the events come in any order. The first click earns, unless the
 * campaign of the second one has chosen the last click. An affiliate who cannot earn gives way.
 */
export async function contestedPayment({ random, referrers, lastClick, ...walk }: Walk): Promise<Payment> {
  const first = random.pick(referrers)!;
  const second = random.pick(referrers.filter(({ affiliateId }) => affiliateId !== first.affiliateId))!;
  const buyer = customer({ email: `buyer-${random.next()}@buyer.example` });
  const checkouts: WireEvent[] = [];
  for (const referrer of [first, second]) {
    const client_reference_id = await walk.refer(referrer);
    walk.wait();
    const trial = checkoutSession({
      mode: 'subscription',
      client_reference_id,
      customer: buyer.id,
      customer_details: checkoutCustomer({ email: buyer.email ?? '' }),
    });
    checkouts.push(wireEvent('checkout.session.completed', trial, { created: walk.now() }));
  }
  const paid = charge({ amount: random.int(100, 30_000), currency: 'usd', customer: buyer.id, created: walk.now() });
  const events = [...checkouts, wireEvent('charge.succeeded', legacyCharge(paid, null))];
  while (events.length > 0) await walk.tell(events.splice(random.int(0, events.length - 1), 1)[0]!);
  const [firstMay, secondMay] = [await walk.mayEarn(first.affiliateId), await walk.mayEarn(second.affiliateId)];
  const secondWins = secondMay && (!firstMay || lastClick.has(second.campaignId));
  return { paid, earner: secondWins ? second : firstMay ? first : null };
}

/** A lead who turns out to be a customer of the provider: the provider tells of a payment without an address, and of the address, in any order. */
export async function mergedPayment({ random, referrers, ...walk }: Walk): Promise<Payment> {
  const referrer = random.pick(referrers)!;
  const email = `lead-${random.next()}@buyer.example`;
  await walk.lead(await walk.refer(referrer), email);
  walk.wait();
  const buyer = customer({ email: null });
  const paid = charge({ amount: random.int(100, 30_000), currency: 'usd', customer: buyer.id, created: walk.now() });
  const events = [
    wireEvent('charge.succeeded', legacyCharge(paid, null)),
    wireEvent('customer.updated', { ...buyer, email }, { previous: { email: null } }),
  ];
  for (const event of random.chance(0.7) ? events : events.toReversed()) await walk.tell(event);
  return { paid, earner: (await walk.mayEarn(referrer.affiliateId)) ? referrer : null };
}
