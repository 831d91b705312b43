import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { readArchive } from '../../packages/app/src/backup/archive.ts';
import { backup } from '../../packages/app/src/backup/backup.ts';
import { readConfiguration } from '../../packages/app/src/configuration.ts';
import { usePspService } from '../psp/service.ts';
import { Browser } from '../support/browser.ts';
import { databaseRows, loggedBy } from '../support/dump.ts';
import { send } from '../support/http.ts';
import { newMember, ownerOf } from '../support/people.ts';
import { program } from '../support/program.ts';
import { SECRET_KEY, credentials } from '../support/service.ts';
import { useAccount } from '../support/suite.ts';

const PASSPHRASE = 'a passphrase of the tests';

/**
 * A secret appears only in the response that returns it. Other responses, the log, the metrics, the database and its backups never contain it, even
 * when requests fail. The service emits no traces. test/web/credentials.test.ts searches the memory of a page.
 */
const service = usePspService();
const account = useAccount(service, 'file');

it('a secret is never logged, stored in plain text or shown again', async () => {
  const { api, client } = account;
  const secrets: Record<string, string> = { 'the API key': account.apiKey, 'the password': account.ownerPassword };
  const answers: string[] = [];
  const say = async (reply: Promise<{ text: string }>) => void answers.push((await reply).text);

  // Creates secrets. Each may appear only once, in the response or email that delivers it.
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
  const invitation = (await service.mailbox.take('invited@example.com', /./)).text;
  secrets['an invitation’s token'] = tokenIn(invitation);
  const { browser } = await ownerOf(service, account);
  const cookie = browser.cookie.split('=')[1]!;
  const [session = '', signature = ''] = decodeURIComponent(cookie).split('.');
  secrets['a session'] = session;
  await say(browser.send('POST', '/auth/request-password-reset', { body: { email: account.ownerEmail } }));
  const reset = (await service.mailbox.take(account.ownerEmail, /./)).text;
  secrets['a reset token'] = tokenIn(reset);

  // An email that stays in the outbox, because the mail server refused it.
  const refused = Promise.withResolvers<string>();
  vi.spyOn(service.mailbox, 'send').mockImplementationOnce(async ({ text }) => {
    refused.resolve(text);
    throw new Error('Refused by the mail server');
  });
  await say(browser.send('POST', '/auth/request-password-reset', { body: { email: account.ownerEmail } }));
  secrets['a token in a waiting mail'] = tokenIn(await refused.promise);

  // Reads the records that the secrets belong to, and sends the secrets where they must be refused.
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

  const answered = {
    log: loggedBy(service),
    answers: answers.join('\n'),
    metrics: (await send(`${service.url}/metrics`, 'GET')).text,
  };
  expect(service.log.lines.length).toBeGreaterThan(50);
  expect(findings(answered, secrets)).toEqual([]);

  // The database may contain the session's token, because the token alone is useless: the cookie also needs a signature, which only the holder of the
  // key can make.
  const { 'a session': _token, ...others } = secrets;
  const kept = { ...others, 'the signature of a session': signature, 'the key': SECRET_KEY, 'the passphrase': PASSPHRASE };
  const stored = { database: await databaseRows(service), backup: await backupFiles() };
  expect(findings(stored, kept)).toEqual([]);
  // Checks the search itself with known values.
  const known = { 'an address': account.ownerEmail, 'a session': session };
  expect(findings(stored, known)).toHaveLength(4);
  expect(findings({ invitation, reset }, { ...secrets, ...kept })).toEqual([
    'an invitation’s token in invitation',
    'a reset token in reset',
  ]);
});

/** Returns the content of a backup. */
async function backupFiles(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'affiliate-secrets-'));
  using _progress = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const file = join(directory, 'backup');
    await backup(readConfiguration({ DATABASE_URL: service.databaseUrl, SECRET_KEY, BACKUP_PASSPHRASE: PASSPHRASE }), file);
    const contents = [];
    for await (const { content } of readArchive(file)) contents.push(content.toString('latin1'));
    return contents.join('\n');
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Finds the secrets that a text contains, in plain form or in a common encoding. */
function findings(texts: Record<string, string>, secrets: Record<string, string>): string[] {
  return Object.entries(texts).flatMap(([place, text]) =>
    Object.entries(secrets)
      .filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)))
      .map(([name]) => `${name} in ${place}`),
  );
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const encoded = (['base64', 'base64url', 'hex'] as const).map((encoding) => bytes.toString(encoding).replace(/=+$/, ''));
  // The last characters of base64 depend on the text that follows the secret.
  return [secret, encodeURIComponent(secret), ...encoded.map((form) => form.slice(0, -2))];
}

function tokenIn(mail: string): string {
  return /#token=([\w-]{24,})/.exec(mail)![1]!;
}
