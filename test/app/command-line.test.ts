import { once } from 'node:events';
import { mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unList } from '../payouts/screening-lists.ts';
import { Browser } from '../support/browser.ts';
import { builtProgram } from '../support/built-program.ts';
import { send } from '../support/http.ts';
import { WITHOUT_UNICODE, createEmptyDatabase, onServer } from '../support/postgres.ts';
import { SECRET_KEY, type TestService, credentials, startService } from '../support/service.ts';
import { run, without } from './program.ts';

let service: TestService;
let settings: Record<string, string>;

beforeAll(async () => {
  await builtProgram();
  service = await startService();
  settings = { DATABASE_URL: service.databaseUrl, SECRET_KEY, PORT: '0' };
});
afterAll(() => service.stop());

const newAccount = (email: string) =>
  ['account', 'create', '--json', '--name', 'Shop', '--currency', 'eur', '--owner-email'].concat(email);

describe('commands', () => {
  it('create accounts, keys and users that the service accepts', async () => {
    const created = await run(newAccount('owner@example.com'), settings, 'correct horse\n');
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const account = JSON.parse(created.stdout) as { account_id: string; user_id: string; api_key: string };
    expect(Object.keys(account)).toEqual(['account_id', 'user_id', 'api_key']);

    const permissions = { 'v1.campaigns.read': true };
    const key = await run(
      [
        'api-key',
        'create',
        '--json',
        '--account-id',
        account.account_id,
        '--name',
        'Reader',
        '--permissions',
        JSON.stringify(permissions),
      ],
      settings,
    );
    const reader = JSON.parse(key.stdout) as { api_key: string };
    expect(reader).toMatchObject({ account_id: account.account_id, name: 'Reader', permissions });

    const user = await run(
      ['user', 'create', '--json', '--account-id', account.account_id, '--email', 'ada@example.com', '--role', 'admin'],
      settings,
      'correct horse\n',
    );
    expect(JSON.parse(user.stdout)).toMatchObject({ user_id: expect.stringMatching(/^usr_/), role: 'admin' });

    const campaigns = `${service.url}/api/v1/campaigns`;
    const body = { name: 'A', url: 'https://shop.example.com', reward_type: 'fixed', commission_amount_cents: 1 };
    expect(await send(campaigns, 'POST', { headers: credentials(account.account_id, account.api_key), body })).toMatchObject({
      status: 201,
      body: { commission_amount_currency: 'EUR' },
    });
    expect(await send(campaigns, 'GET', { headers: credentials(account.account_id, reader.api_key) })).toMatchObject({
      status: 200,
    });
    expect(await send(campaigns, 'POST', { headers: credentials(account.account_id, reader.api_key), body })).toMatchObject({
      status: 403,
    });
    const signIn = { email: 'ada@example.com', password: 'correct horse' };
    expect(await send(`${service.url}/auth/sign-in/email`, 'POST', { body: signIn })).toMatchObject({ status: 200 });
  });

  it('list accounts, and give a person another password without email', async () => {
    const created = JSON.parse((await run(newAccount('lost@example.com'), settings, 'correct horse\n')).stdout) as {
      account_id: string;
    };
    const listed = JSON.parse((await run(['account', 'list', '--json'], settings)).stdout) as { id: string; owners: string[] }[];
    expect(listed.find(({ id }) => id === created.account_id)).toMatchObject({ name: 'Shop', owners: ['lost@example.com'] });
    expect((await run(['account', 'list'], settings)).stdout).toContain(`${created.account_id} Shop (EUR): lost@example.com\n`);

    const signIn = async (password: string) =>
      (await send(`${service.url}/auth/sign-in/email`, 'POST', { body: { email: 'lost@example.com', password } })).status;
    const browser = new Browser(service.url, service.services.publicUrl);
    const seen = async () =>
      (await browser.send('GET', '/api/v1/affiliates', { headers: { 'X-Account-Id': created.account_id } })).status;
    await browser.signIn('lost@example.com', 'correct horse');
    expect(await seen()).toBe(200);
    const reset = ['user', 'reset-password', '--json', '--email', 'Lost@example.com'];
    expect(await run(reset, settings, 'short\n')).toMatchObject({ code: 1, stdout: '' });
    expect(await run(reset, settings, 'another horse\n')).toMatchObject({ code: 0, stderr: '' });
    expect([await signIn('correct horse'), await signIn('another horse')]).toEqual([401, 200]);
    expect(await seen()).toBe(401);
    expect(await run([...reset.slice(0, 4), 'nobody@example.com'], settings, 'another horse\n')).toMatchObject({
      code: 1,
      stderr: 'No such user.\n',
    });
  });

  it('read their settings from a file, which takes precedence over the environment, and secrets from files', async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'affiliate-test-'));
    const [file, key] = [join(directory.path, 'affiliate.env'), join(directory.path, 'key')];
    const environment = { DATABASE_URL: service.databaseUrl, PORT: 'none' };
    await writeFile(key, `${SECRET_KEY}\n`);
    await writeFile(file, `# Settings\nSECRET_KEY_FILE='${key}'\nPORT=0\n`);
    for (const args of [
      ['migrate', '--json', '--env-file', file],
      ['--env-file', file, 'migrate', '--json'],
    ])
      expect(await run(args, environment)).toEqual({ code: 0, stdout: '{"applied":[]}\n', stderr: '' });
    // Node would read `abc`.
    await writeFile(file, `SECRET_KEY=abc#${'x'.repeat(20)}\nPORT=0\n`);
    expect(await run(['migrate', '--env-file', file], environment)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^SECRET_KEY is not the key with which the secrets/) as string,
    });
    await writeFile(file, 'PORT=0 # the port\n');
    expect(await run(['migrate', '--env-file', file], environment)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/affiliate\.env, line 1: Write the value in single quotes\./) as string,
    });
    const { code, stderr } = await run(['migrate', '--env-file', '/none'], settings);
    expect([code === 0, stderr.trimEnd().split('\n')]).toEqual([false, [expect.stringContaining('/none')]]);
  });

  it('load lists of people whom nobody may pay', async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'affiliate-test-'));
    const [list, other] = [join(directory.path, 'consolidated.xml'), join(directory.path, 'other.xml')];
    await writeFile(list, unList(['Somebody ELSE', 'Another ONE']));
    await writeFile(other, '<html></html>');
    const loaded = await run(['screening', 'load', '--json', list], settings);
    expect(loaded).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(loaded.stdout)).toMatchObject({ list: 'un', list_date: '2026-11-20', names_count: 2, fresh: true });
    expect((await run(['screening', 'list'], settings)).stdout).toContain('names_count: 2');
    expect(await run(['screening', 'load', other], settings)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('other.xml: The file is none of the lists') as string,
    });
    expect((await run(['screening', 'load', '/none'], settings)).code).toBe(1);
    expect(await run(['screening', 'remove', 'un'], settings)).toMatchObject({ code: 0 });
    expect(await run(['screening', 'remove', 'un'], settings)).toMatchObject({ code: 1 });
  });

  it('say in one line that a production build needs DATABASE_URL', async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'affiliate-test-'));
    for (const command of [['start'], ['migrate'], ['account', 'list']])
      expect(await run(command, { DATABASE_URL: '', DATA_DIR: directory.path, PORT: '0' })).toEqual({
        code: 1,
        stdout: '',
        stderr: 'Set DATABASE_URL to the URL of a PostgreSQL database. A production build has no PostgreSQL of its own.\n',
      });
  });

  it.each([
    ['an invalid email address', newAccount('nobody'), '--owner-email'],
    ['a short password', newAccount('a@example.com'), '8 to 128 characters'],
    ['a password as an argument', [...newAccount('a@example.com'), '--owner-password', 'correct horse'], '--owner-password'],
    ['an unknown account', ['api-key', 'create', '--account-id', 'acct_x', '--name', 'Key'], 'No such account'],
    [
      'an unknown permission',
      ['api-key', 'create', '--account-id', 'acct_x', '--name', 'Key', '--permissions', '{"fly":true}'],
      'fly',
    ],
    [
      'permissions that are not JSON',
      ['api-key', 'create', '--account-id', 'acct_x', '--name', 'Key', '--permissions', 'all'],
      'not JSON',
    ],
    ['an unknown command', ['fly'], 'fly'],
  ])('refuse %s with one clear line', async (_what, args, words) => {
    const { code, stdout, stderr } = await run(args, settings, 'short\n');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it.each([[], ['account', 'create'], ['start']])(
    'print their help without loading the modules of the command: %s %s',
    async (...args) => {
      const { code, stdout, stderr } = await run([...args, '--help'], without('@mikro-orm/core', 'kysely', 'express', 'pino'));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('Usage: affiliate');
    },
  );
});

