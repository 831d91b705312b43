import { vi } from 'vitest';
import type * as Passwords from '../../packages/core/src/identity/members/passwords.ts';

/**
 * Speeds up password hashing. A hash deliberately takes a tenth of a second of CPU time, and the tests create about 600 users. Hashes each password
 * once per process. Verifies a password by comparing it with the text that was hashed. Uses the real function only for hashes from another process.
 */
vi.mock('../../packages/core/src/identity/members/passwords.ts', async (importOriginal) => {
  const { hashPassword, verifyPassword } = await importOriginal<typeof Passwords>();
  return {
    hashPassword: (password: string) => {
      const known = hashes.get(password);
      if (known) return known;
      const hash = hashPassword(password);
      hashes.set(password, hash);
      return hash.then((made) => {
        passwords.set(made, password);
        return made;
      });
    },
    verifyPassword: async (pair: { hash: string; password: string }) => {
      const made = passwords.get(pair.hash);
      return made === undefined ? verifyPassword(pair) : made === pair.password;
    },
  };
});

// Global, because this module is loaded again for every test file of the process.
const { hashes, passwords } = ((globalThis as Record<symbol, unknown>)[Symbol.for('affiliate.tests.passwords')] ??= {
  hashes: new Map<string, Promise<string>>(),
  passwords: new Map<string, string>(),
}) as { hashes: Map<string, Promise<string>>; passwords: Map<string, string> };
