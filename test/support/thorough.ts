/**
 * THOROUGH=on (`pnpm test:thorough`, which a workflow runs every night) tries every combination and more random cases. The ordinary run tries a part
 * of them, so that it stays short. Every rule has its test in both.
 */
export const THOROUGH = process.env['THOROUGH'] === 'on';

/**
 * Every nth item in the ordinary run, all of them in the thorough one.
 *
 * @param turn number of the group that the items belong to: each group begins with another item, so that together they try all
 */
export function sample<Item>(items: readonly Item[], nth: number, turn: number): Item[] {
  return THOROUGH ? [...items] : items.filter((_, index) => (index + turn) % nth === 0);
}
