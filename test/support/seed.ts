/**
 * Seed of everything that the tests of a run choose at random: samples, walks, stories, and the values of fast-check. `vitest.config.ts` sets it for
 * all workers, so that each run tries other values, and the run prints it. TEST_SEED repeats a run.
 */
export const SEED = Number(process.env['TEST_SEED'] ?? 0);

/** Number by which samples within suites are chosen. It has other remainders than the seed, by which the suites themselves take turns (`turns.ts`). */
export const SAMPLE_SEED = Math.imul(SEED, 0x9e37_79b1) >>> 16;
