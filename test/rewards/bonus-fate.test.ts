/** A bonus shares the fate of the commission of its sale (docs/rules/rewards.md#rules-on-top). */
import { beforeEach, describe, expect, it } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { discrepancies, openPayout } from '../payouts/program.ts';
import { must, refer, unique } from '../support/program.ts';
import { useService } from '../support/suite.ts';
import { type Commission, line, rule, sellLines, useShop } from './program.ts';

const service = useService({ worker: {} });
const { account, friends } = useShop(service, '2028-01-10T12:00:00.000Z');

const settle = () => service.worker!.sweepNow();

async function commissions(): Promise<Commission[]> {
  return (await account.api.get<{ data: Commission[] }>('/commissions', { limit: '100' })).body.data;
}

/** The commission of a sale and its bonus. */
async function pair(): Promise<[sale: Commission, bonus: Commission]> {
  const found = await commissions();
  const [sale, bonus] = (['sale', 'bonus'] as const).map((kind) =>
    found.find((each) => each.kind === kind && each.affiliate_id === friends.affiliate.id)!,
  );
  return [sale!, bonus!];
}

const act = (id: string, review_action: string) => must(account, `/commissions/${id}/review`, { review_action }, 200);
const states = async () => (await pair()).map(({ state }) => state);
const owed = async () => (await openPayout(account, friends.affiliate.id))?.amount_cents ?? 0;
const pay = async ({ id }: Commission) =>
  expect((await account.api.patch(`/commissions/${id}`, { paid_at: service.clock.instant() })).status).toBe(200);

const consistent = async () => {
  expect(await discrepancies(account)).toEqual([]);
  await assertNoContradictions(service.databaseUrl);
};

beforeEach(() => rule(account, friends.campaign, { apply: 'on_top', when: { products: ['pro'] }, pay: { percent: 5 } }));

describe('a bonus', () => {
  it('is voided with the commission of its sale', async () => {
    await sellLines(account, friends, [line('pro', 4_000)]);
    expect(await owed()).toBe(600);
    await account.api.delete(`/commissions/${(await pair())[0].id}`);
    expect(await states()).toEqual(['voided', 'voided']);
    expect(await owed()).toBe(0);
    await consistent();
  });

  it('is voided when a person deactivates the commission for fraud', async () => {
    await sellLines(account, friends, [line('pro', 4_000)]);
    await act((await pair())[0].id, 'deactivate');
    expect(await states()).toEqual(['voided', 'voided']);
    expect(await owed()).toBe(0);
    await consistent();
  });

  it('is taken back with the commission if both are in a payout that is being paid', async () => {
    await sellLines(account, friends, [line('pro', 4_000)]);
    await must(account, '/payout_exports', { export_format: 'csv' });
    await account.api.delete(`/commissions/${(await pair())[0].id}`);
    expect(await states()).toEqual(['voided', 'voided']);
    expect(await owed()).toBe(-600);
    await consistent();
  });

  it('stays voided if facts arrive later, and a voided sale earns no new one', async () => {
    const { external_id } = await sellLines(account, friends, [line('pro', 4_000)]);
    const [sale] = await pair();
    await account.api.delete(`/commissions/${sale.id}`);
    await account.api.patch(`/sales/${sale.sale_id}`, { amount_cents: 8_000 });
    await must(account, '/track/refunds', { external_id, refund_id: unique('refund'), amount_cents: 1_000 });
    await settle();
    expect((await commissions()).map(({ state }) => state)).toEqual(['voided', 'voided']);
    await consistent();
  });

  it('goes with the adjustment that gave a refunded commission back, when a person voids the adjustment', async () => {
    const { external_id } = await sellLines(account, friends, [line('pro', 4_000)]);
    const [sale] = await pair();
    await must(account, '/track/refunds', { external_id, refund_id: unique('refund'), amount_cents: 4_000 });
    await account.api.patch(`/sales/${sale.sale_id}`, { amount_cents: 8_000 });
    const restored = (await commissions()).filter(({ kind, amount_cents }) => kind === 'adjustment' && amount_cents > 0);
    expect(new Set(restored.map(({ amount_cents }) => amount_cents))).toEqual(new Set([200, 400]));
    await account.api.delete(`/commissions/${restored.find(({ rule_id }) => rule_id === null)!.id}`);
    expect(await owed()).toBe(0);
    await assertNoContradictions(service.databaseUrl);
  });

  it.each([['flag first'], ['correction first']])('is held and released with the commission (%s)', async (order) => {
    await sellLines(account, friends, [line('pro', 4_000)]);
    const [{ id, sale_id }] = await pair();
    const correct = () => account.api.patch(`/sales/${sale_id}`, { amount_cents: 8_000 });
    if (order === 'correction first') await correct();
    await act(id, 'suspicious');
    if (order === 'flag first') await correct();
    expect((await pair()).map(({ review_status }) => review_status)).toEqual(['suspicious', 'suspicious']);
    expect(await owed()).toBe(0);
    await act(id, 'approve');
    expect((await pair()).map(({ review_status }) => review_status)).toEqual(['approved', 'approved']);
    expect(await owed()).toBe(1_200);
    await consistent();
  });

  it('falls due when the commission does, also if a person moves the due date', async () => {
    await sellLines(account, friends, [line('pro', 4_000)]);
    const [{ id }] = await pair();
    const due_at = '2028-02-01T00:00:00.000Z';
    expect((await account.api.patch(`/commissions/${id}`, { due_at })).status).toBe(200);
    expect(await pair()).toMatchObject([1, 2].map(() => ({ state: 'pending', due_at })));
    expect(await owed()).toBe(0);
    service.clock.set('2028-02-01T00:00:00.000Z');
    await settle();
    expect(await states()).toEqual(['due', 'due']);
    expect(await owed()).toBe(600);
    await consistent();
  });

  it('that is paid stays and is listed when a person voids the commission', async () => {
    await sellLines(account, friends, [line('pro', 4_000)]);
    const [sale, bonus] = await pair();
    await pay(bonus);
    await account.api.delete(`/commissions/${sale.id}`);
    expect(await states()).toEqual(['voided', 'paid']);
    expect(await owed()).toBe(0);
    const listed = { code: 'paid_reward', affiliate_id: null, expected_cents: 0, actual_cents: 200, commission_ids: [bonus.id] };
    expect(await discrepancies(account)).toMatchObject([listed]);
    await settle();
    expect(await discrepancies(account)).toMatchObject([listed]);
    await act(bonus.id, 'keep');
    expect(await discrepancies(account)).toEqual([]);
    await account.api.delete(`/commissions/${bonus.id}`);
    expect(await owed()).toBe(-200);
    await consistent();
  });
});

