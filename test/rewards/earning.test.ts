import { describe, expect, it } from 'vitest';
import { discrepancies, openPayout } from '../payouts/program.ts';
import type { ErrorBody, Fields } from '../support/http.ts';
import { must, refer, sell } from '../support/program.ts';
import { useService, useAccount } from '../support/suite.ts';
import { line, linesOf, rule, sellLines, shop, withLines } from './program.ts';

const service = useService();
const account = useAccount(service);

/** Reports a refund of a sale. */
async function refund(external_id: string, amount_cents: number, refund_id: string, lines?: Fields[]): Promise<void> {
  await must(account, '/track/refunds', { external_id, refund_id, amount_cents, ...(lines && { lines }) });
}

describe('a sale in a campaign with reward rules', () => {
  it('earns by line what the first matching rule pays, and the base reward for the rest', async () => {
    const friends = await shop(account);
    const pro = await rule(account, friends.campaign, { when: { products: ['pro'] }, pay: { percent: 20 } });
    const addons = await rule(account, friends.campaign, { when: { products: ['addon'] }, pay: { nothing: true } });
    const { commission } = await sellLines(account, friends, [line('pro', 4_990), line('addon', 1_000), line('mug', 1_510)]);
    expect(commission).toMatchObject({ amount_cents: 1_149, currency: 'USD' });
    expect(linesOf(commission!)).toEqual([
      ['pro', pro.id, 998],
      ['addon', addons.id, 0],
      ['mug', null, 151],
    ]);
    expect(commission!.lines![0]).toMatchObject({ base_cents: 4_990, pay: { percent: 20 }, rule_version: 1, note: null });
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({ amount_cents: 1_149 });
  });

  it('earns the base reward, without lines, if no rule matches', async () => {
    const friends = await shop(account);
    await rule(account, friends.campaign, { when: { products: ['pro'] }, pay: { percent: 20 } });
    const { commission } = await sellLines(account, friends, [line('mug', 1_000), line('cup', 1_005)]);
    expect(commission).toMatchObject({ amount_cents: 201, lines: null });
  });

  it('earns nothing if a rule says so, and does not count towards the limit', async () => {
    const friends = await shop(account, { max_commissions: 1 });
    await rule(account, friends.campaign, { when: { products: ['gift'] }, pay: { nothing: true } });
    const { sale, commission, reason } = await sell(account, {
      referral_id: friends.referral.id,
      amount_cents: 500,
      lines: [line('gift', 500)],
    });
    expect({ commission, reason }).toEqual({ commission: null, reason: 'nothing_to_earn' });
    expect(sale.sale_amount_cents).toBe(500);
    const { commission: next } = await sellLines(account, friends, [line('mug', 1_000)]);
    expect(next).toMatchObject({ amount_cents: 100 });
  });

  it('earns by the rule of the link, then by that of the affiliate, then by position', async () => {
    const friends = await shop(account);
    const { campaign, affiliate, link } = friends;
    const other = await refer(account, {
      ...friends,
      link: await must(account, '/links', {
        affiliate_id: affiliate.id,
        campaign_id: campaign.id,
        url: 'https://shop.example.com/2',
      }),
    });
    const first = await rule(account, campaign, { pay: { percent: 11 } });
    const own = await rule(account, campaign, { affiliate_id: affiliate.id, pay: { percent: 12 } });
    const ofLink = await rule(account, campaign, { link_id: link.id, pay: { percent: 13 } });
    const chosen = async (referral: { id: string }) =>
      linesOf((await sellLines(account, { referral }, [line('pro', 10_000)])).commission!).map(([, id, cents]) => [id, cents]);
    expect(await chosen(friends.referral)).toEqual([[ofLink.id, 1_300]]);
    expect(await chosen(other)).toEqual([[own.id, 1_200]]);
    expect((await account.api.delete(`/reward_rules/${own.id}`)).status).toBe(204);
    expect(await chosen(other)).toEqual([[first.id, 1_100]]);
    const second = await rule(account, campaign, { pay: { percent: 14 } });
    await must(account, '/reward_rules/reorder', { campaign_id: campaign.id, rule_ids: [second.id] }, 200);
    expect(await chosen(other)).toEqual([[second.id, 1_400]]);
  });

  it('earns by the place of the sale, the age of the referral and the customer', async () => {
    const friends = await shop(account);
    const { campaign } = friends;
    const first = await rule(account, campaign, {
      when: { sale_number: { to: 1 } },
      pay: { fixed: { amount_cents: 5_000, currency: 'USD' } },
    });
    const year = await rule(account, campaign, { when: { age_months: { to: 12 } }, pay: { percent: 30 } });
    const customer_email = 'eve@buyer.example';
    const chosen = async () => (await sellLines(account, friends, [line('pro', 1_000)], { customer_email })).commission!;
    expect(linesOf(await chosen())).toEqual([['pro', first.id, 5_000]]);
    service.clock.advance(200, 'days');
    expect(linesOf(await chosen())).toEqual([['pro', year.id, 300]]);
    service.clock.advance(200, 'days');
    expect(await chosen()).toMatchObject({ amount_cents: 100, lines: null });
  });

  it('earns by its metadata, and keeps its terms if these change later', async () => {
    const friends = await shop(account);
    const team = await rule(account, friends.campaign, {
      when: { metadata: { plan: ['team', 'business'] } },
      pay: { percent: 40 },
    });
    const of = async (metadata: Record<string, string>) =>
      (await sellLines(account, friends, [line('pro', 1_000)], { metadata })).commission!;
    const commission = await of({ plan: 'team', other: 'x' });
    expect(linesOf(commission)).toEqual([['pro', team.id, 400]]);
    expect(await of({ plan: 'solo' })).toMatchObject({ amount_cents: 100, lines: null });
    expect(await of({})).toMatchObject({ amount_cents: 100, lines: null });
    await account.client.sales.update.mutate({ id: commission.sale_id!, metadata: { plan: 'solo' } });
    expect(linesOf(await withLines(account, commission.id))).toEqual([['pro', team.id, 400]]);
  });

  it('earns by what was in force at its charge, whenever it is reported; commissions stay as they are', async () => {
    const friends = await shop(account);
    const { campaign } = friends;
    const before = service.clock.now().toISOString();
    service.clock.advance(1, 'minutes');
    const pro = await rule(account, campaign, { when: { products: ['pro'] }, pay: { percent: 20 } });
    const { commission } = await sellLines(account, friends, [line('pro', 1_000)]);
    const then = service.clock.now().toISOString();
    service.clock.advance(1, 'minutes');
    const reply = await account.api.patch(`/reward_rules/${pro.id}`, { pay: { percent: 50 } });
    expect(reply.body).toMatchObject({ version: 2, pay: { percent: 50 } });
    const late = async (charged_at: string) =>
      (await sellLines(account, friends, [line('pro', 1_000)], { charged_at })).commission!;
    expect(await late(before)).toMatchObject({ amount_cents: 100, lines: null });
    expect(linesOf(await late(then))).toEqual([['pro', pro.id, 200]]);
    expect(linesOf((await sellLines(account, friends, [line('pro', 1_000)])).commission!)).toEqual([['pro', pro.id, 500]]);
    service.clock.advance(1, 'minutes');
    await account.api.delete(`/reward_rules/${pro.id}`);
    expect(linesOf(await late(then))).toEqual([['pro', pro.id, 200]]);
    expect((await sellLines(account, friends, [line('pro', 1_000)])).commission).toMatchObject({
      amount_cents: 100,
      lines: null,
    });
    expect(await withLines(account, commission!.id)).toEqual(commission);
  });

  it('pays in full by a rule whose cap is in another currency, and says so', async () => {
    const friends = await shop(account);
    const cap = { amount_cents: 1, currency: 'EUR', per: 'sale', window: 'ever' };
    await rule(account, friends.campaign, { when: { products: ['pro'] }, pay: { percent: 30 }, cap });
    const { commission } = await sellLines(account, friends, [line('pro', 1_000)]);
    expect(commission).toMatchObject({ amount_cents: 300, lines: [{ note: 'cap_other_currency', amount_cents: 300 }] });
    expect(commission!.lines![0]!.explanation).toContain('in another currency than its payment, so it does not count');
  });

  it('earns in one currency: a rule that pays in another one than most lines earns nothing', async () => {
    const friends = await shop(account);
    await rule(account, friends.campaign, {
      when: { products: ['mug'] },
      pay: { fixed: { amount_cents: 300, currency: 'EUR', per: 'unit' } },
    });
    const { commission } = await sellLines(account, friends, [line('mug', 1_000, { quantity: 2 }), line('pro', 2_000)]);
    expect(commission).toMatchObject({ amount_cents: 200, currency: 'USD' });
    expect(commission!.lines!.map(({ note, amount_cents }) => [note, amount_cents])).toEqual([
      ['other_currency', 0],
      [null, 200],
    ]);
    const { commission: mugs } = await sellLines(account, friends, [line('mug', 1_000, { quantity: 2 })]);
    expect(mugs).toMatchObject({ amount_cents: 600, currency: 'EUR' });
  });
});

