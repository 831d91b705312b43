const WHOLE = 10_000n;

/**
 * A share of an amount, in the same minor unit. Computed exactly and rounded half away from zero (docs/domain-rules.md#money).
 *
 * @param basisPoints hundredths of a percent, 0 to 10,000
 */
export function shareOf(amountCents: number, basisPoints: number): number {
  const product = BigInt(amountCents) * BigInt(basisPoints);
  const half = product < 0n ? -WHOLE / 2n : WHOLE / 2n;
  return Number((product + half) / WHOLE);
}
