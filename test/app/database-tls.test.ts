/** Connects to a PostgreSQL with TLS in the ways of docs/deployment.md#tls-to-the-database. */
import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@affiliate/embedded-postgres';
import { Client } from 'pg';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtProgram } from '../support/built-program.ts';
import { SECRET_KEY } from '../support/service.ts';
import { run } from './program.ts';

let directory: string;
let authority: string;
let key: string;
let postgres: Awaited<ReturnType<typeof openEmbeddedPostgres>>;

beforeAll(async () => {
  await builtProgram();
  directory = await mkdtemp(join(tmpdir(), 'affiliate-tls-'));
  await chmod(directory, 0o711);
  authority = join(directory, 'server.pem');
  key = join(directory, 'server.key');
  await makeCertificate('localhost');
  postgres = await openEmbeddedPostgres({
    dataDir: join(directory, 'data'),
    sharedDirectory: directory,
    settings: { fsync: 'off', ssl_cert_file: authority, ssl_key_file: key },
  });
  const sql = new Client({ connectionString: postgres.url });
  await sql.connect();
  const { rows } = await sql.query<{ path: string }>(`select current_setting('data_directory') as path`);
  const { uid, gid } = await stat(rows[0]!.path);
  await chown(key, uid, gid);
  await sql.query('alter system set ssl = on');
  await sql.query('select pg_reload_conf()');
  await sql.end();
}, 60_000);
afterAll(async () => {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Returns the finding of doctor about the database at a host name, with these parameters of its address. */
async function databaseAt(host: string, parameters: string): Promise<string> {
  const { username, password, port } = new URL(postgres.url);
  const DATABASE_URL = `postgres://${username}:${password}@${host}:${port}/affiliate${parameters}`;
  const { stdout, stderr } = await run(['doctor', '--json'], { DATABASE_URL, SECRET_KEY });
  expect(stderr).toBe('');
  const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string; found: string }[] };
  const { status, found } = findings.find(({ check }) => check === 'database')!;
  return `${status}: ${found}`;
}

/** Writes the certificate of the server, which is its own authority. */
async function makeCertificate(name: string): Promise<void> {
  const made = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
  });
  await writeFile(authority, made.cert);
  await writeFile(key, made.private, { mode: 0o600 });
}

describe('an address of a database', () => {
  it.each([
    ['without sslmode', 'localhost', () => '', /^ok: .*, without TLS,/],
    ['with no-verify', '127.0.0.1', () => '?sslmode=no-verify', /^ok: .*, TLSv1\.3,/],
    [
      'with verify-full and an unknown authority',
      'localhost',
      () => '?sslmode=verify-full',
      /^failed: .*self-signed certificate/,
    ],
    ['with verify-full', 'localhost', () => `?sslmode=verify-full&sslrootcert=${authority}`, /^ok: .*, TLSv1\.3,/],
    ['with require, which means verify-full', 'localhost', () => '?sslmode=require', /^failed: .*self-signed certificate/],
  ])('%s is used as documented', async (_what, host, parameters, expected) => {
    expect(await databaseAt(host, parameters())).toMatch(expected);
  });

  it('with verify-full is refused if the certificate has another name', async () => {
    await makeCertificate('other.test');
    const sql = new Client({ connectionString: postgres.url });
    await sql.connect();
    await sql.query('select pg_reload_conf()');
    await sql.end();
    expect(await databaseAt('localhost', `?sslmode=verify-full&sslrootcert=${authority}`)).toMatch(/^failed: .*does not match/);
  });
});