describe('refunds of a sale in a campaign with reward rules', () => {
  it('apply the frozen terms to what is left, in any order, before and after the payment', async () => {
    const friends = await shop(account);
    await rule(account, friends.campaign, { when: { products: ['pro'] }, pay: { percent: 33.33 } });
    await rule(account, friends.campaign, { when: { products: ['addon'] }, pay: { nothing: true } });
    const lines = [line('pro', 3_333), line('addon', 1_111), line('mug', 777)];
    const unpaid = await sellLines(account, friends, lines);
    const paid = await sellLines(account, friends, lines);
    const payout = await openPayout(account, friends.affiliate.id);
    await must(account, `/payouts/${payout.id}/pay`, {}, 200);
    const late = await sellLines(account, friends, lines);
    for (const [i, cents] of [100, 1_234, 7].entries()) {
      await refund(paid.external_id, cents, `paid-${i}`);
      await refund(late.external_id, [7, 100, 1_234][i]!, `late-${i}`);
    }
    const worth = async ({ commission }: typeof paid) =>
      linesOf(await withLines(account, commission!.id)).map(([, , cents]) => cents);
    expect(await worth(late)).toEqual(await worth(paid));
    const [pro, addon, mug] = await worth(late);
    expect(addon).toBe(0);
    const now = await withLines(account, late.commission!.id);
    expect(now.amount_cents).toBe(pro! + mug!);
    expect(await withLines(account, paid.commission!.id)).toMatchObject({
      amount_cents: paid.commission!.amount_cents,
      state: 'paid',
    });
    expect(await openPayout(account, friends.affiliate.id)).toMatchObject({
      amount_cents: 2 * (pro! + mug!) - paid.commission!.amount_cents,
    });
    await refund(late.external_id, 5_221 - 1_341, 'rest');
    expect(await withLines(account, late.commission!.id)).toMatchObject({ state: 'voided' });
    expect(await worth(late)).toEqual([0, 0, 0]);
    expect(await worth(unpaid)).toEqual(linesOf(unpaid.commission!).map(([, , cents]) => cents));
    expect(await discrepancies(account)).toEqual([]);
  });
});

