/**
 * The longest reply of each tool, in tokens, for an account in which everything that a reply can list is long. `pnpm tokens` writes the table into
 * docs/ai-assistants.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../packages/mcp/src/tools/index.ts';
import { plantPayouts } from '../payouts/many-payouts.ts';
import type { Fields } from '../support/http.ts';
import { must, program, refer, sell } from '../support/program.ts';
import { useAccount, useService } from '../support/suite.ts';
import { THOROUGH } from '../support/thorough.ts';
import { Assistant } from './assistant.ts';
import { tokensOf } from './tokens.ts';
import { WRITES } from './writes.ts';

const MOST = 5_000;
const PAYOUTS = THOROUGH ? 3_000 : 400;
const MANUAL = new URL('../../docs/ai-assistants.md', import.meta.url);

const service = useService({ writesRows: true });
const account = useAccount(service, 'file');
/** The record of each kind that has most in it. */
const ids: Record<string, string> = {};
/** The longest reply of each tool so far. */
const longest = new Map<string, { action: string; tokens: number }>();
/** Replies above the limit. */
const tooLong: { tool: string; args: Fields; tokens: number }[] = [];
let assistant: Assistant;

const METADATA = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [`field_${at}`, `A value of some length, number ${at}`]),
);

function many<Made>(make: (at: number) => Made, count = 25): Made[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

beforeAll(async () => {
  await plantPayouts(service, account, { affiliates: PAYOUTS });
  await plantPayouts(service, account, { affiliates: 1, commissions: PAYOUTS });
  const busy = await program(account, { name: 'Busy', days_until_commissions_are_due: 0 }, { walleta_email: 'busy@pay.example' });
  const { id: referral_id } = await refer(account, busy);
  const { sale, commission } = await sell(account, {
    referral_id,
    amount_cents: 500_000,
    customer_email: 'customer@shop.example',
    metadata: METADATA,
    lines: many((at) => ({ amount_cents: 5_000, product: `product_${at}` }), 60),
  });
  const campaign_id = busy.campaign.id;
  const applicants = many((at) => ({
    email: `pending-${at}@partner.example`,
    campaign_id,
    state: 'pending',
    metadata: METADATA,
  }));
  await must(account, '/affiliates/bulk', { items: applicants }, 200);
  const landing = (at: number) => ({
    affiliate_id: busy.affiliate.id,
    campaign_id,
    url: `https://shop.example.com/landing/${at}`,
  });
  await must(account, '/links/bulk', { items: many((at) => ({ ...landing(at), metadata: METADATA })) }, 200);
  for (const at of many((place) => place)) {
    await must(account, '/track/refunds', { external_id: sale.external_id, refund_id: `refund-${at}`, amount_cents: 100 });
    const when = { products: [`product_${at}`, 'another_product'], countries: ['DE', 'AT', 'CH'] };
    await must(account, '/reward_rules', { campaign_id, name: `Rule ${at}`, when, pay: { percent: 20 } });
    await must(account, '/assets', {
      name: `banner-${at}.txt`,
      description: 'A banner for newsletters',
      content: 'V2UgbG92ZSB0ZWEu',
    });
  }
  const { client } = account;
  const pending = await client.affiliates.list.query({ state: ['pending'], limit: 25 });
  Object.assign(ids, {
    affiliates: busy.affiliate.id,
    applications: pending.data[0]!.id,
    campaigns: campaign_id,
    commissions: commission!.id,
    customers: (await client.customers.list.query({ limit: 1 })).data[0]!.id,
    links: busy.link.id,
    payouts: (await client.payouts.list.query({ limit: 1, sort: '-amount_cents' })).data[0]!.id,
    planted: (await client.campaigns.list.query({ limit: 10 })).data.find(({ id }) => id !== campaign_id)!.id,
    referrals: referral_id,
    rewards: (await client.rewardRules.list.query({ campaign_id, limit: 1 })).data[0]!.id,
    sales: sale.id,
  });
  assistant = await Assistant.overHttp(service, account.apiKey);
  return () => assistant.client.close();
});

async function measure(tool: string, args: Fields): Promise<CallToolResult> {
  const reply = (await assistant.client.callTool({ name: tool, arguments: args })) as CallToolResult;
  const tokens = tokensOf(reply);
  if (tokens > (longest.get(tool)?.tokens ?? 0)) longest.set(tool, { action: String(args['action']), tokens });
  if (tokens > MOST) tooLong.push({ tool, args, tokens });
  return reply;
}

/** Returns the record that an action that reads one is called for. */
function idFor(tool: string, action: string): string | undefined {
  if (tool === 'explain') return ids[`${action}s`];
  if (action.startsWith('customer')) return ids['customers'];
  return action === 'application' ? ids['applications'] : ids[tool];
}

describe('no reply is above 5,000 tokens', () => {
  it.each([
    ['create', 'payout_exports', {}],
    ['create', 'payout_runs', {}],
    ['archive', 'campaigns', () => ({ id: ids['planted'] })],
    ['effect', 'rewards', () => ({ campaign_id: ids['campaigns'], update: { id: ids['rewards'], pay: { percent: 30 } } })],
    ['pay', 'payouts', () => ({ id: ids['payouts'] })],
    ['erase', 'affiliates', () => ({ id: ids['affiliates'] })],
  ] as const)('of a preview: %s, %s', async (action, kind, given) => {
    await measure(`manage_${kind}`, { action, ...(typeof given === 'function' ? given() : given) });
    expect(tooLong).toEqual([]);
  });

  it('of a preview of a run of thousands of payouts, which has counts, totals and the first events', async () => {
    const { data } = await account.client.payouts.list.query({ state: ['due'], limit: 100, sort: 'amount_cents' });
    ids['payout_exports'] = (
      await must<{ id: string }>(account, '/payout_exports', { payout_ids: data.map((each) => each.id) })
    ).id;
    const { id } = await must<{ id: string }>(account, '/payout_runs', {});
    ids['payout_runs'] = id;
    const reply = await measure('manage_payout_runs', { action: 'execute', id, async: false });
    const shown = JSON.parse((reply.content[0] as { text: string }).text) as { result: Fields; left_out: Record<string, number> };
    expect(shown.result).toMatchObject({ items_total: expect.any(Number), totals: [{ currency: 'USD' }] });
    expect(tooLong).toEqual([]);
    expect(shown.left_out['events']).toBeGreaterThan(PAYOUTS * 0.7);
  });

  it('of a tool that reads', async () => {
    for (const { name, actions } of TOOLS)
      for (const { name: action, takes, columns, effects } of actions) {
        if (effects) continue;
        const id = idFor(name, action);
        const given: Fields = {
          action,
          ...(takes.includes('id') && id !== undefined ? { id } : {}),
          ...(name === 'rewards' && takes.includes('campaign_id') ? { campaign_id: ids['campaigns'] } : {}),
          ...(action === 'search' ? { q: 'example' } : {}),
          ...(action === 'top_affiliates' ? { currency: 'USD' } : {}),
          ...(action === 'payday' ? { at: service.clock.instant() } : {}),
        };
        await measure(name, given);
        const limit = takes.includes('limit') ? { limit: name === 'program_overview' ? 50 : 100 } : {};
        if (columns) for (const fields of [{}, { fields: ['all'] }]) await measure(name, { ...given, ...limit, ...fields });
      }
    expect(tooLong).toEqual([]);
  });

  it.runIf(THOROUGH)('of any preview', async () => {
    for (const { tool, action, prepare } of WRITES) await measure(tool, { action, ...(await prepare(service, account)) });
    expect(tooLong).toEqual([]);
  });

  it('which the manual says for each tool', () => {
    const inOrder = TOOLS.flatMap(({ name }) => (longest.has(name) ? [[name, longest.get(name)!] as const] : []));
    const rows = inOrder.map(
      ([tool, { action, tokens }]) => `| \`${tool}\` | \`${action}\` | ${Math.ceil(tokens / 100) * 100} |`,
    );
    const manual = readFileSync(MANUAL, 'utf8');
    const [, before, table, after] = /^([^]*\| Tool \| Longest reply \| Tokens \|\n\|---\|---\|---\|\n)((?:\|.*\n)*)([^]*)$/.exec(
      manual,
    )!;
    const isWritten = process.env['TOKENS'] === 'write';
    const shown = isWritten ? rows.map((row) => `${row}\n`).join('') : table!;
    if (isWritten) writeFileSync(MANUAL, `${before}${shown}${after}`);
    const said = new Map([...shown.matchAll(/^\| `(\w+)` .* (\d+) \|$/gm)].map(([, tool, tokens]) => [tool, Number(tokens)]));
    // IDs are random, and the ordinary run measures fewer payouts and previews.
    const stale = [...longest].filter(([tool, { tokens }]) => tokens > (said.get(tool) ?? 0) * 1.15 + 100);
    expect(stale).toEqual([]);
  });
});
