import { SAMPLE_SEED } from './seed.ts';

/**
 * True in the thorough run: THOROUGH=on (`pnpm test:thorough`, nightly in a workflow) tries every combination and more random cases. The ordinary run
 * tries some of them, to be quick. Both test every rule.
 */
export const THOROUGH = process.env['THOROUGH'] === 'on';

/**
 * Returns every nth item in the ordinary run, and all items in the thorough run.
 *
 * @param turn number of a group of tests; each group starts at a different item, so that the groups together try all items
 */
export function sample<Item>(items: readonly Item[], nth: number, turn: number): Item[] {
  return THOROUGH ? [...items] : items.filter((_, index) => (index + turn + SAMPLE_SEED) % nth === 0);
}