describe('a refund that names lines', () => {
  it('reduces what these lines earn, and ends at the same cents in any order', async () => {
    const friends = await shop(account);
    await rule(account, friends.campaign, { when: { products: ['pro'] }, pay: { percent: 50 } });
    const lines = [line('pro', 2_000), line('mug', 1_000), line('pro', 1_000)];
    const orders = [
      [0, 1, 2],
      [2, 0, 1],
      [1, 2, 0],
    ];
    const ends = [];
    for (const [n, order] of orders.entries()) {
      const { external_id, commission } = await sellLines(account, friends, lines);
      const refunds: (() => Promise<void>)[] = [
        () => refund(external_id, 1_500, `pro-${n}`, [line('pro', 1_500)]),
        () => refund(external_id, 501, `all-${n}`),
        () => refund(external_id, 400, `mug-${n}`, [line('mug', 300)]),
      ];
      for (const i of order) await refunds[i]!();
      const { amount_cents, lines: worth } = await withLines(account, commission!.id);
      ends.push([amount_cents, ...worth!.map(({ base_cents, amount_cents: cents }) => [base_cents, cents])]);
    }
    // 1,500 of 3,000 of Pro and 700 of 1,000 of Mug are left, of which 601 are refunded in proportion.
    expect(ends[0]).toEqual([596, [727, 364], [509, 51], [363, 181]]);
    expect(ends[1]).toEqual(ends[0]);
    expect(ends[2]).toEqual(ends[0]);
    expect(await discrepancies(account)).toEqual([]);
  });

  it.each<[Fields[], string]>([
    [[line('none', 1)], 'lines.0.product'],
    [[line('pro', 1_001)], 'lines.0.amount_cents'],
    [[line('pro', 1_000), line('mug', 1_000)], 'lines'],
  ])('with %j is refused, naming %s', async (lines, path) => {
    const friends = await shop(account);
    const { external_id } = await sellLines(account, friends, [line('pro', 1_000), line('mug', 1_000)]);
    const values = { external_id, refund_id: 'wrong', amount_cents: 1_500, lines };
    const { status, body } = await account.api.post<ErrorBody>('/track/refunds', values);
    expect({ status, paths: (body.details as { path: string }[]).map((detail) => detail.path) }).toEqual({
      status: 422,
      paths: [path],
    });
  });
});

