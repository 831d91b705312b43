/**
 * `amount` × `part` ÷ `whole`, for integers and a `whole` above zero. Computed exactly, since the product may exceed the integers that a number
 * holds, and rounded half away from zero (docs/domain-rules.md#money).
 */
export function proportionOf(amount: number, part: number, whole: number): number {
  const product = 2n * BigInt(amount) * BigInt(part);
  const half = BigInt(product < 0n ? -whole : whole);
  return Number((product + half) / (2n * BigInt(whole)));
}
