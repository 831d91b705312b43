import { beforeAll, describe, expect, it } from 'vitest';
import { RemoteAssistant } from '../mcp/remote-assistant.ts';
import { newMember } from '../support/people.ts';
import { useAccount } from '../support/suite.ts';
import { usePages } from './service.ts';
import { LOOKS, Visitor } from './visitor.ts';

const { service, browser } = usePages();
const account = useAccount(service, 'file');
/** Address that assistants are given. */
let url: string;

beforeAll(async () => {
  url = `${service.url}/mcp`;
});

/** The commands and texts to copy, by the name of the assistant. */
const texts = (): Record<string, string> => ({
  'Claude, ChatGPT': url,
  'Claude Code': `claude mcp add --transport http affiliate ${url}`,
  'Gemini CLI': `gemini mcp add --transport http affiliate ${url}`,
  'Copilot CLI': JSON.stringify({ mcpServers: { affiliate: { type: 'http', url, tools: ['*'] } } }, null, 2),
});

/** Reads the configuration in the link of a button. */
async function linkedBy(visitor: Visitor, name: string): Promise<URL> {
  return new URL((await visitor.page.getByRole('link', { name }).getAttribute('href'))!);
}

describe('the page Connectors', () => {
  it('adds this service to Visual Studio Code and Cursor by links', async () => {
    await using owner = await Visitor.ownerAt('/settings/connectors', browser, service, account);
    await owner.heading('Connectors');
    const vscode = await linkedBy(owner, 'Add to Visual Studio Code');
    expect([vscode.protocol, vscode.pathname]).toEqual(['vscode:', 'mcp/install']);
    expect(JSON.parse(decodeURIComponent(vscode.search.slice(1)))).toEqual({ name: 'affiliate', type: 'http', url });
    const cursor = await linkedBy(owner, 'Add to Cursor');
    expect([cursor.protocol, cursor.host, cursor.pathname]).toEqual(['cursor:', 'anysphere.cursor-deeplink', '/mcp/install']);
    expect(cursor.searchParams.get('name')).toBe('affiliate');
    expect(JSON.parse(Buffer.from(cursor.searchParams.get('config')!, 'base64').toString())).toEqual({ url });
    expect(await owner.faults({ contrast: true })).toEqual([]);
    await owner.putOn(LOOKS[2]);
    expect(await owner.overflow()).toEqual([]);
  });

  it.each([
    ['en-GB', 'Connectors', 'Copy', 'Copied'],
    ['de-DE', 'Konnektoren', 'Kopieren', 'Kopiert'],
  ])('copies the exact commands for other assistants (%s)', async (locale, heading, copy, copied) => {
    await using owner = await Visitor.arrive(browser, service.url, { locale, isFresh: true });
    await owner.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await owner.enter('/settings/connectors', { email: account.ownerEmail, password: account.ownerPassword });
    await owner.heading(heading);
    for (const [assistant, text] of Object.entries(texts())) {
      await owner.button(`${copy}: ${assistant}`).click();
      await owner.button(`${copied}: ${assistant}`).waitFor();
      expect(await owner.page.evaluate('navigator.clipboard.readText()')).toBe(text);
    }
    expect(owner.errors).toEqual([]);
  });
});

it('a member sees and revokes their own assistant in the profile', async () => {
  const member = await newMember(service, account, 'member');
  const assistant = new RemoteAssistant(service, { name: 'Ada’s assistant' });
  await using client = await assistant.connectAs(member.browser, {
    account_id: account.id,
    permissions: { 'mcp.campaigns.read': true },
  });
  await using visitor = await Visitor.arrive(browser, service.url);
  await visitor.enter('/settings/profile', member);
  const section = visitor.page.getByRole('region', { name: 'Your assistants' });
  await section.getByRole('row', { name: /Ada’s assistant.*Read \(1 resource\)/ }).waitFor();
  expect(await linkedBy(visitor, 'Add to Cursor')).toMatchObject({ protocol: 'cursor:' });
  expect(await visitor.faults({ contrast: true })).toEqual([]);
  await visitor.button('Revoke: Ada’s assistant').click();
  await visitor.dialog().getByRole('button', { name: 'Revoke' }).click();
  await section.getByText('You have not connected an assistant.').waitFor();
  await expect(client.client.listTools()).rejects.toThrow(/Unauthorized|invalid_grant|refresh/i);
});
