/** Operations of the random walk in which several facts connect a customer with affiliates. Each operation checks who earns under the rules. */
import { equal, notEqual } from 'node:assert/strict';
import {
  charge,
  checkoutCustomer,
  checkoutSession,
  customer,
  legacyCharge,
  type WireEvent,
  wireEvent,
} from '../support/psp-server/index.ts';
import type { Referrer, Walk } from './walk.ts';

type Buyer = ReturnType<typeof customer>;

export const CUSTOMER_OPERATIONS = {
  /**
   * A customer comes to checkouts through the links of two affiliates, and then pays. The events arrive in any order. The first click earns, unless
   * the second affiliate's campaign uses the last click. If one affiliate cannot earn, the other does.
   */
  async contestedSale(walk: Walk) {
    const [first, second] = rivals(walk);
    const buyer = newBuyer(walk);
    const trials: WireEvent[] = [];
    for (const referrer of [first, second]) trials.push(await trialOf(walk, buyer, await walk.refer(referrer)));
    const paid = charge({ amount: walk.random.int(100, 30_000), currency: 'usd', customer: buyer.id, created: walk.now() });
    await walk.tellInAnyOrder([...trials, wireEvent('charge.succeeded', legacyCharge(paid, null))]);
    const [firstMay, secondMay] = [await walk.mayEarn(first.affiliateId), await walk.mayEarn(second.affiliateId)];
    const secondWins = secondMay && (!firstMay || walk.lastClick.has(second.campaignId));
    await walk.enter(secondWins ? second : firstMay ? first : null, { paid });
  },

  /**
   * A customer clicks one affiliate's link and then redeems another's code. The link earns, unless the account prefers codes. If one affiliate cannot
   * earn, the other does. A code earns under the terms of its own campaign.
   */
  async redeemedCode(walk: Walk) {
    const [linked, other] = rivals(walk);
    const campaignId = walk.campaignOfCode.get(other.affiliateId)!;
    const coded = { affiliateId: other.affiliateId, campaignId, terms: walk.terms.get(campaignId)! };
    const buyer = newBuyer(walk);
    const trial = await trialOf(walk, buyer, await walk.refer(linked));
    const paid = charge({ amount: walk.random.int(100, 30_000), currency: 'usd', customer: buyer.id, created: walk.now() });
    const purchase = checkoutSession({
      customer: buyer.id,
      customer_details: checkoutCustomer({ email: buyer.email ?? '' }),
      payment_intent: paid.payment_intent,
      discounts: [{ coupon: null, promotion_code: walk.codes.get(coded.affiliateId)! }],
    });
    await walk.tellInAnyOrder([
      trial,
      wireEvent('checkout.session.completed', purchase, { created: walk.now() }),
      wireEvent('charge.succeeded', legacyCharge(paid, null)),
    ]);
    const [linkMay, codeMay] = [await walk.mayEarn(linked.affiliateId), await walk.mayEarn(coded.affiliateId)];
    const codeWins = codeMay && (!linkMay || walk.codeBeforeLink);
    await walk.enter(codeWins ? coded : linkMay ? linked : null, { paid });
  },

  /** The personal data of a customer, or of an affiliate without sales, is erased. */
  async erase(walk: Walk) {
    const { data } = await walk.api().customers.list({ limit: 100, sort: 'created_at' });
    const known = walk.random.pick(data.filter(({ erased_at }) => erased_at === null));
    if (known && walk.random.chance(0.5)) {
      await walk.api().customers.erase({ id: known.id });
      return;
    }
    const email = `leaves-${walk.random.next()}@partner.example`;
    const { id } = await walk.api().affiliates.create({ email, campaign_id: walk.random.pick([...walk.terms.keys()])! });
    await walk.api().affiliates.erase({ id });
  },

  /**
   * A lead becomes a customer of the provider. One event announces a payment without the customer's email address, and another event adds the
   * address. They arrive in any order.
   */
  async mergedSale(walk: Walk) {
    const referrer = walk.random.pick(walk.referrals)!;
    const email = `lead-${walk.random.next()}@buyer.example`;
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ referral_id: await walk.refer(referrer), email });
    equal((await fetch(`${walk.service.url}/track/leads`, { method: 'POST', headers, body })).status, 200);
    walk.wait();
    const buyer = customer({ email: null });
    const paid = charge({ amount: walk.random.int(100, 30_000), currency: 'usd', customer: buyer.id, created: walk.now() });
    await walk.tellInAnyOrder([
      wireEvent('charge.succeeded', legacyCharge(paid, null)),
      wireEvent('customer.updated', { ...buyer, email }, { previous: { email: null } }),
    ]);
    await walk.enter((await walk.mayEarn(referrer.affiliateId)) ? referrer : null, { paid });
  },

  /**
   * The merchant reports a sale without the provider's ids, and the provider announces it, too. In live mode, the reported sale is flagged for
   * review. Both sales earn until a person decides.
   */
  async doubledSale(walk: Walk) {
    const { random, ledger } = walk;
    const referrer = random.pick(walk.referrals)!;
    const buyer = newBuyer(walk);
    const referral_id = await walk.refer(referrer);
    walk.wait();
    const amount = random.int(100, 30_000);
    const paid = charge({ amount, currency: 'usd', customer: buyer.id, created: walk.now() });
    const checkout = checkoutSession({
      client_reference_id: referral_id,
      customer: buyer.id,
      customer_details: checkoutCustomer({ email: buyer.email ?? '' }),
      payment_intent: paid.payment_intent,
    });
    const externalId = `double-${random.next()}`;
    const report = async () => {
      const { sale } = await walk.api().tracking.recordSale({
        external_id: externalId,
        referral_id,
        customer_email: buyer.email,
        amount_cents: amount,
        currency: 'USD',
      });
      return sale.id;
    };
    const tell = () =>
      walk.tellInAnyOrder([
        wireEvent('checkout.session.completed', checkout, { created: walk.now() }),
        wireEvent('charge.succeeded', legacyCharge(paid, null)),
      ]);
    const isReportedFirst = random.chance(0.5);
    if (!isReportedFirst) await tell();
    const saleId = await report();
    if (isReportedFirst) await tell();

    const earner = (await walk.mayEarn(referrer.affiliateId)) ? referrer : null;
    const told = await walk.enter(earner, { paid });
    const { data } = await walk.api().commissions.list({ limit: 5 });
    const reported = data.find(({ sale_id }) => sale_id === saleId);
    equal(reported?.affiliate_id ?? null, earner?.affiliateId ?? null, 'who earns from the report');
    if (!told || !reported || !earner) return;
    const { affiliateId, terms } = earner;
    const { id: commissionId, currency } = reported;
    ledger.enter({ id: saleId, externalId, affiliateId, livemode: true, commissionId, currency, terms, charge: amount, tax: 0 });
    const reason = await walk.reviewReasonNow(affiliateId);
    equal(reported.review_reason, walk.live ? 'possible_duplicate' : reason, 'a possible duplicate');
    equal(told.review_reason, reason);
    if (!walk.live || random.chance(0.3)) return;
    await decideDuplicate(walk, reported.id, told.id);
  },
};

