import { proportionOf } from './proportion.ts';

const WHOLE = 10_000;

/**
 * Computes a share of an amount, in the same minor unit. The result is exact, rounded half away from zero
 * (docs/rules/platform.md#money).
 *
 * @param basisPoints hundredths of a percent, 0 to 10,000
 */
export function shareOf(amountCents: number, basisPoints: number): number {
  return proportionOf(amountCents, basisPoints, WHOLE);
}
