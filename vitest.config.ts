import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/passwords.ts'],
    // Most of a test file's time would go into loading the program again. Files share no state: each has a service and a database of its own.
    isolate: false,
    // PostgreSQL, browsers and child processes take their share, but what each further worker costs to load is more than it wins.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
