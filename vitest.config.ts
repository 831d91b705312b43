import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { THOROUGH } from './test/support/thorough.ts';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/passwords.ts'],
    // Most of a test file's time would go into loading the program again. Files share no state: each has a service and a database of its own.
    isolate: false,
    // Baseline code at once, and garbage collected seldom, by one thread: a tenth less CPU time.
    execArgv: ['--always-sparkplug', '--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'],
    // More than processors, because many tests wait for a browser or another process. Each further worker costs the time to load the program.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    testTimeout: THOROUGH ? 300_000 : 30_000,
    hookTimeout: 60_000,
  },
});