describe('a paid bonus whose sale goes to another affiliate', () => {
  const bob = { id: '' };
  let bonus: Commission;
  const earnedBy = async (affiliate: string) =>
    (await commissions())
      .filter(({ affiliate_id, state }) => affiliate_id === affiliate && state !== 'voided')
      .map(({ kind, amount_cents, state }) => `${kind} ${amount_cents} ${state}`)
      .toSorted();

  /** Sells by a referral of Ada, pays the bonus, and then reports an earlier sale by a referral of Bob. */
  beforeEach(async () => {
    const { id } = await must<{ id: string }>(account, '/affiliates', {
      email: `${unique('bob')}@example.com`,
      campaign_id: friends.campaign.id,
    });
    bob.id = id;
    const { id: ofBob } = await must<{ id: string }>(account, '/referrals', {
      affiliate_id: bob.id,
      campaign_id: friends.campaign.id,
    });
    const { id: ofAda } = await refer(account, friends);
    const customer = { customer_email: `${unique('eve')}@buyer.example` };
    service.clock.advance(1, 'hours');
    const earlier = service.clock.instant();
    service.clock.advance(1, 'hours');
    await sellLines(account, { referral: { id: ofAda } }, [line('pro', 4_000)], customer);
    [, bonus] = await pair();
    await pay(bonus);
    await sellLines(account, { referral: { id: ofBob } }, [line('mug', 1_000)], { ...customer, charged_at: earlier });
  });

  it('stays and is listed, and the other affiliate does not earn it a second time', async () => {
    expect(await earnedBy(friends.affiliate.id)).toEqual(['bonus 200 paid']);
    expect(await earnedBy(bob.id)).toEqual(['sale 100 due', 'sale 400 due']);
    expect(await discrepancies(account)).toMatchObject([
      { code: 'paid_reward', affiliate_id: bob.id, expected_cents: 0, actual_cents: 200, commission_ids: [bonus.id] },
    ]);
    await settle();
    expect(await earnedBy(bob.id)).toEqual(['sale 100 due', 'sale 400 due']);
    await assertNoContradictions(service.databaseUrl);
  });

  it('goes to that affiliate when a person has it decided again', async () => {
    await act(bonus.id, 'reconsider');
    await settle();
    expect(await earnedBy(friends.affiliate.id)).toEqual(['adjustment -200 due']);
    expect(await earnedBy(bob.id)).toEqual(['bonus 200 due', 'sale 100 due', 'sale 400 due']);
    await consistent();
  });

  it('goes to that affiliate when it becomes unpaid again', async () => {
    expect((await account.api.patch(`/commissions/${bonus.id}`, { paid_at: null })).status).toBe(200);
    await settle();
    expect(await earnedBy(friends.affiliate.id)).toEqual([]);
    expect(await earnedBy(bob.id)).toEqual(['bonus 200 due', 'sale 100 due', 'sale 400 due']);
    await consistent();
  });
});
