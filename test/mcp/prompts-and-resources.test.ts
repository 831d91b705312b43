import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payee } from '../payouts/program.ts';
import { useService, useAccount } from '../support/suite.ts';
import { Assistant, createConnector } from './assistant.ts';

const service = useService();
const account = useAccount(service, 'file');
let assistant: Assistant;

beforeAll(async () => {
  assistant = await Assistant.overHttp(service, account.apiKey);
});
afterAll(() => assistant[Symbol.asyncDispose]());

describe('the prompts', () => {
  it('are listed, and name only existing tools and actions', async () => {
    const { prompts } = await assistant.client.listPrompts();
    const { tools } = await assistant.client.listTools();
    const actions = new Map(
      tools.map(({ name, inputSchema }) => [
        name,
        (inputSchema.properties as Record<string, { enum?: string[] }>)['action']?.enum,
      ]),
    );
    expect(prompts.map(({ name }) => name)).toContain('run_the_month');
    for (const { name, arguments: args = [] } of prompts) {
      const given = Object.fromEntries(args.map((argument) => [argument.name, 'value_1']));
      const { messages } = await assistant.client.getPrompt({ name, arguments: given });
      const [{ role, content }] = messages as [{ role: string; content: { type: string; text: string } }];
      expect(role).toBe('user');
      for (const value of Object.values(given)) expect(content.text).toContain(value);
      const calls = [...content.text.matchAll(/"(\w+) (\w+)"/g)];
      expect(calls.length).toBeGreaterThan(0);
      for (const [, tool, action] of calls) expect([tool, actions.get(tool!)]).toEqual([tool, expect.arrayContaining([action])]);
    }
  });

  it('refuse unknown names and wrong arguments', async () => {
    const { client } = assistant;
    await expect(client.getPrompt({ name: 'nothing' })).rejects.toThrow(/-32602/);
    await expect(client.getPrompt({ name: 'explain_payout' })).rejects.toThrow(/payout_id/);
    await expect(client.getPrompt({ name: 'run_the_month', arguments: { month: '5' } })).rejects.toThrow(/month/);
    const long = { payout_id: 'x'.repeat(501) };
    await expect(client.getPrompt({ name: 'explain_payout', arguments: long })).rejects.toThrow(/500 characters/);
  });
});

describe('the resources', () => {
  const textAt = async (uri: string) => {
    const { contents } = await assistant.client.readResource({ uri });
    return JSON.parse((contents as { text: string }[])[0]!.text) as object;
  };

  it('are the records that REST returns', async () => {
    const { payout } = await payee(account);
    const { body } = await account.api.get(`/payouts/${payout.id}`);
    expect(await textAt(`affiliate://payouts/${payout.id}`)).toEqual(body);
    expect(await textAt('affiliate://overview')).toMatchObject({ due: expect.any(Array) });
    const { resources } = await assistant.client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('affiliate://overview');
    const { resourceTemplates } = await assistant.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('affiliate://commissions/{id}');
  });

  it.each([
    'affiliate://payouts/pay_unknown',
    'affiliate://nothing/pay_1',
    'affiliate://constructor/pay_1',
    'affiliate://payouts/',
    'affiliate://payouts/a/b',
    'https://example.com/',
  ])('do not include %s', async (uri) => {
    await expect(assistant.client.readResource({ uri })).rejects.toThrow(/-32002/);
  });

  it('cannot be read without permission or from another account', async () => {
    const { payout } = await payee(account);
    const uri = `affiliate://payouts/${payout.id}`;
    const { token } = await createConnector(account, { permissions: { 'mcp.campaigns.read': true } });
    await using limited = await Assistant.overHttp(service, token);
    await expect(limited.client.readResource({ uri })).rejects.toThrow(/mcp\.payouts\.read/);
    await using foreign = await Assistant.overHttp(service, (await service.createAccount()).apiKey);
    await expect(foreign.client.readResource({ uri })).rejects.toThrow(/-32002/);
  });
});

it('prompts and resources have titles and the icon of the service', async () => {
  const { client } = assistant;
  const listed = [
    ...(await client.listPrompts()).prompts,
    ...(await client.listResources()).resources,
    ...(await client.listResourceTemplates()).resourceTemplates,
  ];
  expect(listed.length).toBeGreaterThan(10);
  const [icon, ...others] = client.getServerVersion()!.icons!;
  expect(others).toEqual([]);
  for (const { title, icons } of listed) expect([title, icons]).toEqual([expect.stringMatching(/^\S/), [icon]]);
  for (const { title } of (await client.listTools()).tools) expect(title).toMatch(/^\S/);
});

describe('completions', () => {
  it('offer the ids of the caller’s records that begin with the text', async () => {
    const { payout } = await payee(account);
    const complete = async (
      client: Assistant['client'],
      ref: { type: 'ref/resource'; uri: string } | { type: 'ref/prompt'; name: string },
      name: string,
      value: string,
    ) => (await client.complete({ ref, argument: { name, value } })).completion.values;
    const template = { type: 'ref/resource', uri: 'affiliate://payouts/{id}' } as const;
    const prompt = { type: 'ref/prompt', name: 'explain_payout' } as const;
    expect(await complete(assistant.client, template, 'id', payout.id.slice(0, -2))).toContain(payout.id);
    expect(await complete(assistant.client, prompt, 'payout_id', payout.id)).toEqual([payout.id]);
    expect(await complete(assistant.client, template, 'id', 'nothing')).toEqual([]);
    expect(await complete(assistant.client, prompt, 'month', '')).toEqual([]);
    const { token } = await createConnector(account, { permissions: { 'mcp.campaigns.read': true } });
    await using limited = await Assistant.overHttp(service, token);
    expect(await complete(limited.client, template, 'id', '')).toEqual([]);
  });
});
