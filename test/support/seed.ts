/**
 * Seed of everything that the tests of a run choose at random: samples, walks, stories, and the values of fast-check. `vitest.config.ts` sets it for
 * all workers, so that each run tries other values, and the run prints it. TEST_SEED repeats a run.
 */
export const SEED = Number(process.env['TEST_SEED'] ?? 0);
