/** Reward rules and tiers that an assistant writes (docs/rules/rewards.md). */
import { expect, it } from 'vitest';
import type { Fields } from '../support/http.ts';
import { program } from '../support/program.ts';
import { useService, useAccount } from '../support/suite.ts';
import { Assistant } from './assistant.ts';

const service = useService();
const account = useAccount(service, 'file');

type Reply = { result: { id: string; data?: object[] }; hint: string };

it('an assistant writes the rules that a merchant describes, sees their effect first, and reads them', async () => {
  const { campaign, affiliate } = await program(account);
  await using assistant = await Assistant.overHttp(service, account.apiKey);
  const call = async (action: string, args: Fields) => {
    const { isError, body } = await assistant.call('manage_rewards', { action, dry_run: false, ...args });
    expect({ isError, body }).toMatchObject({ isError: false });
    return (body as unknown as Reply).result;
  };
  const campaign_id = campaign.id;
  const gold = await call('create_tier', { campaign_id, name: 'Gold', metric: 'customers', reached_from: 5 });
  const pro = { name: 'Pro', when: { products: ['pro'] }, pay: { percent: 20 } };
  const told = await call('effect', { campaign_id, create: pro });
  expect(JSON.stringify(told)).toContain('Applies to sales from now on');
  const rule = await call('create', { campaign_id, ...pro });
  await call('create', { campaign_id, name: 'Add-ons', when: { products: ['addon'] }, pay: { nothing: true } });
  await call('create', { campaign_id, name: 'Gold', when: { tier: [gold.id] }, pay: { percent: 25 }, position: 0 });
  const tenth = { event: 'milestone', milestone: { metric: 'customers', every: 10 } };
  await call('create', { campaign_id, name: 'Tenth', ...tenth, pay: { fixed: { amount_cents: 5_000, currency: 'USD' } } });
  await call('create', {
    campaign_id,
    affiliate_id: affiliate.id,
    name: 'December',
    pay: { percent: 30 },
    from: '2998-12-01T00:00:00Z',
    until: '2999-01-01T00:00:00Z',
  });
  await call('update', { id: rule.id, pay: { percent: 21 } });
  const { body } = await assistant.call('rewards', { action: 'rules', campaign_id, fields: ['name', 'pay'] });
  expect(body).toMatchObject({
    result: {
      rows: [
        ['December', { percent: 30 }],
        ['Add-ons', { nothing: true }],
        ['Pro', { percent: 21 }],
        ['Gold', { percent: 25 }],
        ['Tenth', { fixed: { amount_cents: 5_000, currency: 'USD', per: 'sale' } }],
      ],
    },
  });
});

it.each<[Fields, path: string, shape: string]>([
  [{ pay: { percentage: 20 } }, 'pay.percentage', 'pay: {"type":"object","properties":{"percent":{"type":"number"}'],
  [{ pay: { percent: 20 }, when: { product: ['pro'] } }, 'when.product', '"sale_number":{"type":"object","properties":{"from"'],
  [{ pay: { percent: 20 }, cap: { amount_cents: 5, currency: 'USD' } }, 'cap.per', '"enum":["sale","referral","affiliate"]'],
])('a wrong rule is refused with the whole shape of what is wrong: %j', async (wrong, path, shape) => {
  const { campaign } = await program(account);
  await using assistant = await Assistant.overHttp(service, account.apiKey);
  const args = { action: 'create', campaign_id: campaign.id, name: 'Wrong', ...wrong };
  const { isError, body } = await assistant.call('manage_rewards', args);
  expect(isError).toBe(true);
  expect(body).toMatchObject({ details: [{ path }] });
  expect((body as unknown as Reply).hint).toContain(shape);
});
