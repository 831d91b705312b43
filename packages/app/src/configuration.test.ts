import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_INVITATIONS_PER_HOUR } from '@affiliate/core';
import { DEFAULT_RATE_LIMITS } from '@affiliate/rest';
import { describe, expect, it } from 'vitest';
import { FILE_VARIABLES, readConfiguration, unknownSettings } from './configuration.ts';

const manual = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
const onServer = { DATABASE_URL: 'postgres://me@127.0.0.1/x', SECRET_KEY: 'a secret of the tests' };

it('has a default for every variable', () => {
  expect(readConfiguration({})).toMatchObject({ PORT: 3000, HOST: '127.0.0.1', DATA_DIR: '.data', LOG_LEVEL: 'info' });
});

it('treats an empty variable as absent', () => {
  expect(readConfiguration({ PORT: '', DATABASE_URL: '', PUBLIC_URL: '' })).toEqual(readConfiguration({}));
});

it.each([
  ['?sslmode=require', '?sslmode=verify-full'],
  ['?application_name=x&sslmode=verify-ca&connect_timeout=5', '?application_name=x&sslmode=verify-full&connect_timeout=5'],
  ['?sslmode=no-verify', '?sslmode=no-verify'],
  ['?uselibpqcompat=true&sslmode=require', '?uselibpqcompat=true&sslmode=require'],
])('reads %s of an address of a database as %s', (given, read) => {
  const address = 'postgres://me:sslmode=require@db.example.com/x';
  expect(readConfiguration({ ...onServer, DATABASE_URL: address + given }).DATABASE_URL).toBe(address + read);
});

it('removes a trailing slash from PUBLIC_URL', () => {
  expect(readConfiguration({ PUBLIC_URL: 'https://example.com/' }).PUBLIC_URL).toBe('https://example.com');
});

describe('a file that a variable names', () => {
  it.each(FILE_VARIABLES)('has the value of %s', (name) => {
    using directory = mkdtempDisposableSync(join(tmpdir(), 'affiliate-test-'));
    const file = join(directory.path, 'value');
    const value = name.endsWith('_URL')
      ? `${name === 'SMTP_URL' ? 'smtp' : 'postgres'}://a:b@127.0.0.1/x`
      : 'a_value_of_the_tests';
    writeFileSync(file, `${value}\n`);
    const others = { DATABASE_URL: 'postgres://127.0.0.1/y', SECRET_KEY: 'a secret of the tests', MAIL_FROM: 'a@example.com' };
    const { [name as 'SECRET_KEY']: _, ...environment } = others;
    expect(readConfiguration({ ...environment, [`${name}_FILE`]: file })[name]).toBe(value);
    expect(() => readConfiguration({ ...environment, [`${name}_FILE`]: '/none' })).toThrow(
      `${name}_FILE must name a file that can be read (ENOENT).`,
    );
    expect(manual).toContain(`\`${name}\``);
  });
});

it('names unknown settings, but not the variables of other programs', () => {
  const misspelled = { TRUSTED_PROXY: '1', SMTP_HOST: 'mail', SECRET_KEYS: 'x' };
  const known = { TRUSTED_PROXIES: '1', SECRET_KEY_FILE: '/x', AFFILIATE_PROFILE: 'x', NEWEST_VERSION_FILE: '/x' };
  const ofOthers = {
    PATH: '/bin',
    HOME: '/',
    MAIL: '/var/mail',
    AFFILIATE_SERVICE_HOST: '10.0.0.1',
    AFFILIATE_PORT_80_TCP: 'x',
    constructor: 'x',
  };
  expect(unknownSettings({ ...misspelled, ...known, ...ofOthers })).toEqual(Object.keys(misspelled).toSorted());
});

it.each(['noreply@example.com', 'Affiliates <noreply@example.com>'])('accepts %s as MAIL_FROM', (MAIL_FROM) => {
  expect(readConfiguration({ SMTP_URL: 'smtps://u:p@mail.example.com:465', MAIL_FROM })).toMatchObject({ MAIL_FROM });
});

