import { defineConfig } from 'vitest/config';

/** The tests of the pure rules of money and attribution. They need no database. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: [
      'packages/core/src/attribution/**/*.test.ts',
      'packages/core/src/ledger/**/*.test.ts',
      'packages/core/src/rewards/**/*.test.ts',
      'test/attribution/decide.test.ts',
      'test/attribution/decided-stories.test.ts',
    ],
    testTimeout: 60_000,
    env: { TEST_SEED: '1', DECISION_STORIES: '150', DECISION_ORDERS: '3' },
  },
});
