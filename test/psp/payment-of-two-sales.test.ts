/**
 * A merchant's report names a charge, and an invoice of newer API versions names only the payment intent. The charge and the invoice may both become
 * sales before the provider's events show that they are the same payment (docs/rules/intake.md#the-same-sale-twice).
 */
import { afterEach, describe, expect, test } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { Locks } from '../support/locks.ts';
import {
  charge,
  customer,
  invoice,
  invoicePayment,
  newId,
  refund,
  refundedCharge,
  taxOf,
  wireEvent,
} from '../support/psp-server/index.ts';
import { Random } from '../support/random.ts';
import { SEED } from '../support/seed.ts';
import { sample, THOROUGH } from '../support/thorough.ts';
import { orders } from './event-shop.ts';
import { useLiveShop } from './live-shop.ts';

const { shop, reopen, deliver, post, commissions } = useLiveShop();

afterEach(() => assertNoContradictions(shop.service.databaseUrl));

/**
 * Prepares the payment of an invoice by a customer whom the affiliate sent. Returns functions that send the merchant's report and the provider's
 * events.
 */
async function payment() {
  const referral_id = await shop.refer();
  // The purchase must come after the visit.
  shop.service.clock.advance(1, 'seconds');
  const created = Math.floor(shop.service.clock.now().getTime() / 1_000);
  const buyer = customer({ email: `${newId('x')}@buyer.example` });
  const paid = charge({ amount: 11_900, customer: buyer.id, created });
  const bill = invoice({
    total: 11_900,
    customer: buyer.id,
    customer_email: buyer.email,
    total_taxes: [taxOf(1_900)],
    created,
    status_transitions: { finalized_at: created, marked_uncollectible_at: null, paid_at: created, voided_at: null },
  });
  const data = [
    {
      amount_paid: 11_900,
      currency: 'usd',
      status: 'paid',
      payment: { type: 'payment_intent', payment_intent: paid.payment_intent },
    },
  ];
  const report = {
    external_id: 'order-1',
    referral_id,
    customer_email: buyer.email,
    amount_cents: 11_900,
    tax_amount_cents: 1_900,
    currency: 'USD',
  };
  return {
    report,
    paid,
    bill,
    /** Lets the provider list the payment of the invoice, with its charge. */
    list: () => {
      const { records } = shop.merchant.psp;
      records.invoicePayments.push(invoicePayment(bill, paid.payment_intent as string));
      records.charges.push(paid);
    },
    reported: async (named: object) => expect([200, 201]).toContain((await post({ ...report, ...named })).status),
    invoiced: () => deliver(wireEvent('invoice.paid', { ...bill, payments: { object: 'list', data, has_more: false, url: '' } })),
    charged: () => deliver(wireEvent('customer.created', buyer), wireEvent('charge.succeeded', paid)),
    /** Reports a refund of a sale to the merchant's API. */
    returned: (external_id: string, refund_id: string, amount_cents: number) =>
      shop.merchant.api.post<{ sale: { id: string; external_id: string; refund_amount_cents: number } }>('/track/refunds', {
        external_id,
        refund_id,
        amount_cents,
      }),
    refunded: () =>
      deliver(wireEvent('charge.refunded', refundedCharge(paid, [refund(paid, { amount: 5_950, status: 'succeeded' })]))),
  };
}

/** Like `payment`, in a campaign whose commissions are due at once. */
async function dueAtOnce(terms: object = {}) {
  await shop.merchant.api.patch(`/campaigns/${shop.program.campaignId}`, { days_until_commissions_are_due: 0, ...terms });
  return payment();
}

async function payOpenPayout() {
  const [payout] = (await shop.merchant.api.get<{ data: { id: string }[] }>('/payouts')).body.data;
  expect((await shop.merchant.api.post(`/payouts/${payout!.id}/pay`)).status).toBe(200);
}

/** Pays the open payout, if there is one, and has it returned if `bounces`. */
async function payIfPossible(bounces: boolean): Promise<void> {
  const { body } = await shop.merchant.api.get<{ data: { id: string }[] }>('/payouts', { state: 'pending,due' });
  const [payout] = body.data;
  if (payout === undefined) return;
  await shop.merchant.api.post(`/payouts/${payout.id}/pay`);
  if (bounces) await shop.merchant.api.post(`/payouts/${payout.id}/return`, { reason: 'closed' });
}

