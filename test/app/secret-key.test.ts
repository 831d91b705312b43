import { createSecretBox, isKeyOfDatabase, reencryptSecrets } from '@affiliate/core';
import { type TOTP, URI } from 'otpauth';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { builtProgram } from '../support/built-program.ts';
import { send } from '../support/http.ts';
import { signedIn } from '../support/people.ts';
import { SECRET_KEY, type TestAccount, type TestService, startService } from '../support/service.ts';
import { run } from './program.ts';

const NEW_KEY = 'another secret key of the tests';
const WRONG = expect.stringContaining('is not the key with which the secrets in this database were encrypted');
/** Enough for more than two batches of the re-encryption. */
const STORED_RESPONSES = 450;

let service: TestService;
let account: TestAccount;
let sql: Client;

beforeAll(async () => {
  await builtProgram();
  service = await startService();
  account = await service.createAccount();
  sql = new Client({ connectionString: service.databaseUrl });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await service.stop();
});

const withKeys = (key: string, previous?: string) => ({
  DATABASE_URL: service.databaseUrl,
  SECRET_KEY: key,
  ...(previous === undefined ? {} : { SECRET_KEY_PREVIOUS: previous }),
});

/** Returns every sealed value in the database, with its table and column. */
async function sealedValues(): Promise<{ at: string; sealed: string }[]> {
  const { rows } = await sql.query<{ at: string; sealed: string }>(
    `select 'endpoint ' || id as at, sealed_secret as sealed from webhook_endpoint
     union all select 'previous of ' || id, sealed_previous_secret from webhook_endpoint where sealed_previous_secret is not null
     union all select 'response ' || key, sealed_body from idempotency_key
     union all select 'mail ' || id, sealed_mail from outgoing_mail
     order by 1`,
  );
  return rows;
}

const opened = async (key: string) => {
  const box = createSecretBox(key);
  return (await sealedValues()).map(({ at, sealed }) => ({ at, text: box.open(sealed) }));
};

/** Returns services that use these keys, as another process would. Real processes are started only to test commands. */
const having = (key: string, previous?: string) => ({ ...service.services, secrets: createSecretBox(key, previous) });

describe('a secret key', () => {
  let clientId: string;
  let clientSecret: string;
  let app: TOTP;

  beforeAll(async () => {
    const { webhookEndpoints } = account.client;
    const urls = ['http://127.0.0.1/a', 'http://127.0.0.1/b'];
    for (const url of urls) {
      const created = await webhookEndpoints.create.mutate({ name: 'Receiver', url, event_types: ['payout.paid'] });
      await webhookEndpoints.rotateSecret.mutate({ id: created.id });
    }
    const campaign = { name: 'One', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 5 };
    await account.api.send('POST', '/api/v1/campaigns', { body: campaign, headers: { 'Idempotency-Key': 'first' } });
    await sql.query(
      `insert into idempotency_key (account_id, caller_id, key, fingerprint, finished, status, sealed_body, created_at)
       select account_id, caller_id, 'copy ' || i, fingerprint, finished, status, sealed_body, created_at
       from idempotency_key, generate_series(1, ${STORED_RESPONSES}) i`,
    );
    const registered = await send(`${service.url}/auth/oauth2/register`, 'POST', {
      body: { redirect_uris: ['https://assistant.example.com/callback'], token_endpoint_auth_method: 'client_secret_post' },
    });
    const owner = await signedIn(service, account.ownerEmail, account.ownerPassword);
    const factor = await owner.send('POST', '/auth/two-factor/enable', { body: { password: account.ownerPassword } });
    app = URI.parse(factor.body['totpURI'] as string) as TOTP;
    const code = app.generate({ timestamp: Date.now() - 30_000 });
    const confirmed = await owner.send('POST', '/auth/two-factor/confirm', { body: { code } });
    if (confirmed.status !== 200) throw new Error(`The code was not accepted: ${confirmed.text}`);
    ({ client_id: clientId, client_secret: clientSecret } = registered.body as { client_id: string; client_secret: string });
  });

  it('that is wrong prevents the process from starting', async () => {
    expect(await isKeyOfDatabase(having(SECRET_KEY))).toBe(true);
    expect(await run(['migrate'], withKeys(NEW_KEY))).toEqual({ code: 1, stdout: '', stderr: WRONG });
    expect(await run(['start'], withKeys(NEW_KEY))).toEqual({ code: 1, stdout: '', stderr: WRONG });
    expect(await isKeyOfDatabase(having(SECRET_KEY))).toBe(true);
  });

  it('is replaced in batches, and the replacement can be resumed', async () => {
    const before = await opened(SECRET_KEY);
    expect(before.length).toBeGreaterThan(STORED_RESPONSES + 4);
    // Re-encrypts one value, as an interrupted earlier call would have done.
    const [first] = await sealedValues();
    const sealed = createSecretBox(NEW_KEY).seal(createSecretBox(SECRET_KEY).open(first!.sealed));
    await sql.query('update webhook_endpoint set sealed_secret = $1 where sealed_secret = $2', [sealed, first!.sealed]);

    const clients = 1;
    // Two sealed values: the key of the second factor, and its recovery codes.
    const ofSecondFactor = 2;
    const done = await run(['secrets', 'reencrypt', '--json'], withKeys(NEW_KEY, SECRET_KEY));
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(done.stdout)).toEqual({ reencrypted: before.length - 1 + clients + ofSecondFactor, unreadable: 0 });
    expect(await opened(NEW_KEY)).toEqual(before);
    expect(await reencryptSecrets(having(NEW_KEY, SECRET_KEY))).toEqual({ reencrypted: 0, unreadable: 0 });
  });

  it('is no longer needed after it is replaced', async () => {
    expect(await isKeyOfDatabase(having(SECRET_KEY))).toBe(false);
    expect(await reencryptSecrets(having(NEW_KEY))).toEqual({ reencrypted: 0, unreadable: 0 });
  });

  it('is accepted as the previous key while it is being replaced', async () => {
    // Re-encrypts the secrets with the former key, which the running service still has.
    expect(await reencryptSecrets(having(SECRET_KEY, NEW_KEY))).toMatchObject({ unreadable: 0 });
    const token = await send(`${service.url}/auth/oauth2/token`, 'POST', {
      raw: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        client_secret: clientSecret,
        code: 'unknown',
        redirect_uri: 'https://assistant.example.com/callback',
        code_verifier: 'x'.repeat(43),
      }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    // The error concerns only the authorization code, so the client's secret was accepted.
    expect(token.body).toMatchObject({ error: 'invalid_grant' });
    const owner = new Browser(service.url, service.services.publicUrl);
    await owner.signIn(account.ownerEmail, account.ownerPassword);
    const verified = await owner.send('POST', '/auth/two-factor/verify-totp', { body: { code: app.generate() } });
    expect(verified.status).toBe(200);
  });
});

it('decrypts values that were encrypted with the previous key, and encrypts with the current key', () => {
  const former = createSecretBox(SECRET_KEY);
  const box = createSecretBox(NEW_KEY, SECRET_KEY);
  const sealed = former.seal('text');
  expect([box.open(sealed), box.isCurrent(sealed)]).toEqual(['text', false]);
  expect(box.isCurrent(box.seal('text'))).toBe(true);
  expect(() => former.open(box.seal('text'))).toThrow('unable to authenticate data');
  expect(() => createSecretBox(NEW_KEY).open(sealed)).toThrow('unable to authenticate data');
  expect(box.derivePrevious('sessions')).toBe(former.derive('sessions'));
});