describe('a cap', () => {
  it('of an affiliate is reached to the cent by 50 sales at once, and is free again in the next month', async () => {
    service.clock.set('2028-11-10T12:00:00.000Z');
    const friends = await shop(account);
    const cap = { amount_cents: 12_345, currency: 'USD', per: 'affiliate', window: 'month' };
    const capped = await rule(account, friends.campaign, { pay: { percent: 50 }, cap });
    const referrals = await Promise.all(Array.from({ length: 50 }, () => refer(account, friends)));
    const sales = await Promise.all(
      referrals.map((referral) => sell(account, { referral_id: referral.id, amount_cents: 1_999 })),
    );
    const earned = sales.map(({ commission }) => commission?.amount_cents ?? 0);
    expect(earned.reduce((sum, cents) => sum + cents, 0)).toBe(12_345);
    expect(earned.toSorted((a, b) => b - a).slice(0, 13)).toEqual([...Array.from({ length: 12 }, () => 1_000), 345]);
    service.clock.advance(31, 'days');
    const { commission } = await sellLines(account, friends, [line('pro', 1_999)]);
    expect(linesOf(commission!)).toEqual([['pro', capped.id, 1_000]]);
  });

  it('of a referral counts the sales of this referral only, and what refunds have freed', async () => {
    const friends = await shop(account);
    await rule(account, friends.campaign, {
      pay: { percent: 100 },
      cap: { amount_cents: 1_500, currency: 'USD', per: 'referral' },
    });
    const first = await sellLines(account, friends, [line('pro', 1_000)]);
    expect((await sellLines(account, friends, [line('pro', 1_000)])).commission).toMatchObject({ amount_cents: 500 });
    const other = await refer(account, friends);
    expect((await sellLines(account, { referral: other }, [line('pro', 1_000)])).commission).toMatchObject({
      amount_cents: 1_000,
    });
    await refund(first.external_id, 400, 'part');
    expect((await sellLines(account, friends, [line('pro', 1_000)])).commission).toMatchObject({ amount_cents: 400 });
  });

  it('is never more than the largest amount that the service accepts', async () => {
    const friends = await shop(account);
    const most = 999_999_999_999;
    await rule(account, friends.campaign, { pay: { fixed: { amount_cents: most, currency: 'USD', per: 'unit' } } });
    const lines = Array.from({ length: 12 }, (_, i) => line(`product ${i}`, 1, { quantity: 1_000_000 }));
    const { commission } = await sellLines(account, friends, lines);
    expect(commission).toMatchObject({ amount_cents: most });
    expect(linesOf(commission!).reduce((sum, [, , cents]) => sum + cents, 0)).toBe(most);
  });

  it('of a sale applies to each sale', async () => {
    const friends = await shop(account);
    await rule(account, friends.campaign, { pay: { percent: 50 }, cap: { amount_cents: 700, currency: 'USD', per: 'sale' } });
    const { commission } = await sellLines(account, friends, [line('pro', 2_000), line('mug', 1_000)]);
    expect(linesOf(commission!).map(([product, , cents]) => [product, cents])).toEqual([
      ['pro', 467],
      ['mug', 233],
    ]);
  });
});