/** Leaves out the flags of voided commissions, which depend on the order. */
function unflagged(earned: readonly string[]): string[] {
  return earned.map((each) => (each.includes(' voided ') ? each.replace('possible_duplicate', 'unflagged') : each)).toSorted();
}

/** The amounts of all sales, by the merchant's ids. */
async function amounts(): Promise<string[]> {
  const { body } = await shop.merchant.api.get<{ data: { external_id: string | null; charge_amount_cents: number }[] }>('/sales');
  return body.data.map(({ external_id, charge_amount_cents }) => `${external_id} ${charge_amount_cents}`).toSorted();
}

async function discrepancies() {
  return (await shop.merchant.call().payoutRuns.reconcile({})).discrepancies;
}

const earned = async () =>
  (await commissions())
    .map(({ kind, state, amount_cents, review_reason, sale }) =>
      [kind, state, amount_cents, review_reason ?? 'unflagged', `refunded ${sale.refund_amount_cents}`].join(' '),
    )
    .toSorted();

const HALF = 'sale pending 1000 unflagged refunded 5950';
/** The commission of a sale whose payment turned out to have another sale. */
const REPEATED = 'sale voided 2000 unflagged refunded 0';

describe('a payment whose charge the provider names', () => {
  const NAMES: [name: string, names: (told: Awaited<ReturnType<typeof payment>>) => object][] = [
    ['charge', ({ paid }) => ({ psp_charge_id: paid.id })],
    ['payment intent', ({ paid }) => ({ psp_payment_intent_id: paid.payment_intent })],
    ['invoice', ({ bill }) => ({ psp_invoice_id: bill.id })],
  ];

  test.each(NAMES)('is one sale in every order if the merchant reports it by its %s', async (_, names) => {
    const all = orders<'reported' | 'invoiced' | 'charged' | 'refunded'>(['reported', 'invoiced', 'charged', 'refunded']);
    for (const order of sample(all, 3, 0)) {
      await reopen();
      const told = await payment();
      told.list();
      for (const step of order) await told[step](names(told));
      expect({ order, earned: await earned() }).toEqual({ order, earned: [HALF] });
      expect(await shop.count('sale')).toBe(1);
      expect(await discrepancies()).toEqual([]);
    }
  });
});

describe('a sale reported by its charge, with an invoice that names the payment intent, if the key may not read the charge', () => {
  test('is worth something only once in every order', async () => {
    const all = orders<'reported' | 'invoiced' | 'charged' | 'refunded'>(['reported', 'invoiced', 'charged', 'refunded']);
    for (const order of sample(all, 2, 0)) {
      await reopen();
      const told = await payment();
      for (const step of order) await told[step]({ psp_charge_id: told.paid.id });
      const isDoubled = new Set(order.slice(0, 2)).isSubsetOf(new Set(['reported', 'invoiced']));
      expect({ order, earned: unflagged(await earned()) }).toEqual({ order, earned: isDoubled ? [HALF, REPEATED] : [HALF] });
      expect(await amounts()).toEqual(isDoubled ? ['null 0', 'order-1 11900'] : ['order-1 11900']);
      expect(await discrepancies()).toEqual([]);
    }
  });

  test('is flagged until the provider reports the charge', async () => {
    const { reported, invoiced, charged, paid } = await payment();
    await reported({ psp_charge_id: paid.id });
    await invoiced();
    expect(await earned()).toEqual(['sale pending 2000 possible_duplicate refunded 0', 'sale pending 2000 unflagged refunded 0']);
    await charged();
    expect(await earned()).toEqual(['sale pending 2000 unflagged refunded 0', REPEATED]);
  });

  test('is clawed back after a refund if it was paid, and the invoice’s sale becomes worth nothing', async () => {
    const { reported, invoiced, charged, refunded, paid } = await dueAtOnce();
    await reported({ psp_charge_id: paid.id });
    await payOpenPayout();
    await invoiced();
    await charged();
    await refunded();
    expect(unflagged(await earned())).toEqual([
      'adjustment due -1000 unflagged refunded 5950',
      'sale paid 2000 unflagged refunded 5950',
      REPEATED,
    ]);
    expect(await discrepancies()).toEqual([]);
  });

  test('leaves the payment to the invoice’s sale if that was paid, or if a person voided the report’s commission', async () => {
    for (const isPaid of [true, false]) {
      await reopen();
      const told = await dueAtOnce();
      const { report, bill, reported, invoiced, charged, paid } = told;
      bill.metadata = { referral: report.referral_id };
      await invoiced();
      if (isPaid) await payOpenPayout();
      await reported({ psp_charge_id: paid.id });
      const ours = (await commissions()).find(({ sale }) => sale.external_id === 'order-1')!;
      if (!isPaid) await shop.merchant.api.delete(`/commissions/${ours.id}`);
      await charged();
      expect(unflagged(await earned())).toEqual([
        isPaid ? 'sale paid 2000 unflagged refunded 0' : 'sale due 2000 unflagged refunded 0',
        REPEATED,
      ]);
      expect(await amounts()).toEqual(['null 11900', 'order-1 0']);
      expect(await discrepancies()).toEqual([]);
      // A refund that only the merchant reports stays when the provider reports the payment again.
      expect((await told.returned('order-1', 'one', 5_950)).status).toBe(201);
      await charged();
      const refunded = (await shop.merchant.call().sales.list({})).data.map((sale) => [
        sale.external_id,
        sale.refund_amount_cents,
      ]);
      expect(Object.fromEntries(refunded)).toEqual({ null: 5_950, 'order-1': 0 });
      expect(await discrepancies()).toEqual([]);
    }
  });
});

