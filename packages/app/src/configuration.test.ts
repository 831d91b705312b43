import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from './configuration.ts';

const onServer = { DATABASE_URL: 'postgres://me@127.0.0.1/x', SECRET_KEY: 'a secret of the tests' };

it('needs nothing', () => {
  expect(readConfiguration({})).toMatchObject({ PORT: 3000, HOST: '127.0.0.1', DATA_DIR: '.data', LOG_LEVEL: 'info' });
});

it('takes an empty variable for an absent one', () => {
  expect(readConfiguration({ PORT: '', DATABASE_URL: '', PUBLIC_URL: '' })).toEqual(readConfiguration({}));
});

it('cuts the slash off the public address, to which paths are appended', () => {
  expect(readConfiguration({ PUBLIC_URL: 'https://example.com/affiliates/' }).PUBLIC_URL).toBe('https://example.com/affiliates');
});

it.each(['noreply@example.com', 'Affiliates <noreply@example.com>'])('sends mail from %s', (MAIL_FROM) => {
  expect(readConfiguration({ SMTP_URL: 'smtps://u:p@mail.example.com:465', MAIL_FROM })).toMatchObject({ MAIL_FROM });
});

describe('a bad value is one line that names the variable', () => {
  it.each([
    ['PORT', { PORT: '80a' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '-1' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'shop.example.com' }],
    ['DATABASE_URL', { ...onServer, DATABASE_URL: 'mysql://localhost/x' }],
    ['SECRET_KEY', { ...onServer, SECRET_KEY: 'short' }],
    ['SECRET_KEY', { ...onServer, SECRET_KEY: '' }],
    ['WEBHOOK_ALLOWED_NETWORKS', { WEBHOOK_ALLOWED_NETWORKS: '10.0.0.1/8' }],
    ['PSP_API_BASE', { PSP_API_BASE: 'http://127.0.0.1:1/v1' }],
    ['SMTP_URL', { SMTP_URL: 'http://mail.example.com', MAIL_FROM: 'a@example.com' }],
    ['MAIL_FROM', { SMTP_URL: 'smtp://mail.example.com' }],
    ['MAIL_FROM', { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'nobody' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['DATABASE_POOL_SIZE', { DATABASE_POOL_SIZE: '0' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'all' }],
    ['RATE_LIMIT_PER_MINUTE', { RATE_LIMIT_PER_MINUTE: '1e3' }],
  ])('%s %j', (name, environment) => {
    expect(() => readConfiguration(environment)).toThrow(new RegExp(`^${name} [^\n]+$`));
  });

  it('and says nothing of what was given, which may be a secret', () => {
    expect(() => readConfiguration({ ...onServer, SECRET_KEY: 'hunter2' })).toThrow(/^(?!.*hunter2)/);
  });
});

it('is explained in the README, variable by variable', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const table = readme.split('\n## Configuration\n')[1]!.split('\n## ')[0]!;
  const explained = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names]) =>
    [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect(new Set(explained)).toEqual(new Set(Object.keys(readConfiguration({}))));
});
