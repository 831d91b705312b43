import { beforeEach, describe, expect, it } from 'vitest';
import { useEventShop } from '../psp/event-shop.ts';
import { charge, wireEvent } from '../support/psp-server/index.ts';
import { madeIn, Mover } from './moving.ts';
import { type Commission, type Referral, RewardfulServer } from './rewardful-server/rewardful-server.ts';

interface Given {
  affiliate_id: string;
  amount_cents: number;
  currency: string;
}

interface Compared {
  sale_id: string;
  charged_at: string;
  outcome: string;
  cause: string | null;
  there: Given | null;
  here: Given | null;
  explanation: string;
}

interface Customer extends Record<string, unknown> {
  customer_id: string;
  sales: Compared[];
}

const shop = useEventShop({ isLive: true, writesRows: true, restoresClock: true });
let mover: Mover;
let double: RewardfulServer;

beforeEach(async () => {
  double = await new RewardfulServer().start();
  mover = new Mover(shop.service, shop.merchant);
  shop.service.services.imports = { apiBases: { rewardful: double.url }, pauseMs: 0 };
  return () => double.stop();
});

async function move(): Promise<string> {
  const { id } = await mover.read({ source: 'rewardful', credentials: double.secret });
  await mover.run(id);
  return id;
}

async function compared(query = ''): Promise<Compared[]> {
  const customers = await mover.list<Customer>(`/api/settings/v1/shadows?limit=100${query}`);
  return customers.flatMap(({ sales }) => sales);
}

const textOf = ({ outcome, cause, there, here }: Compared) =>
  [outcome, cause, there?.amount_cents, there?.currency, here?.amount_cents, here?.currency]
    .filter((each) => each != null)
    .join(' ');

/** Adds a customer of a new affiliate, who came before the first charge. */
function customerOf(campaign = double.campaigns[0]!): Referral {
  return double.addReferral(double.addAffiliate(campaign));
}

const on = (day: number, fields: object = {}) => ({
  charged_at: `2024-05-${String(day).padStart(2, '0')}T00:00:00.000Z`,
  ...fields,
});

describe('the commissions of a former tool beside what this service would have paid', () => {
  it('differ only where the former tool has a defect, and each difference has its cause', async () => {
    double.addCampaign({ max_commission_period_months: null });
    const limited = double.addCampaign({ max_commissions: 2, max_commission_period_months: null });
    const [own, other, few] = [customerOf(), customerOf(), customerOf(limited)];
    const planted = new Map<string, string>();
    const plant = (expected: string, commission: Commission) =>
      void planted.set(String(commission.sale['stripe_charge_id']), expected);
    plant('equal 3000 USD 3000 USD', double.addCommission(own, { sale: on(1) }));
    plant('equal 3000 EUR 3000 EUR', double.addCommission(own, { sale: on(2, { currency: 'EUR' }) }));
    const taxed = { charge_amount_cents: 11_900, tax_amount_cents: 1_900 };
    plant('differs tax 3570 USD 3000 USD', double.addCommission(own, { amount: 3_570, sale: on(3, taxed) }));
    const refunded = { refund_amount_cents: 5_000 };
    plant('equal 1500 USD 1500 USD', double.addCommission(own, { sale: on(4, refunded) }));
    plant('differs refund 3000 USD 1500 USD', double.addCommission(own, { amount: 3_000, sale: on(5, refunded) }));
    plant(
      'differs tax_and_refund 3570 USD 1500 USD',
      double.addCommission(own, { amount: 3_570, sale: on(6, { ...taxed, refund_amount_cents: 5_950 }) }),
    );
    plant('differs rounding 3001 USD 3000 USD', double.addCommission(own, { amount: 3_001, sale: on(7) }));
    plant('differs terms 2000 USD 3000 USD', double.addCommission(own, { amount: 2_000, sale: on(8) }));
    plant(
      'differs currency 3210 USD 3000 EUR',
      double.addCommission(own, { amount: 3_210, currency: 'USD', sale: on(9, { currency: 'EUR' }) }),
    );
    const strayed = { affiliate: { id: other.affiliate.id } };
    plant('differs affiliate 3000 USD 3000 USD', double.addCommission(own, { sale: on(10, strayed) }));
    plant(
      'only_here voided_there 3000 USD',
      double.addCommission(own, { state: 'voided', voided_at: '2024-06-01T00:00:00Z', sale: on(11) }),
    );
    plant('equal 3000 USD 3000 USD', double.addCommission(few, { sale: on(1) }));
    plant('equal 3000 USD 3000 USD', double.addCommission(few, { sale: on(2) }));
    plant('only_there max_commissions_reached 3000 USD', double.addCommission(few, { sale: on(3) }));
    // Nobody earns from nothing.
    double.addCommission(own, { amount: 0, state: 'voided', sale: on(12, { refund_amount_cents: 10_000 }) });
    await move();
    const before = await madeIn(shop.service, shop.merchant);
    const sales = await compared();
    const { body } = await shop.merchant.api.get<{ data: { id: string; psp_charge_id: string }[] }>('/sales?limit=100');
    const chargeOf = new Map(body.data.map(({ id, psp_charge_id }) => [id, psp_charge_id]));
    expect(sales.map((sale) => `${chargeOf.get(sale.sale_id)} ${textOf(sale)}`).toSorted()).toEqual(
      [...planted].map(([id, expected]) => `${id} ${expected}`).toSorted(),
    );
    expect(sales.every(({ explanation }) => explanation.length > 20)).toBe(true);
    expect(await madeIn(shop.service, shop.merchant)).toEqual(before);
    // By affiliate and month.
    const { id: affiliateId } = (await mover.list<{ id: string }>(`/affiliates?email=${few.affiliate.email}`))[0]!;
    const ofFew = await compared(`&affiliate_id=${affiliateId}&charged_since=2024-05-02T00:00:00Z`);
    expect(ofFew.map(textOf)).toEqual(['equal 3000 USD 3000 USD', 'only_there max_commissions_reached 3000 USD']);
  });

  it('go on while both tools run: sales that earn here stand beside the commissions there', async () => {
    double.addCampaign({ max_commission_period_months: null });
    const referral = customerOf();
    double.addCommission(referral, { sale: on(1) });
    const id = await move();
    const charges = ['ch_both', 'ch_here'];
    for (const charge_id of charges) {
      shop.service.clock.advance(1, 'days');
      const created = Math.floor(shop.service.clock.now().getTime() / 1_000);
      const paid = charge({ id: charge_id, amount: 10_000, customer: 'cus_rw1', livemode: true, created });
      await shop.deliver(wireEvent('charge.succeeded', paid));
    }
    double.addCommission(referral, { amount: 2_500, sale: { stripe_charge_id: 'ch_both' } });
    await mover.run(id, { credentials: double.secret });
    expect((await compared()).map(textOf)).toEqual([
      'equal 3000 USD 3000 USD',
      'differs terms 2500 USD 3000 USD',
      'only_here not_earned_there 3000 USD',
    ]);
  });
});
