import assert from 'node:assert/strict';
import { expect, it } from 'vitest';
import { openPayout } from '../payouts/program.ts';
import { must, unique } from '../support/program.ts';
import type { Outputs } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { line, rule, sellLines, shop, useShop } from './program.ts';

/** How amounts came about, in the words of `expand=explanation`. */
const service = useService();
const { account, friends } = useShop(service, '2026-11-20T12:00:00.000Z', { commission_percent: 20 });

type Explanation = NonNullable<Outputs['commissions']['get']['explanation']>;

/** Returns the explanation of a record. Its parts must add up to its amount. */
async function explained(path: string): Promise<Explanation> {
  const { body } = await account.api.get<{ explanation: Explanation; amount_cents?: number }>(path, 'expand=explanation');
  const { explanation } = body;
  const parts = explanation.steps.reduce((sum, { amount_cents }) => sum + (amount_cents ?? 0), 0);
  assert.deepEqual([parts, explanation.amount_cents], [explanation.amount_cents, body.amount_cents ?? explanation.amount_cents]);
  assert.equal(explanation.text, explanation.steps.map(({ text }) => text).join(' '));
  return explanation;
}
const plain = ({ steps }: Explanation) =>
  steps.map(({ kind, text, amount_cents }) => [kind, text.replaceAll('\u00a0', ' '), amount_cents]);

it('a commission by the terms of the campaign counts what is left without tax and refunds', async () => {
  const { external_id, commission } = await sellLines(account, friends, [line('p', 11_900)], { tax_amount_cents: 1_900 });
  await must(account, '/track/refunds', { external_id, refund_id: unique('refund'), amount_cents: 2_380 });
  const expected = [
    ['sale', 'US$119.00 were charged; without US$19.00 of tax and US$23.80 refunded, US$80.00 count.', null],
    ['base_reward', 'The campaign pays 20% of US$80.00, rounded to US$16.00.', 1_600],
  ];
  expect(plain(await explained(`/commissions/${commission!.id}`))).toEqual(expected);
  expect(plain(await explained(`/sales/${commission!.sale_id!}`))).toEqual(expected);
});

it('a rule that pays 30% is not explained as the 20% of the campaign', async () => {
  await rule(account, friends.campaign, {
    name: 'Big',
    pay: { percent: 30 },
    cap: { amount_cents: 4_000, currency: 'USD', per: 'sale' },
  });
  const { commission } = await sellLines(account, friends, [line('p', 10_000), line('q', 10_000)]);
  const { text, amount_cents } = await explained(`/commissions/${commission!.id}`);
  expect(amount_cents).toBe(4_000);
  expect(text).toContain('The rule “Big” (version 1) decides: 30% of US$100.00');
  expect(text).toContain('At most US$40.00');
  expect(text).not.toContain('20%');
});

it('a fixed reward, a commission by hand, a voided one and an adjustment say what they are', async () => {
  const fixed = await shop(account, {
    reward_type: 'fixed',
    commission_amount_cents: 500,
    commission_amount_currency: 'USD',
    commission_percent: null,
  });
  const { commission: first } = await sellLines(account, fixed, [line('p', 10_000)]);
  expect(plain(await explained(`/commissions/${first!.id}`)).at(-1)).toEqual([
    'base_reward',
    'The campaign pays a fixed amount of US$5.00 for the sale.',
    500,
  ]);
  await account.api.delete(`/commissions/${first!.id}`, { void_reason: 'fraud' });
  expect(plain(await explained(`/commissions/${first!.id}`)).at(-1)).toEqual([
    'voided',
    'It is voided (fraud), so nothing of it is paid.',
    null,
  ]);
  const { amount_cents, steps } = await explained(`/sales/${first!.sale_id!}`);
  expect([amount_cents, steps.at(-1)!.amount_cents]).toEqual([0, -500]);
  const bonus = await must<{ id: string }>(account, '/commissions', {
    affiliate_id: fixed.affiliate.id,
    amount_cents: 1_234,
    currency: 'USD',
    note: 'Launch',
  });
  expect(plain(await explained(`/commissions/${bonus.id}`))).toEqual([
    ['manual', 'US$12.34 were entered by hand (Launch).', 1_234],
  ]);
});

it('a payout adds up its commissions by kind, with the adjustment of one that was paid before a refund', async () => {
  const { affiliate } = friends;
  const { external_id, commission } = await sellLines(account, friends, [line('p', 10_000)]);
  await must(account, `/payouts/${(await openPayout(account, affiliate.id)).id}/pay`, {}, 200);
  await must(account, '/track/refunds', { external_id, refund_id: unique('refund'), amount_cents: 2_500 });
  await sellLines(account, friends, [line('p', 10_000)]);
  await sellLines(account, friends, [line('p', 10_000)]);
  const open = await openPayout(account, affiliate.id);
  const parts = plain(await explained(`/payouts/${open.id}`));
  expect(parts).toHaveLength(2);
  expect(parts).toContainEqual(['commissions', '1 adjustment of an earlier commission: -US$5.00.', -500]);
  expect(parts).toContainEqual(['commissions', '2 commissions for sales: US$40.00.', 4_000]);
  expect(plain(await explained(`/commissions/${commission!.id}`))).toEqual([
    ['sale', 'US$100.00 were charged; without US$25.00 refunded, US$75.00 count.', null],
    ['base_reward', 'The campaign pays 20% of US$75.00, rounded to US$15.00.', 1_500],
    ['difference', 'The sale changed after the commission had been claimed or paid. Adjustments correct the difference.', 500],
  ]);
  const sale = await explained(`/sales/${commission!.sale_id!}`);
  expect(sale.amount_cents).toBe(1_500);
  expect(sale.text).toContain(`Corrects the commission ${commission!.id}`);
});

it('a sale that a person has assigned to another affiliate earns once', async () => {
  const { commission } = await sellLines(account, friends, [line('p', 10_000)]);
  const other = await shop(account, { commission_percent: 10 });
  await must(account, `/sales/${commission!.sale_id!}/assign`, { affiliate_id: other.affiliate.id, dry_run: false }, 200);
  expect((await explained(`/sales/${commission!.sale_id!}`)).amount_cents).toBe(1_000);
});