describe('a payment named in two reports, by its charge and by its payment intent', () => {
  const namesOf = ({ paid }: Awaited<ReturnType<typeof payment>>) => ({
    first: { external_id: 'order-1', psp_charge_id: paid.id },
    second: { external_id: 'order-2', psp_payment_intent_id: paid.payment_intent },
  });

  test('is worth something only once in every order of the facts', async () => {
    const all = orders<'first' | 'second' | 'charged' | 'refunded'>(['first', 'second', 'charged', 'refunded']);
    for (const order of sample(all, 3, 0)) {
      await reopen();
      const told = await payment();
      const names = namesOf(told);
      const steps = {
        first: () => post({ ...told.report, ...names.first }),
        second: () => post({ ...told.report, ...names.second }),
        charged: told.charged,
        refunded: told.refunded,
      };
      for (const step of order) await steps[step]();
      const isEarly = order.indexOf('charged') > Math.max(order.indexOf('first'), order.indexOf('second'));
      const winner = order.find((step) => step === 'first' || step === 'second') === 'first' ? 'order-1' : 'order-2';
      const repeated = winner === 'order-1' ? 'order-2' : 'order-1';
      const { daily } = shop.merchant.call().overview;
      const sold = (await daily({})).days.flatMap(({ currencies }) => currencies.map(({ sales }) => sales));
      const counted = (await shop.merchant.call().analytics.get({})).data.map(({ sales }) => sales);
      expect({ order, sold, counted }).toEqual({ order, sold: [1], counted: [1] });
      // Without an invoice, only the reports tell the tax.
      expect({ order, earned: unflagged(await earned()) }).toEqual({ order, earned: isEarly ? [HALF, REPEATED] : [HALF] });
      expect(await amounts()).toEqual(isEarly ? [`${winner} 11900`, `${repeated} 0`].toSorted() : [`${winner} 11900`]);
      expect(await discrepancies()).toEqual([]);
      const statuses = [(await steps.first()).status, (await steps.second()).status];
      expect(new Set(statuses)).toEqual(new Set(isEarly ? [200] : [200, 422]));
    }
  });

  test('takes back what was paid for the second report, and pays only the first, whatever the reward', async () => {
    for (const reward of [
      { reward_type: 'percent', commission_percent: 20 },
      { reward_type: 'fixed', commission_amount_cents: 700, commission_amount_currency: 'USD' },
    ]) {
      await reopen();
      const told = await dueAtOnce(reward);
      const { first, second } = namesOf(told);
      await told.reported(first);
      await told.reported(second);
      await payOpenPayout();
      await told.charged();
      const cents = reward.reward_type === 'fixed' ? 700 : 2_000;
      const list = (await commissions()).map(({ kind, state, amount_cents, sale }) =>
        [kind, state, amount_cents, sale.external_id].join(' '),
      );
      const [paid, back] = [`sale paid ${cents}`, `adjustment due ${-cents}`];
      expect(list.toSorted()).toEqual([`${paid} order-1`, `${paid} order-2`, `${back} order-2`].toSorted());
      expect(await amounts()).toEqual(['order-1 11900', 'order-2 0']);
      expect(await discrepancies()).toEqual([]);
    }
  });

  test('is worth something to one of two affiliates, and disputes and refunds are those of its sale', async () => {
    const told = await payment();
    const { first, second } = namesOf(told);
    const { campaignId: campaign_id } = shop.program;
    const eve = await shop.merchant.call().affiliates.create({ email: `${newId('x')}@example.com`, campaign_id });
    const other = (await shop.merchant.call().referrals.create({ affiliate_id: eve.id, campaign_id })).id;
    await told.reported(first);
    await told.reported({ ...second, referral_id: other, customer_email: `${newId('x')}@buyer.example` });
    await told.charged();
    await told.refunded();
    expect(unflagged(await earned())).toEqual([HALF, REPEATED]);
    expect(await discrepancies()).toEqual([]);
  });

  type Returning = 'first' | 'second' | 'charged' | 'back of first' | 'back of second';

  /** The orders in which two sales are recorded before they turn out to be one. */
  function ordersOfReturns<Step extends string = never>(...more: Step[]): (Returning | Step)[][] {
    const all = orders<Returning | Step>(['first', 'second', 'charged', 'back of first', 'back of second', ...more]);
    const isBefore = (order: readonly string[], one: Returning, other: Returning) => order.indexOf(one) < order.indexOf(other);
    return all.filter(
      (order) =>
        isBefore(order, 'first', 'second') &&
        isBefore(order, 'second', 'charged') &&
        isBefore(order, 'first', 'back of first') &&
        isBefore(order, 'second', 'back of second'),
    );
  }

  test('has the refunds of the report that states more, until the merchant or the provider shows that they are different', async () => {
    for (const order of ordersOfReturns()) {
      await reopen();
      const told = await payment();
      const { first, second } = namesOf(told);
      const steps = {
        first: () => told.reported(first),
        second: () => told.reported(second),
        charged: told.charged,
        'back of first': async () => expect((await told.returned('order-1', 'one', 2_950)).status).toBe(201),
        'back of second': async () => expect((await told.returned('order-2', 'two', 3_000)).status).toBe(201),
      };
      for (const step of order) await steps[step]();
      // The commission of the repeated sale was voided with the amount that was left after the refunds until then.
      const valid = async () => (await earned()).filter((each) => !each.includes(' voided '));
      expect({ order, valid: await valid() }).toEqual({ order, valid: ['sale pending 1496 unflagged refunded 3000'] });
      expect(await discrepancies()).toMatchObject([{ code: 'uncounted_refund', expected_cents: 5_950, actual_cents: 3_000 }]);
      // A retry finds the refund with the sale of the payment.
      const retry = await told.returned('order-2', 'two', 3_000);
      expect([retry.status, retry.body.sale.external_id, retry.body.sale.refund_amount_cents]).toEqual([200, 'order-1', 3_000]);
      expect((await told.returned('order-2', 'three', 11_900)).status).toBe(422);
      await assertNoContradictions(shop.service.databaseUrl);
      const name = async (cents: number) => (await told.returned('order-1', 'two', cents)).status;
      const shown =
        order.at(-1) === 'charged' ? await told.refunded() : [await name(2_999), await name(3_000), await name(3_000)];
      expect(shown ?? [409, 200, 200]).toEqual([409, 200, 200]);
      expect({ order, valid: await valid() }).toEqual({ order, valid: [HALF] });
      expect(await discrepancies()).toEqual([]);
      await assertNoContradictions(shop.service.databaseUrl);
    }
  });

  test('is refunded once if both reports and the provider state the same refund, each under its own id, in every order', async () => {
    type Step = 'refunded';
    const possible = ordersOfReturns<Step>('refunded');
    for (const order of sample(possible, 8, 0)) {
      await reopen();
      const told = await payment();
      const { first, second } = namesOf(told);
      const steps: Record<Returning | Step, () => Promise<unknown>> = {
        first: () => told.reported(first),
        second: () => told.reported(second),
        charged: told.charged,
        refunded: told.refunded,
        'back of first': async () => expect((await told.returned('order-1', 'one', 5_950)).status).toBe(201),
        'back of second': async () => expect((await told.returned('order-2', 'two', 5_950)).status).toBe(201),
      };
      for (const step of order) await steps[step]();
      const valid = (await earned()).filter((each) => !each.includes(' voided '));
      expect({ order, valid }).toEqual({ order, valid: [HALF] });
      expect(await discrepancies()).toEqual([]);
      const [sale] = (await shop.merchant.call().sales.list({})).data.filter(({ external_id }) => external_id === 'order-1');
      const { refunds } = await shop.merchant.call().refunds.get({ sale_id: sale!.id });
      expect(refunds.map(({ amount_cents }) => amount_cents)).toEqual([-5_950]);
      await assertNoContradictions(shop.service.databaseUrl);
    }
  });

  const SEEDS = Array.from({ length: Number(process.env['STORIES'] ?? (THOROUGH ? 40 : 4)) }, (_, i) => SEED * 100 + i);
  test.each(SEEDS)('has the refunds of the source that states most, with payments between the facts (seed %i)', async (seed) => {
    const random = new Random(seed);
    const told = await dueAtOnce();
    const { first, second } = namesOf(told);
    const part = () => 100 * random.int(1, 40);
    const stated = { 'order-1': 0, 'order-2': 0, provider: 0 };
    const returned = (external_id: 'order-1' | 'order-2', refund_id: string, cents: number) => async () => {
      const { status } = await told.returned(external_id, refund_id, cents);
      expect(status).toBe(201);
      stated[external_id] += cents;
      refunds.push({ external_id, cents, isSame: false });
    };
    const refunds: { external_id: 'order-1' | 'order-2'; cents: number; isSame: boolean }[] = [];
    /** Says that the refunds in doubt are the same as those of the report that states more. */
    const confirmRefunds = async () => {
      const call = shop.merchant.call();
      const [sale] = (await call.sales.list({ needs_review: true })).data;
      if (sale === undefined) return;
      await call.sales.review({ id: sale.id, review_action: 'same_refunds', updated_at: sale.updated_at });
      const [counted] = (['order-1', 'order-2'] as const).toSorted(
        (one, other) => stated[other] - stated[one] || Number(other === sale.external_id) - Number(one === sale.external_id),
      );
      for (const each of refunds) each.isSame ||= each.external_id !== counted;
    };
    const refundedBy = (cents: number) => async () => {
      stated.provider += cents;
      const total = refund(told.paid, { amount: stated.provider, status: 'succeeded', id: 're_all' });
      await deliver(wireEvent('charge.refunded', refundedCharge(told.paid, [total])));
      shop.service.clock.advance(2, 'seconds');
    };
    const later = random.shuffled([
      told.charged,
      returned('order-1', 'one', part()),
      ...(random.chance(0.5) ? [returned('order-1', 'two', part())] : []),
      returned('order-2', 'three', part()),
      ...(random.chance(0.5) ? [refundedBy(part())] : []),
      ...(random.chance(0.3) ? [refundedBy(part())] : []),
    ]);
    for (const step of [() => told.reported(first), () => told.reported(second), ...later]) {
      await step();
      shop.service.clock.advance(1, 'minutes');
      if (random.chance(0.4)) await payIfPossible(random.chance(0.3));
      if (random.chance(0.2)) await confirmRefunds();
    }
    const most = Math.max(...Object.values(stated));
    const { data } = await shop.merchant.call().sales.list({});
    const sold = data.find(({ charge_amount_cents }) => charge_amount_cents > 0)!;
    expect(sold.refund_amount_cents).toBe(most);
    const different = refunds.reduce((sum, { cents, isSame }) => sum + (isSame ? 0 : cents), 0);
    const inDoubt = stated.provider >= Math.max(stated['order-1'], stated['order-2']) ? 0 : Math.max(0, different - most);
    expect((await discrepancies()).map((each) => [each.code, each.expected_cents! - each.actual_cents!])).toEqual(
      inDoubt === 0 ? [] : [['uncounted_refund', inDoubt]],
    );
    await assertNoContradictions(shop.service.databaseUrl);
  });

  describe('whose reports name refunds that are the same', () => {
    /** Prepares a payment of two reports, with refunds of 30.00 and 29.50 in doubt. Returns its sale too. */
    async function inDoubt() {
      const told = await payment();
      const { first, second } = namesOf(told);
      await told.reported(first);
      await told.reported(second);
      await told.charged();
      const { body } = await told.returned('order-1', 'one', 3_000);
      expect((await told.returned('order-2', 'two', 2_950)).status).toBe(201);
      return { told, saleId: body.sale.id };
    }
    const review = (saleId: string, more: object = {}) =>
      shop.merchant.api.post(`/sales/${saleId}/review`, { review_action: 'same_refunds', ...more });
    const doubts = async () => (await discrepancies()).map((each) => [each.code, each.expected_cents! - each.actual_cents!]);
    const listed = async () =>
      (await shop.merchant.call().sales.list({ needs_review: true, expand: ['review'] })).data.map((sale) => sale.review);

    test('is not reported again after a person has said so, and its money stays', async () => {
      const { saleId } = await inDoubt();
      expect(await doubts()).toEqual([['uncounted_refund', 2_950]]);
      expect(await listed()).toEqual([{ contested: null, uncounted_refund_cents: 2_950 }]);
      const before = await earned();
      for (const _ of [1, 2]) expect((await review(saleId)).status).toBe(200);
      expect([await doubts(), await listed(), await earned()]).toEqual([[], [], before]);
      expect((await shop.merchant.api.post('/sales/sale_00000000000000000000000000/review', {})).status).toBe(422);
    });

    test('is reported again for later refunds only, and by what they may be worth', async () => {
      const { told, saleId } = await inDoubt();
      await review(saleId);
      expect((await told.returned('order-1', 'three', 1_000)).status).toBe(201);
      // The first report states as much as all refunds that are different.
      expect(await doubts()).toEqual([]);
      expect((await told.returned('order-2', 'four', 500)).status).toBe(201);
      expect(await doubts()).toEqual([['uncounted_refund', 500]]);
      await review(saleId);
      expect(await doubts()).toEqual([]);
      // The second report names more than the first now.
      expect((await told.returned('order-2', 'five', 2_000)).status).toBe(201);
      expect(await doubts()).toEqual([['uncounted_refund', 550]]);
    });

    test('may turn out to be different: all refunds for one report then count', async () => {
      const { told, saleId } = await inDoubt();
      await review(saleId);
      expect((await told.returned('order-1', 'two', 2_950)).status).toBe(200);
      expect((await earned()).filter((each) => !each.includes(' voided '))).toEqual([HALF]);
      expect(await doubts()).toEqual([]);
    });

    test('is looked at again if another refund was reported since', async () => {
      const { told, saleId } = await inDoubt();
      const { updated_at } = await shop.merchant.call().sales.get({ id: saleId });
      shop.service.clock.advance(1, 'seconds');
      await told.returned('order-2', 'three', 100);
      expect(await review(saleId, { updated_at })).toMatchObject({ status: 409, body: { details: { reason: 'changed' } } });
      expect(await doubts()).toEqual([['uncounted_refund', 3_000]]);
      expect(
        (await review(saleId, { updated_at: (await shop.merchant.call().sales.get({ id: saleId })).updated_at })).status,
      ).toBe(200);
      expect(await doubts()).toEqual([]);
    });
  });

  test('may be refunded in full by both reports', async () => {
    const told = await payment();
    const { first, second } = namesOf(told);
    await told.reported(first);
    await told.reported(second);
    await told.charged();
    expect((await told.returned('order-1', 'one', 11_900)).status).toBe(201);
    expect((await told.returned('order-2', 'two', 11_900)).status).toBe(201);
    expect((await told.returned('order-2', 'three', 1)).status).toBe(422);
    expect((await earned()).filter((each) => !each.includes('nothing_charged') && !each.includes(' voided '))).toEqual([]);
    expect(await discrepancies()).toEqual([]);
  });

  test('has the refunds of its lines that the merchant reports for either report, in every order', async () => {
    type Step = 'first' | 'second' | 'charged' | 'mug of first' | 'mug of second' | 'pen of second';
    const all = orders<Step>(['first', 'second', 'charged', 'mug of first', 'mug of second', 'pen of second']);
    const isBefore = (order: readonly Step[], one: Step, other: Step) => order.indexOf(one) < order.indexOf(other);
    const possible = all.filter(
      (order) =>
        isBefore(order, 'first', 'second') &&
        isBefore(order, 'second', 'charged') &&
        isBefore(order, 'first', 'mug of first') &&
        isBefore(order, 'second', 'mug of second') &&
        isBefore(order, 'mug of second', 'pen of second'),
    );
    for (const order of sample(possible, 6, 0)) {
      await reopen();
      const told = await payment();
      const { campaignId: campaign_id } = shop.program;
      const rule = { campaign_id, name: 'Pro', when: { products: ['pro'] }, pay: { percent: 30 } };
      expect((await shop.merchant.api.post('/reward_rules', rule)).status).toBe(201);
      const lines = (others: Record<string, number>) =>
        Object.entries({ pro: 6_900, mug: 4_000, ...others }).map(([product, amount_cents]) => ({ product, amount_cents }));
      const { first, second } = namesOf(told);
      const itemized = { tax_amount_cents: 0, amount_cents: 11_900 };
      const back = async (external_id: string, refund_id: string, product: string, amount_cents: number) => {
        const refunded = { external_id, refund_id, amount_cents, lines: [{ product, amount_cents }] };
        expect((await shop.merchant.api.post('/track/refunds', refunded)).status).toBe(201);
      };
      const steps: Record<Step, () => Promise<unknown>> = {
        first: () => told.reported({ ...first, ...itemized, lines: lines({ cup: 1_000 }) }),
        second: () => told.reported({ ...second, ...itemized, lines: lines({ pen: 1_000 }) }),
        charged: told.charged,
        'mug of first': () => back('order-1', 'one', 'mug', 1_500),
        'mug of second': () => back('order-2', 'two', 'mug', 2_000),
        'pen of second': () => back('order-2', 'three', 'pen', 500),
      };
      for (const step of order) await steps[step]();
      // The second report states more. The refund of its pen, which the first report does not have, reduces what is left of all lines in proportion.
      const left = [6_900, 2_000, 1_000].map((cents) => cents - (cents * 500) / 9_900);
      const cents = Math.round(left[0]! * 0.3 + (left[1]! + left[2]!) * 0.2);
      const [valid, ...others] = (await commissions()).filter(({ state }) => state !== 'voided');
      expect({ order, others, sale: valid!.sale.external_id }).toEqual({ order, others: [], sale: 'order-1' });
      expect(Math.abs(valid!.amount_cents - cents), `${order.join()}: ${valid!.amount_cents}`).toBeLessThanOrEqual(1);
      expect(await discrepancies()).toMatchObject([{ code: 'uncounted_refund', expected_cents: 4_000, actual_cents: 2_500 }]);
      await assertNoContradictions(shop.service.databaseUrl);
    }
  });

  test('has a refund that is reported while the two sales are joined', async () => {
    for (let round = 0; round < 3; round += 1) {
      await reopen();
      const told = await payment();
      const { first, second } = namesOf(told);
      await told.reported(first);
      await told.reported({ ...second, customer_email: `${newId('x')}@buyer.example` });
      const [returned] = await Promise.all([told.returned('order-2', 'back', 5_950), told.charged()]);
      expect(returned.status).toBe(201);
      const valid = (await earned()).filter((each) => !each.includes(' voided '));
      expect(valid).toEqual([HALF]);
      expect(await amounts()).toEqual(['order-1 11900', 'order-2 0']);
      await assertNoContradictions(shop.service.databaseUrl);
    }
  });

  test('waits for the customers’ locks before it locks the affiliate', async () => {
    const { report, reported, charged, paid } = await payment();
    await reported({ external_id: 'order-1', psp_charge_id: paid.id });
    const other = { external_id: 'order-2', psp_payment_intent_id: paid.payment_intent };
    const { body } = await post({ ...report, ...other, customer_email: `${newId('x')}@buyer.example` });
    await using locks = await Locks.open(shop.service.databaseUrl, shop.merchant.id);
    const held = await locks.customer(body.sale.customer_id!);
    await held.held;
    const told = charged();
    await locks.areWaiting(1);
    expect(await locks.isFree('affiliate', shop.program.affiliateId)).toBe(true);
    await held.release();
    await told;
    expect(await earned()).toHaveLength(2);
  });
});

