import { vi } from 'vitest';
import type * as Passwords from '../../packages/core/src/members/passwords.ts';

/**
 * Hashing a password takes a tenth of a second of a processor on purpose, and the tests make some 600 owners who all have the same one. Each
 * password is hashed once per process, and each pair of password and hash compared once, by the real functions.
 */
vi.mock('../../packages/core/src/members/passwords.ts', async (importOriginal) => {
  const { hashPassword, verifyPassword } = await importOriginal<typeof Passwords>();
  const hashes = new Map<string, Promise<string>>();
  const verdicts = new Map<string, Promise<boolean>>();
  return {
    hashPassword: (password: string) => once(hashes, password, () => hashPassword(password)),
    verifyPassword: (pair: { hash: string; password: string }) =>
      once(verdicts, `${pair.hash} ${pair.password}`, () => verifyPassword(pair)),
  };
});

function once<Result>(known: Map<string, Promise<Result>>, key: string, work: () => Promise<Result>): Promise<Result> {
  const result = known.get(key) ?? work();
  known.set(key, result);
  return result;
}
