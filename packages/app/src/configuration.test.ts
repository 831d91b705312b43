import { readFileSync } from 'node:fs';
import { DEFAULT_INVITATIONS_PER_HOUR } from '@affiliate/core';
import { DEFAULT_RATE_LIMITS } from '@affiliate/rest';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from './configuration.ts';

const onServer = { DATABASE_URL: 'postgres://me@127.0.0.1/x', SECRET_KEY: 'a secret of the tests' };

it('has a default for every variable', () => {
  expect(readConfiguration({})).toMatchObject({ PORT: 3000, HOST: '127.0.0.1', DATA_DIR: '.data', LOG_LEVEL: 'info' });
});

it('treats an empty variable as absent', () => {
  expect(readConfiguration({ PORT: '', DATABASE_URL: '', PUBLIC_URL: '' })).toEqual(readConfiguration({}));
});

it('removes a trailing slash from PUBLIC_URL', () => {
  expect(readConfiguration({ PUBLIC_URL: 'https://example.com/affiliates/' }).PUBLIC_URL).toBe('https://example.com/affiliates');
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
    ['DATABASE_URL', { ...onServer, DATABASE_URL: 'mysql://localhost/x' }],
    ['DATABASE_DIRECT_URL', { DATABASE_DIRECT_URL: 'postgres://localhost/x' }],
    ['DATABASE_READ_URL', { ...onServer, DATABASE_READ_URL: 'standby' }],
    ['SECRET_KEY', { ...onServer, SECRET_KEY: 'short' }],
    ['SECRET_KEY', { ...onServer, SECRET_KEY: '' }],
    ['WEBHOOK_ALLOWED_NETWORKS', { WEBHOOK_ALLOWED_NETWORKS: '10.0.0.1/8' }],
    ['PSP_API_BASE', { PSP_API_BASE: 'http://127.0.0.1:1/v1' }],
    ['REWARDFUL_API_BASE', { REWARDFUL_API_BASE: 'api.getrewardful.com' }],
    ['FIRST_PROMOTER_API_BASE', { FIRST_PROMOTER_API_BASE: 'ftp://api.firstpromoter.com' }],
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
  const manual = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
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