describe('a payment named in two reports, one of which names only the invoice', () => {
  type Told = Awaited<ReturnType<typeof payment>>;
  const OTHERS: [name: string, names: (told: Told) => object][] = [
    ['charge', ({ paid }) => ({ psp_charge_id: paid.id })],
    ['payment intent', ({ paid }) => ({ psp_payment_intent_id: paid.payment_intent })],
    ['invoice, too', ({ bill }) => ({ psp_invoice_id: bill.id })],
    ['charge and its invoice', ({ paid, bill }) => ({ psp_charge_id: paid.id, psp_invoice_id: bill.id })],
  ];

  test.each(OTHERS)('and the other its %s, is worth something only once in every order of the facts', async (_, namesOf) => {
    for (const order of sample(
      orders<'first' | 'second' | 'invoiced' | 'refunded'>(['first', 'second', 'invoiced', 'refunded']),
      3,
      0,
    )) {
      await reopen();
      const told = await payment();
      told.list();
      const steps = {
        first: () => post({ ...told.report, external_id: 'order-1', psp_invoice_id: told.bill.id }),
        second: () => post({ ...told.report, external_id: 'order-2', ...namesOf(told) }),
        invoiced: told.invoiced,
        refunded: told.refunded,
      };
      for (const step of order) await steps[step]();
      const isEarly = order.indexOf('invoiced') > Math.max(order.indexOf('first'), order.indexOf('second'));
      const winner = order.find((step) => step === 'first' || step === 'second') === 'first' ? 'order-1' : 'order-2';
      const repeated = winner === 'order-1' ? 'order-2' : 'order-1';
      expect({ order, earned: unflagged(await earned()) }).toEqual({ order, earned: isEarly ? [HALF, REPEATED] : [HALF] });
      expect(await amounts()).toEqual(isEarly ? [`${winner} 11900`, `${repeated} 0`].toSorted() : [`${winner} 11900`]);
      expect(await discrepancies()).toEqual([]);
      const statuses = [(await steps.first()).status, (await steps.second()).status];
      expect(new Set(statuses)).toEqual(new Set(isEarly ? [200] : [200, 422]));
      await told.invoiced();
      await told.charged();
      expect(unflagged(await earned())).toEqual(isEarly ? [HALF, REPEATED] : [HALF]);
      expect((await told.returned(repeated, 'more', 7_000)).status).toBe(isEarly ? 201 : 422);
    }
  });

  test('is worth something only once if its charge is told before the provider knows the invoice of it', async () => {
    for (const order of [
      ['reported', 'charged', 'invoiced', 'listed', 'refunded'] as const,
      ['charged', 'reported', 'invoiced', 'listed', 'refunded'] as const,
    ]) {
      await reopen();
      const { report, bill, list, ...facts } = await payment();
      const steps = { ...facts, listed: list, reported: () => post({ ...report, psp_invoice_id: bill.id }) };
      for (const step of order) await steps[step]();
      const valid = unflagged(await earned()).filter((each) => !each.includes(' voided '));
      expect({ order, valid }).toEqual({ order, valid: [HALF] });
      expect(await amounts()).toEqual(['null 0', 'order-1 11900']);
      expect(await discrepancies()).toEqual([]);
    }
  });

  test('is worth something only once if the invoice has two payments, in every order', async () => {
    type Step = 'whole' | 'first' | 'second' | 'invoiced';
    for (const order of sample(orders<Step>(['whole', 'first', 'second', 'invoiced']), 3, 0)) {
      await reopen();
      const { report, bill, paid } = await payment();
      const parts = [paid, charge({ amount: 5_950, customer: paid.customer as string, created: paid.created })].map((each) => ({
        ...each,
        amount: 5_950,
        amount_captured: 5_950,
      }));
      const { records } = shop.merchant.psp;
      records.charges.push(...parts);
      for (const { payment_intent } of parts) records.invoicePayments.push(invoicePayment(bill, payment_intent as string, 5_950));
      const data = parts.map(({ payment_intent }) => ({
        amount_paid: 5_950,
        currency: 'usd',
        status: 'paid',
        payment: { type: 'payment_intent', payment_intent },
      }));
      const ofPart = (external_id: string, part: number) =>
        post({ ...report, external_id, amount_cents: 5_950, tax_amount_cents: 950, psp_charge_id: parts[part]!.id });
      const steps = {
        whole: () => post({ ...report, external_id: 'whole', psp_invoice_id: bill.id }),
        first: () => ofPart('first', 0),
        second: () => ofPart('second', 1),
        invoiced: () =>
          deliver(wireEvent('invoice.paid', { ...bill, payments: { object: 'list', data, has_more: false, url: '' } })),
      };
      for (const step of order) await steps[step]();
      const valid = (await earned()).filter((each) => !each.includes(' voided '));
      expect({ order, valid }).toEqual({ order, valid: Array(2).fill('sale pending 1000 unflagged refunded 0') });
      const charged = (await amounts()).filter((each) => !each.endsWith(' 0'));
      expect({ order, charged: charged.map((each) => each.split(' ')[1]) }).toEqual({ order, charged: ['5950', '5950'] });
      expect(await discrepancies()).toEqual([]);
    }
  });

  test('stays the sale of the payment if its commission is paid, and the other is taken back', async () => {
    const told = await dueAtOnce();
    told.list();
    await told.reported({ external_id: 'order-2', psp_charge_id: told.paid.id });
    const [due] = await commissions();
    await shop.merchant.api.post(`/commissions/${due!.id}/review`, { review_action: 'suspicious' });
    await told.reported({ external_id: 'order-1', psp_invoice_id: told.bill.id });
    await payOpenPayout();
    await told.invoiced();
    await told.charged();
    await told.refunded();
    expect(await amounts()).toEqual(['order-1 11900', 'order-2 0']);
    expect(await discrepancies()).toEqual([]);
  });
});
