import { vi } from 'vitest';
import type * as Passwords from '../../packages/core/src/identity/members/passwords.ts';

/**
 * Hashing a password deliberately takes a tenth of a second of CPU time, and the tests create some 600 users with a few passwords. Each
 * password is hashed once per process, and each pair of password and hash verified once, by the real functions.
 */
vi.mock('../../packages/core/src/identity/members/passwords.ts', async (importOriginal) => {
  const { hashPassword, verifyPassword } = await importOriginal<typeof Passwords>();
  return {
    hashPassword: (password: string) => once(`hash ${password}`, () => hashPassword(password)),
    verifyPassword: (pair: { hash: string; password: string }) =>
      once(`verify ${pair.hash} ${pair.password}`, () => verifyPassword(pair)),
  };
});

// Outside this module, which is loaded again for every test file of the process.
const known = ((globalThis as Record<symbol, unknown>)[Symbol.for('affiliate.tests.passwords')] ??= new Map()) as Map<
  string,
  unknown
>;

function once<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const result = (known.get(key) as Promise<Result> | undefined) ?? work();
  known.set(key, result);
  return result;
}
