import { afterAll, beforeAll, expect, it } from 'vitest';
import { payee } from '../payouts/program.ts';
import { Browser } from '../support/browser.ts';
import { ownerOf } from '../support/people.ts';
import { program } from '../support/program.ts';
import { useService, useAccount } from '../support/suite.ts';
import { Assistant, createConnector } from './assistant.ts';

const service = useService();
const account = useAccount(service, 'file');
let assistant: Assistant;

beforeAll(async () => {
  assistant = await Assistant.overHttp(service, account.apiKey);
});
afterAll(() => assistant[Symbol.asyncDispose]());

/** Creates everything of which the service shows a secret once. Returns the secrets, and the ids of the records. */
async function secretsAndIds() {
  const { payout, program: made } = await payee(account);
  const { affiliate, campaign, link } = made;
  const endpoint = await account.client.webhookEndpoints.create.mutate({
    name: 'Shop',
    url: 'https://93.184.216.34/hooks',
    event_types: ['payout.paid'],
  });
  const portal = await account.client.affiliates.createPortalLink.mutate({ id: affiliate.id });
  const embedded = await account.client.affiliates.createEmbedToken.mutate({ id: affiliate.id });
  const connector = await createConnector(account);
  const key = await account.client.apiKeys.create.mutate({ name: 'Robot' });
  const invitation = await account.client.invitations.create.mutate({ kind: 'member', email: 'bob@example.com' });
  return {
    secrets: {
      signing: endpoint.signing_secret,
      portal: new URL(portal.url).hash || portal.url,
      embed: embedded.token,
      connector: connector.token,
      key: key.api_key,
      own: account.apiKey,
    },
    ids: [affiliate.id, campaign.id, link.id, payout.id, endpoint.id, connector.id, key.id, invitation.id],
  };
}

it('no reply of a tool that reads contains a secret, whatever record it is asked for', async () => {
  const { secrets, ids } = await secretsAndIds();
  const { tools } = await assistant.client.listTools();
  const replies: string[] = [];
  for (const { name, annotations, inputSchema } of tools) {
    if ((!annotations?.readOnlyHint && name !== 'affiliate_promo_codes') || name === 'read_manual') continue;
    const { action, id } = inputSchema.properties as Record<string, { enum?: string[] }>;
    for (const each of action!.enum!)
      for (const given of [{}, { fields: ['all'] }, ...(id === undefined ? [] : ids.map((known) => ({ id: known })))])
        replies.push(JSON.stringify(await assistant.client.callTool({ name, arguments: { action: each, ...given } })));
  }
  expect(replies.filter((reply) => !reply.includes('"isError":true')).length).toBeGreaterThan(30);
  const all = replies.join('\n');
  // The endpoint is found, but not its secret.
  expect(all).toContain('https://93.184.216.34/hooks');
  expect(Object.entries(secrets).filter(([, secret]) => all.includes(secret))).toEqual([]);

  const { resourceTemplates } = await assistant.client.listResourceTemplates();
  for (const { uriTemplate } of resourceTemplates)
    for (const id of ids) {
      const read = await assistant.client
        .readResource({ uri: uriTemplate.replace('{id}', id) })
        .catch((error: unknown) => String(error));
      expect(Object.values(secrets).filter((secret) => JSON.stringify(read).includes(secret))).toEqual([]);
    }
});

it('a portal link is answered with the page of the affiliate, on which only a signed-in person creates one', async () => {
  const { affiliate } = await program(account);
  const { body } = await assistant.call('affiliates', { action: 'get', id: affiliate.id });
  expect(body['page']).toBe(`${service.services.publicUrl}/affiliates/${affiliate.id}`);
  const create = (browser: Browser) =>
    browser.mutate<{ url: string }>('affiliates.createPortalLink', { id: affiliate.id }, { 'X-Account-Id': account.id });
  expect((await create(new Browser(service.url, service.services.publicUrl))).status).toBe(401);
  expect((await create((await ownerOf(service, account)).browser)).status).toBe(200);
  const { token } = await createConnector(account, { permissions: { 'mcp.affiliates.write': true } });
  for (const path of ['portal_link', 'embed_token'])
    expect(
      await fetch(`${service.url}/api/v1/affiliates/${affiliate.id}/${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: '{}',
      }),
    ).toMatchObject({ status: 401 });
  await using writer = await Assistant.overHttp(service, token);
  for (const action of ['portal_link', 'embed_token'])
    expect(await writer.call('manage_affiliates', { action, id: affiliate.id })).toMatchObject({
      isError: true,
      body: { details: [{ path: 'action' }] },
    });
});
