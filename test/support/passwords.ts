/**
 * Speeds up password hashing. A hash deliberately takes a tenth of a second of CPU time, and the tests create about 600 users. The modules of the
 * program get `cached-passwords.ts` in place of the real functions.
 */
import { registerHooks } from 'node:module';

const REAL = new URL('../../packages/core/src/identity/members/passwords.ts', import.meta.url).href;
const CACHED = new URL('cached-passwords.ts', import.meta.url).href;

// Once per process, although this module is loaded again for every test file of the process.
(globalThis as Record<symbol, unknown>)[Symbol.for('affiliate.tests.passwords')] ??= registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    return found.url === REAL && context.parentURL !== CACHED ? { ...found, url: CACHED } : found;
  },
});
