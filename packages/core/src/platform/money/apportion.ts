/**
 * Divides `total` into whole parts in proportion to `weights`, by the method of the largest remainder. The parts add up to `total`, and each part
 * is within one unit of its exact proportion. Of equal remainders, the earlier part gets the unit (docs/rules/platform.md#money).
 *
 * @param total an integer of at least 0
 * @param weights integers of at least 0, at least one of them. If all weights are 0, they count as equal
 */
export function apportion(total: number, weights: readonly number[]): number[] {
  if (weights.length === 0) throw new RangeError('Nothing to divide the total among.');
  const given = weights.map(BigInt);
  const sum = given.reduce((added, weight) => added + weight, 0n);
  const counted = sum === 0n ? given.map(() => 1n) : given;
  const whole = sum === 0n ? BigInt(weights.length) : sum;
  const products = counted.map((weight) => BigInt(total) * weight);
  const parts = products.map((product) => Number(product / whole));
  const remainders = products.map((product) => product % whole);
  const missing = total - parts.reduce((added, part) => added + part, 0);
  const order = remainders.map((_, i) => i).sort((a, b) => compare(remainders[b]!, remainders[a]!) || a - b);
  for (const i of order.slice(0, missing)) parts[i]! += 1;
  return parts;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
