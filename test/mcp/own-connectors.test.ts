import { describe, expect, it } from 'vitest';
import { newMember } from '../support/people.ts';
import type { Outputs } from '../support/service.ts';
import { createConnector } from './assistant.ts';
import { OauthSetting } from './oauth-setting.ts';
import { RemoteAssistant } from './remote-assistant.ts';

type Own = Outputs['profile']['connectors'];

const setting = OauthSetting.forThisFile();

/** Returns a member of the account who has connected an assistant, with requests as that member. */
async function memberWithAssistant(name: string) {
  const { service, account } = setting;
  const { browser } = await newMember(service, account, 'member');
  const headers = { 'X-Account-Id': account.id };
  const assistant = new RemoteAssistant(service, { name });
  const permissions = { 'mcp.campaigns.read': true };
  await (await assistant.connectAs(browser, { account_id: account.id, permissions })).client.close();
  return {
    browser,
    token: assistant.kept.tokens!.access_token,
    own: async (accountId = account.id) =>
      (await browser.query<Own>('profile.connectors', { account_id: accountId })).body.result!.data.data,
    revoke: (id: string) => browser.mutate('connectors.revoke', { id }, headers),
  };
}

describe('a member', () => {
  it('sees and ends the assistants that they connected', async () => {
    const ada = await memberWithAssistant('Ada’s assistant');
    const [connector, ...others] = await ada.own();
    expect([connector, others]).toMatchObject([{ name: 'Ada’s assistant', permissions: { 'mcp.campaigns.read': true } }, []]);
    expect(await setting.statusOf(ada.token)).toBe(200);
    expect((await ada.revoke(connector!.id)).status).toBe(200);
    expect(await setting.statusOf(ada.token)).toBe(401);
    expect(await ada.own()).toEqual([]);
    const { data } = await setting.account.client.auditLog.list.query({});
    expect(data[0]).toMatchObject({
      tool: 'connectors',
      action: 'revoke',
      outcome: 'succeeded',
      arguments: { id: connector!.id },
    });
  });

  it('neither sees nor ends those of others, nor those of another account', async () => {
    const [ada, bob] = [await memberWithAssistant('Ada’s assistant'), await memberWithAssistant('Bob’s assistant')];
    const byHand = await createConnector(setting.account, { permissions: { 'mcp.campaigns.read': true } });
    const [theirs] = await bob.own();
    expect((await ada.own()).map(({ name }) => name)).toEqual(['Ada’s assistant']);
    for (const id of [theirs!.id, byHand.id, 'cntr_unknown']) expect((await ada.revoke(id)).status).toBe(404);
    expect(await setting.statusOf(bob.token)).toBe(200);
    expect(await ada.own((await setting.service.createAccount()).id)).toEqual([]);
    // An admin ends all of them.
    await setting.account.client.connectors.revoke.mutate({ id: theirs!.id });
    expect(await setting.statusOf(bob.token)).toBe(401);
  });
});
