import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { THOROUGH } from './test/support/thorough.ts';
import { suitesLeftOut } from './test/support/turns.ts';

// The workers inherit the seed of the run (`test/support/seed.ts`).
const seed = (process.env['TEST_SEED'] ??= String(randomInt(2 ** 31)));
// Settings for TypeScript, which is written in Go. On one processor, and with rare garbage collection, it takes a quarter less CPU time.
Object.assign(process.env, { GOMAXPROCS: '1', GOGC: '300', GOMEMLIMIT: '3GiB' });

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...suitesLeftOut(import.meta.dirname, Number(seed), process.argv.slice(3))],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/passwords.ts', 'test/support/properties.ts'],
    // Test files share one process per worker, because loading the program again would take most of a file's time. The files share no state:
    // each has a service and a database of its own.
    isolate: false,
    // Node loads the .ts files as they are. Vite would transform them, which takes seconds, and would make every use of an import call a getter.
    // Nothing uses `vi.mock`, for which the loader would parse every file.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Makes V8 compile baseline code at once, and collect garbage rarely and with one thread. This saves a sixth of the CPU time.
    // `--expose-gc` lets a test collect the garbage of other tests before it measures memory.
    execArgv: [
      '--always-sparkplug',
      '--single-threaded-gc',
      '--min-semi-space-size=64',
      '--max-semi-space-size=64',
      '--initial-old-space-size=512',
      '--expose-gc',
    ],
    // Uses one worker more than there are processors, because many tests wait for a browser or another process. Even more workers would not
    // help, because each worker must load the program.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    testTimeout: THOROUGH ? 300_000 : 30_000,
    hookTimeout: 60_000,
    // A second, the default, is short beside two other suites.
    expect: { poll: { timeout: 10_000 } },
  },
});
