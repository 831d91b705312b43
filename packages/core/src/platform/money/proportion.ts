/**
 * Computes `amount` × `part` ÷ `whole`, for integers and a `whole` above zero. The result is exact, rounded half away from zero
 * (docs/rules/platform.md#money). Uses BigInt, because the product may exceed the safe integers.
 */
export function proportionOf(amount: number, part: number, whole: number): number {
  const product = 2n * BigInt(amount) * BigInt(part);
  const half = BigInt(product < 0n ? -whole : whole);
  return Number((product + half) / (2n * BigInt(whole)));
}
