import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PspTestService, startPspService } from '../psp/service.ts';
import { Browser } from '../support/browser.ts';
import { send } from '../support/http.ts';
import { newMember, ownerOf } from '../support/people.ts';
import { program } from '../support/program.ts';
import { type TestAccount, credentials } from '../support/service.ts';

/** Secrets are shown once, in the response that returns them, and neither in other responses nor in the log, also when requests fail. */
let service: PspTestService;
let account: TestAccount;

beforeAll(async () => {
  service = await startPspService();
  account = await service.createAccount();
});
afterAll(() => service.stop());

it('is neither logged nor shown again', async () => {
  const { api, client } = account;
  const secrets: Record<string, string> = { 'the API key': account.apiKey, 'the password': account.ownerPassword };
  const answers: string[] = [];
  const say = async (reply: Promise<{ text: string }>) => void answers.push((await reply).text);

  // Returned once.
  const key = await api.post<{ id: string; api_key: string }>('/api_keys', { name: 'Key' });
  secrets['a new key'] = key.body.api_key;
  secrets['a connector’s token'] = (await client.connectors.create.mutate({ name: 'Assistant' })).token;
  const endpoint = await client.webhookEndpoints.create.mutate({
    name: 'Receiver',
    url: 'http://127.0.0.1:1024/hooks',
    event_types: ['affiliate.created'],
  });
  secrets['a signing secret'] = endpoint.signing_secret;
  secrets['a rotated signing secret'] = (await client.webhookEndpoints.rotateSecret.mutate({ id: endpoint.id })).signing_secret;
  const provider = service.psp.addAccount();
  secrets['the provider’s key'] = provider.secretKey;
  secrets['the provider’s signing secret'] = 'whsec_of_the_provider';
  await client.pspConnection.connect.mutate({ secret_key: provider.secretKey, webhook_secret: 'whsec_of_the_provider' });
  const { campaign } = await program(account);
  await api.post('/invitations', { kind: 'affiliate', email: 'invited@example.com', campaign_id: campaign.id });
  secrets['an invitation’s token'] = tokenIn((await service.mailbox.take('invited@example.com', /./)).text);
  const { browser } = await ownerOf(service, account);
  secrets['a session'] = browser.cookie.split('=')[1]!.split('.')[0]!;
  await say(browser.send('POST', '/auth/request-password-reset', { body: { email: account.ownerEmail } }));
  secrets['a reset token'] = tokenIn((await service.mailbox.take(account.ownerEmail, /./)).text);

  // Requested again, and sent in wrong places.
  const member = await newMember(service, account, 'admin');
  await say(api.get('/api_keys'));
  await say(api.get('/invitations'));
  for (const path of ['connectors.list', 'webhookEndpoints.list', 'pspConnection.get', 'webhookDeliveries.list', 'session.get']) {
    await say(member.browser.query(path, path === 'pspConnection.get' || path === 'session.get' ? undefined : {}));
  }
  await say(member.browser.query('webhookEndpoints.get', { id: endpoint.id }));
  for (const [name, secret] of Object.entries(secrets)) {
    const stranger = new Browser(service.url, service.services.publicUrl);
    await say(stranger.signIn(account.ownerEmail, secret + name));
    await say(
      stranger.send('POST', '/auth/reset-password', { body: { token: `${secret}x`, newPassword: secret.slice(0, 100) } }),
    );
    await say(stranger.mutate('invitations.join', { token: `${secret}x`, password: secret.slice(0, 100) }));
    await say(api.post('/api_keys', { name: secret, permissions: { [secret]: true } }).then(() => ({ text: '' })));
    await say(send(`${service.url}/api/v1/affiliates`, 'GET', { headers: credentials(account.id, `${secret}x`) }));
    await say(send(`${service.url}/mcp`, 'POST', { body: {}, headers: { Authorization: `Bearer ${secret}x` } }));
    await say(
      send(`${service.url}/psp/webhooks/${account.id}`, 'POST', { raw: secret, headers: { 'Stripe-Signature': secret } }).then(
        () => ({ text: '' }),
      ),
    );
    await say(
      client.pspConnection.connect.mutate({ secret_key: `sk_test_${secret}`, webhook_secret: `whsec_${secret}` }).then(
        () => ({ text: '' }),
        (error: unknown) => ({ text: String(error) }),
      ),
    );
  }

  const log = inspect(service.log.lines, { depth: 12, maxStringLength: null, maxArrayLength: null, showHidden: true });
  expect(service.log.lines.length).toBeGreaterThan(50);
  for (const [name, secret] of Object.entries(secrets)) {
    expect([name, 'in the log', log.includes(secret)]).toEqual([name, 'in the log', false]);
    expect([name, 'shown', answers.filter((text) => text.includes(secret))]).toEqual([name, 'shown', []]);
  }
});

function tokenIn(mail: string): string {
  return /#token=([\w-]{24,})/.exec(mail)![1]!;
}