describe('a configuration that cannot work', () => {
  it('is refused with one line for each invalid variable', async () => {
    const bad = { ...settings, PORT: '80a', LOG_LEVEL: 'loud', ...without('@mikro-orm/core', 'kysely', 'express') };
    const { code, stdout, stderr } = await run(['rest'], bad);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining('PORT'), expect.stringContaining('LOG_LEVEL')]);
  });

  it('is refused with the name of the unreachable database, without its password', async () => {
    const { code, stderr } = await run(['rest'], { ...settings, DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/x' });
    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining('127.0.0.1:1')]);
    expect(stderr).not.toContain('hidden');
  });

  it('is refused with the name of the missing database, which is not created', async () => {
    const missing = new URL(service.databaseUrl);
    missing.pathname += '_missing';
    const { code, stderr } = await run(['migrate'], { ...settings, DATABASE_URL: missing.href });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^Cannot use .+: database ".+_missing" does not exist\n$/),
    });
    await expect(onServer(missing.href, 'select')).rejects.toMatchObject({ code: '3D000' });
  });

  it('is refused with the encoding of a database that does not store Unicode', async () => {
    const database = await createEmptyDatabase(WITHOUT_UNICODE);
    const { code, stderr } = await run(['migrate'], { ...settings, DATABASE_URL: database.url });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^Cannot use .+: Its encoding is SQL_ASCII\. Create it with the encoding UTF8: .+\n$/),
    });
    await database.drop();
  });

  it.each([
    ['is a file', async (path: string) => writeFile(path, '')],
    ['is below a file', async (path: string) => writeFile(join(path, '..'), '')],
    ['cannot be written to', async (path: string) => symlink('/proc/sys', path)],
  ])('is refused with the DATA_DIR that %s', async (_what, prepare) => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'affiliate-test-'));
    const path = join(directory.path, 'parent', 'data');
    if (_what !== 'is below a file') await mkdir(join(path, '..'));
    await prepare(path);
    // The empty DATABASE_URL makes `run` choose the production build, which starts faster than the sources. The service treats an empty DATABASE_URL
    // as absent, and therefore checks DATA_DIR. The build lacks the embedded database, but refuses the directory before it needs the database.
    const { code, stdout, stderr } = await run(['start'], { DATABASE_URL: '', DATA_DIR: path, PORT: '0' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(`DATA_DIR ${path} `)]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('is refused with the port that is in use', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const { port } = occupant.address() as AddressInfo;
    const { code, stderr } = await run(['rest'], { ...settings, PORT: String(port) });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Port ${port} on 127.0.0.1 is already in use. If the service is already running, stop it first. Otherwise set PORT to another port.\n`,
    });
    occupant.close();
  });
});