describe('a bad value', () => {
  it.each([
    ['PORT', { PORT: '80a' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '-1' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'shop.example.com' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://example.com/affiliates' }],
    ['DATABASE_URL', { ...onServer, DATABASE_URL: 'mysql://localhost/x' }],
    ['DATABASE_URL', { ...onServer, DATABASE_URL: 'postgres://a:b@10.0.0.5/x?sslmode=verify-full' }],
    ['DATABASE_URL', { ...onServer, DATABASE_URL: 'postgres://a:b@[::1]/x?application_name=x&sslmode=require' }],
    ['DATABASE_DIRECT_URL', { DATABASE_DIRECT_URL: 'postgres://localhost/x' }],
    ['DATABASE_READ_URL', { ...onServer, DATABASE_READ_URL: 'standby' }],
    ['SECRET_KEY', { ...onServer, SECRET_KEY: 'short' }],
    ['SECRET_KEY', { ...onServer, SECRET_KEY: '' }],
    ['WEBHOOK_ALLOWED_NETWORKS', { WEBHOOK_ALLOWED_NETWORKS: '10.0.0.1/8' }],
    ['PSP_API_BASE', { PSP_API_BASE: 'http://127.0.0.1:1/v1' }],
    ['REWARDFUL_API_BASE', { REWARDFUL_API_BASE: 'api.getrewardful.com' }],
    ['FIRST_PROMOTER_API_BASE', { FIRST_PROMOTER_API_BASE: 'ftp://api.firstpromoter.com' }],
    ['DUB_API_BASE', { DUB_API_BASE: 'api.dub.co' }],
    ['PARTNER_STACK_API_BASE', { PARTNER_STACK_API_BASE: 'api.partnerstack.com' }],
    ['TOLT_API_BASE', { TOLT_API_BASE: 'https://key@api.tolt.com' }],
    ['SMTP_URL', { SMTP_URL: 'http://mail.example.com', MAIL_FROM: 'a@example.com' }],
    ['MAIL_FROM', { SMTP_URL: 'smtp://mail.example.com' }],
    ['MAIL_FROM', { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'nobody' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['DATABASE_POOL_SIZE', { DATABASE_POOL_SIZE: '0' }],
    ['DATABASE_PREPARED_STATEMENTS', { DATABASE_PREPARED_STATEMENTS: 'yes' }],
    ['CLICK_RETENTION_DAYS', { CLICK_RETENTION_DAYS: '40000' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'all' }],
    ['RATE_LIMIT_PER_MINUTE', { RATE_LIMIT_PER_MINUTE: '1e3' }],
  ])('is reported in one line that names the variable: %s %j', (name, environment) => {
    expect(() => readConfiguration(environment)).toThrow(new RegExp(`^${name} [^\n]+$`));
  });

  it('is not repeated in the report, because it may be a secret', () => {
    expect(() => readConfiguration({ ...onServer, SECRET_KEY: 'hunter2' })).toThrow(/^(?!.*hunter2)/);
  });
});

describe('docs/configuration.md', () => {
  const rows = [...manual.matchAll(/^\| `(\w+)` \| (.*?) \| (.*?) \| .+ \|$/gm)];
  const { caller, publicAddress, failedCredentials } = DEFAULT_RATE_LIMITS;
  const defaults: Record<string, string | number | readonly unknown[] | undefined> = {
    ...readConfiguration({}),
    PUBLIC_URL: 'http://HOST:PORT',
    INVITATIONS_PER_HOUR: DEFAULT_INVITATIONS_PER_HOUR,
    RATE_LIMIT_PER_MINUTE: caller,
    RATE_LIMIT_PUBLIC_PER_MINUTE: publicAddress,
    RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: failedCredentials,
  };

  it('explains every variable once', () => {
    expect(rows.map(([, name]) => name!).toSorted()).toEqual(Object.keys(readConfiguration({})).toSorted());
  });

  it.each(rows.map(([, name, value, unit]) => [name!, value!, unit!]))(
    '%s has the default %s and a unit',
    (name, value, unit) => {
      const actual = defaults[name];
      const isAbsent = actual === undefined || (Array.isArray(actual) && actual.length === 0);
      expect(value).toBe(isAbsent ? 'none' : `\`${actual.toString()}\``);
      expect(unit).not.toBe('');
    },
  );
});
