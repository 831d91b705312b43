import { ConnectionLost } from '@affiliate/postgres';
import { expect, it } from 'vitest';
import { databaseFailure } from './database-failures.ts';
import { type DomainError, notFound } from './errors.ts';

it.each<[string, unknown]>([
  ['a lost connection', new ConnectionLost()],
  ['a server that shuts down', Object.assign(new Error('shutdown'), { code: '57P01', severity: 'FATAL' })],
  ['a standby', Object.assign(new Error('read-only'), { code: '25006', severity: 'ERROR' })],
  ['no connections left', Object.assign(new Error('too many clients'), { code: '53300', severity: 'FATAL' })],
  ['a refused connection', Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' })],
  ['a Unix socket of a server that does not run', Object.assign(new Error('missing'), { code: 'ENOENT', syscall: 'connect' })],
  ['an error that wraps a database failure', new Error('failed', { cause: new ConnectionLost() })],
])('%s is classified as a database failure, so the request may be repeated', (_case, error) => {
  expect(databaseFailure(error)).toMatchObject({ code: 'UNAVAILABLE' } satisfies Partial<DomainError>);
});

it.each<[string, unknown]>([
  ['an error of the domain', notFound('payout')],
  ['an error of the domain with a cause', Object.assign(notFound('payout'), { cause: new ConnectionLost() })],
  ['a violated constraint', Object.assign(new Error('duplicate'), { code: '23505', severity: 'ERROR' })],
  ['a missing file', Object.assign(new Error('missing'), { code: 'ENOENT', syscall: 'open' })],
  ['an internal error', new TypeError('undefined is not a function')],
])('%s is not classified as a database failure', (_case, error) => {
  expect(databaseFailure(error)).toBeNull();
});
