/**
 * Calls as assistants write them who know only the list of tools: each of these was a wrong turn in the tasks of docs/ai-assistants.md, or a task that no
 * tool could do.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payee } from '../payouts/program.ts';
import { must, program, refer, sell, unique } from '../support/program.ts';
import { useAccount, useService } from '../support/suite.ts';
import { Assistant } from './assistant.ts';

const service = useService();
const account = useAccount(service, 'file');
let assistant: Assistant;

beforeAll(async () => {
  assistant = await Assistant.overHttp(service, account.apiKey);
});
afterAll(() => assistant[Symbol.asyncDispose]());

describe('an argument', () => {
  it('may be null in place of missing, a number or a boolean in quotes, and one value in place of a list', async () => {
    const { affiliate } = await program(account);
    const found = await assistant.list('affiliates', {
      action: 'list',
      limit: '5',
      archived: 'False',
      state: 'active',
      search: affiliate.email,
      email: null,
      campaign_id: null,
      expand: null,
      cursor: null,
      fields: 'id,email',
    });
    expect(found).toEqual([{ id: affiliate.id, email: affiliate.email }]);
  });

  it('null in place of a list still does not mean all records in a write', async () => {
    const refused = await assistant.call('manage_payout_runs', { action: 'create', payout_ids: null });
    expect(refused).toMatchObject({ isError: true, body: { details: [{ path: 'payout_ids' }] } });
  });

  it('may be an object written as JSON', async () => {
    const { campaign } = await program(account);
    const args = { action: 'effect', campaign_id: campaign.id, create: '{"name":"More","pay":{"percent":50}}' };
    expect(await assistant.result('manage_rewards', args)).toMatchObject({ sales_count: 0 });
  });

  it('null clears a field of a change', async () => {
    const { affiliate } = await program(account, {}, { first_name: 'Ada' });
    const args = { action: 'update', id: affiliate.id, first_name: null, dry_run: false };
    const { body } = await assistant.call('manage_affiliates', args);
    expect(body['result']).toMatchObject({ id: affiliate.id, email: affiliate.email });
    expect(body['result']).not.toHaveProperty('first_name');
  });

  it('may be a day in place of a time: its beginning, and its end for until', async () => {
    const made = await program(account);
    const referral = await refer(account, made);
    const { sale } = await sell(account, { referral_id: referral.id });
    const day = sale.charged_at.slice(0, 10);
    const of = { action: 'list', affiliate_id: made.affiliate.id, fields: ['id'] };
    const during = await assistant.list('sales', { ...of, charged_since: day, charged_until: day });
    expect(during).toEqual([{ id: sale.id }]);
    expect(await assistant.list('sales', { ...of, charged_until: '2020-01-31' })).toEqual([]);
    const at = `${Number(day.slice(0, 4)) + 1}-01-15`;
    expect(await assistant.result('explain', { action: 'payday', at })).toMatchObject({ at: `${at}T23:59:59.999Z` });
    const rule = { campaign_id: made.campaign.id, name: 'January', pay: { percent: 5 }, from: at, until: at };
    expect(await assistant.result('manage_rewards', { action: 'create', ...rule })).toMatchObject({
      from: `${at}T00:00:00.000Z`,
      until: `${at}T23:59:59.999Z`,
    });
  });

  it('may name a record by the merchant’s own id, also with slashes', async () => {
    const own = `gid://shop/Partner/${unique('1')}`;
    const { affiliate } = await program(account, {}, { external_id: own });
    const read = await assistant.result('explain', { action: 'affiliate', id: `external:${own}` });
    expect(read).toMatchObject({ id: affiliate.id });
    const listed = await assistant.list('links', { action: 'list', affiliate_id: `external:${own}` });
    expect(listed).toMatchObject([{ affiliate_id: affiliate.id }]);
  });
});

it('a range of days has the same names in every figure', async () => {
  const { affiliate } = await program(account);
  const range = { since: '2026-01-01', until: '2026-01-31' };
  for (const more of [
    { action: 'daily' },
    { action: 'top_affiliates', currency: 'USD' },
    { action: 'analytics', group_by: 'country', affiliate_id: affiliate.id },
  ])
    expect(await assistant.call('program_overview', { ...range, ...more })).toMatchObject({ isError: false });
  const refused = await assistant.call('program_overview', { action: 'daily', since: '2026-01-31', until: '2026-01-01' });
  expect(refused.body).toMatchObject({ details: [{ path: 'until' }] });
});

it('payouts are found by amount and currency, the largest first', async () => {
  const one = await payee(account, { currency: 'EUR' });
  const two = await payee(account, { currency: 'EUR' });
  await must(account, '/commissions', {
    affiliate_id: two.program.affiliate.id,
    amount_cents: 50_000,
    currency: 'EUR',
    note: 'Bonus',
  });
  const args = { action: 'list', currency: 'EUR', state: ['due'], sort: '-amount_cents' };
  const amounts = async (more: object) =>
    (await assistant.list('payouts', { ...args, ...more })).map((payout) => [payout['id'], payout['amount_cents']]);
  const small = one.payout.amount_cents;
  const all = await amounts({});
  expect(all).toEqual([
    [two.payout.id, small + 50_000],
    [one.payout.id, small],
  ]);
  expect(await amounts({ amount_from_cents: small + 1 })).toEqual(all.slice(0, 1));
  expect(await amounts({ amount_to_cents: small })).toEqual(all.slice(1));
});

it('refunds are listed, with the sale', async () => {
  const made = await program(account);
  const referral = await refer(account, made);
  const { sale } = await sell(account, { referral_id: referral.id });
  await must(account, '/track/refunds', { external_id: sale.external_id, refund_id: unique('r'), amount_cents: 700 });
  expect(await assistant.list('sales', { action: 'refunds', affiliate_id: made.affiliate.id })).toMatchObject([
    { sale_id: sale.id, external_id: sale.external_id, refund_amount_cents: 700, refunds: [{ amount_cents: -700 }] },
  ]);
});

it('a code that the shop itself redeems needs no provider', async () => {
  const { affiliate } = await program(account);
  const code = unique('OWN').toUpperCase();
  const args = { action: 'create_own', affiliate_id: affiliate.id, code, dry_run: false };
  await assistant.result('affiliate_promo_codes', args);
  const sale = { action: 'record', external_id: unique('order'), amount_cents: 1000, currency: 'USD', promo_code: code };
  expect(await assistant.result('manage_sales', sale)).toMatchObject({ sale: { affiliate_id: affiliate.id } });
  const unknown = await assistant.result<{ warnings: unknown[] }>('manage_sales', { ...sale, promo_code: 'NOBODY' });
  expect(unknown.warnings).toMatchObject([{ code: 'unknown_promo_code', message: expect.not.stringContaining('/api/') }]);
});

it('a webhook endpoint is made, tested and read, and no reply shows its secret', async () => {
  const args = { action: 'create', name: 'CRM', url: 'http://127.0.0.1:8099/crm', event_types: 'payout.paid,payout.returned' };
  const preview = await assistant.call('manage_webhooks', args);
  const acted = await assistant.call('manage_webhooks', { ...args, dry_run: false });
  const { id } = acted.body['result'] as { id: string };
  const test = await assistant.call('manage_webhooks', { action: 'send_test', id, dry_run: false });
  const listed = await assistant.list('webhooks', { action: 'deliveries', endpoint_id: id });
  expect(listed).toMatchObject([{ endpoint_id: id, event_type: 'payout.paid' }]);
  expect(JSON.stringify([preview, acted, test])).not.toMatch(/secret"|whsec_/);
});

describe('the manuals', () => {
  const read = (args: object) => assistant.result('read_manual', { ...args });
  it('are found by their words, and read section by section', async () => {
    const { rows } = (await read({ q: 'verify the signature of a webhook' })) as { rows: string[][] };
    expect(rows.map(([name]) => name)).toContain('receive-webhooks');
    const { text, sections } = (await read({ name: 'api' })) as { text: string; sections: string[] };
    expect(text).toMatch(/^# /);
    expect(sections).toContain('Permissions and roles');
    expect(await read({ name: 'api.md', section: 'permissions and roles' })).toMatchObject({
      text: expect.stringMatching(/^## Permissions and roles\n/),
    });
    for (const [name] of ((await read({})) as { rows: string[][] }).rows) {
      const manual = (await read({ name: name! })) as { sections?: string[] };
      for (const section of manual.sections ?? []) await read({ name: name!, section });
    }
  });

  it('are not searched for the words of a whole book, which would keep everybody waiting', async () => {
    const words = Array.from({ length: 100_000 }, (_, i) => `w${i.toString(36)}q`).join(' ');
    const before = process.cpuUsage();
    await read({ q: `webhook ${words}` });
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
  });

  it('are refused by names that do not exist, which says those that do', async () => {
    const refused = await assistant.call('read_manual', { name: 'handbook' });
    expect(refused).toMatchObject({ isError: true, body: { details: [{ path: 'name' }] } });
    expect(JSON.stringify(refused.body)).toContain('mirroring');
  });

  it('are resources, too', async () => {
    const { resources } = await assistant.client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('affiliate://manuals/mirroring');
    const { contents } = await assistant.client.readResource({ uri: 'affiliate://manuals/mirroring' });
    expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: expect.stringMatching(/^# Mirror the records/) }]);
  });
});

describe('the reply to a write', () => {
  it('names the records beside the result, and an event does not repeat what the result shows', async () => {
    const made = await program(account, { days_until_commissions_are_due: 0 });
    const referral = await refer(account, made);
    const { commission } = await sell(account, { referral_id: referral.id });
    const { body } = await assistant.call('manage_commissions', { action: 'void', id: commission!.id });
    const { campaign } = body['result'] as { campaign: object };
    expect(campaign).toEqual({ id: made.campaign.id, name: made.campaign.name });
    const events = body['events'] as { type: string; data: object }[];
    const { data } = events.find(({ type }) => type === 'commission.voided')!;
    expect(data).toMatchObject({ id: commission!.id });
    expect(data).not.toHaveProperty('amount_cents');
    expect(body['result']).toMatchObject({ state: 'voided' });
  });

  it('explains in one language', async () => {
    const made = await program(account);
    const referral = await refer(account, made);
    const { sale } = await sell(account, { referral_id: referral.id });
    const explained = await assistant.result('explain', { action: 'sale', id: sale.id });
    expect(explained).toMatchObject({ explanation: { text: expect.any(String), steps: expect.any(Array) } });
    expect(JSON.stringify(explained)).not.toContain('in_words');
    const { outlook } = await assistant.result<{ outlook: object[] }>('explain', { action: 'affiliate', id: made.affiliate.id });
    expect(outlook).toMatchObject([{ in_words: expect.any(String) }]);
  });
});
