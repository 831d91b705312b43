import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { program, refer, sell, unique } from '../support/program.ts';
import { useService, useAccount } from '../support/suite.ts';
import { Assistant, createConnector, textOf } from './assistant.ts';
import { tokensOf } from './tokens.ts';

const service = useService();
const account = useAccount(service, 'file');

describe('the tokens that assistants read', () => {
  it('are at most 8,000 for all tools, and 4,000 for tools that only read', async () => {
    await using all = await Assistant.overHttp(service, account.apiKey);
    expect(tokensOf(await all.client.listTools())).toBeLessThanOrEqual(8_000);
    await using readOnly = await Assistant.overHttp(service, account.apiKey, '?read_only=true');
    expect(tokensOf(await readOnly.client.listTools())).toBeLessThanOrEqual(4_000);
    await using connected = await Assistant.overHttp(service, (await createConnector(account)).token);
    expect(tokensOf(await connected.client.listTools())).toBeLessThanOrEqual(4_000);
  });

  it('are at most 500 for the instructions', async () => {
    await using assistant = await Assistant.overHttp(service, account.apiKey);
    expect(tokensOf(assistant.client.getInstructions()!)).toBeLessThanOrEqual(500);
  });

  it('are at most 2,500 for 25 commissions', async () => {
    const made = await program(account);
    const { id } = await refer(account, made);
    for (let sold = 0; sold < 26; sold += 1)
      await sell(account, { referral_id: id, customer_email: `${unique('buyer')}@example.com` });
    await using assistant = await Assistant.overHttp(service, account.apiKey);
    const reply = (await assistant.client.callTool({ name: 'commissions', arguments: { action: 'list' } })) as CallToolResult;
    expect(JSON.parse(textOf(reply))).toMatchObject({ result: { rows: { length: 25 }, total_count: 26 }, next_cursor: '2.25.0' });
    expect(tokensOf(reply)).toBeLessThanOrEqual(2_500);
  });
});

describe('an address with a selection', () => {
  const namesAt = async (query: string) => {
    await using assistant = await Assistant.overHttp(service, account.apiKey, query);
    return (await assistant.client.listTools()).tools.map(({ name }) => name);
  };

  it('offers only the named toolsets', async () => {
    expect(await namesAt('?toolsets=webhooks,team&read_only=false')).toEqual([
      'invitations',
      'manage_invitations',
      'webhooks',
      'manage_webhooks',
      'team',
      'manage_team',
    ]);
  });

  it('refuses writes if it is read-only, and tools of other toolsets', async () => {
    expect(await namesAt('?toolsets=codes&read_only=true')).toEqual(['affiliate_promo_codes', 'affiliate_coupons']);
    await using assistant = await Assistant.overHttp(service, account.apiKey, '?toolsets=codes&read_only=true');
    for (const name of ['manage_affiliate_coupons', 'payouts'])
      await expect(assistant.client.callTool({ name, arguments: { action: 'create' } })).rejects.toThrow(/-32602/);
    expect(await assistant.call('affiliate_promo_codes', { action: 'stop', id: 'code_1', affiliate_id: 'aff_1' })).toMatchObject({
      isError: true,
      body: { details: [{ path: 'action', message: 'Must be one of: list.' }] },
    });
  });

  it.each(['?readonly=true', '?read_only=yes', '?read_only=', '?toolsets=', '?toolsets=payouts,nothing', '?toolsets=all'])(
    'is refused with 422 if it is misspelled: %s',
    async (query) => {
      await expect(Assistant.overHttp(service, account.apiKey, query)).rejects.toThrow(/VALIDATION_ERROR/);
    },
  );
});