/** Settles a sale that was recorded twice: approves the flagged commission, or voids the commission of one of the two sales. */
async function decideDuplicate(walk: Walk, reportedId: string, toldId: string): Promise<void> {
  const { commissions } = walk.api();
  if (walk.random.chance(0.5)) {
    await commissions.review({ id: reportedId, review_action: 'approve' });
    notEqual((await commissions.get({ id: reportedId })).review_status, 'suspicious');
    return;
  }
  const commission = await commissions.get({ id: walk.random.pick([reportedId, toldId])! });
  await commissions.void({ id: commission.id });
  walk.noteVoided(commission);
}

function rivals({ random, referrals }: Walk): [Referrer, Referrer] {
  const first = random.pick(referrals)!;
  return [first, random.pick(referrals.filter(({ affiliateId }) => affiliateId !== first.affiliateId))!];
}

function newBuyer({ random }: Walk): Buyer {
  return customer({ email: `buyer-${random.next()}@buyer.example` });
}

/** Advances the clock, so that the checkout comes after the visit. Returns the event of a checkout that charges nothing. */
async function trialOf(walk: Walk, buyer: Buyer, client_reference_id: string): Promise<WireEvent> {
  walk.wait();
  const trial = checkoutSession({
    mode: 'subscription',
    client_reference_id,
    customer: buyer.id,
    customer_details: checkoutCustomer({ email: buyer.email ?? '' }),
  });
  return wireEvent('checkout.session.completed', trial, { created: walk.now() });
}
