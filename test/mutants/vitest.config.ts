import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that take long, the longest last. Most changes are noticed by another one before. */
const SLOW = ['methods/', 'export-file', 'decided-', 'calls', 'rewards/worth', 'attribution/decide.'];

class QuickestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => SLOW.findLastIndex((part) => moduleId.includes(part));
    return Promise.resolve(files.toSorted((a, b) => rankOf(a) - rankOf(b)));
  }
}

/** The tests of the pure rules about money. They need no database. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: [
      'packages/core/src/{attribution,ledger,payouts,rewards}/**/*.test.ts',
      'test/attribution/deci*.test.ts',
      'test/payouts/bank/{nacha,pain-001,read-report}.test.ts',
      'test/payouts/rails/calls.test.ts',
      'test/rewards/{published-rules,worth}.test.ts',
    ],
    setupFiles: ['test/support/properties.ts'],
    testTimeout: 60_000,
    sequence: { sequencer: QuickestFirst },
    // Every change is tried by all tests that reach it, so random tests are short.
    env: { TEST_SEED: '1', DECISION_STORIES: '100', DECISION_ORDERS: '3', REWARDED_SALES: '2000' },
  },
});
