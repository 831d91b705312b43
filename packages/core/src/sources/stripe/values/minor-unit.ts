import { proportionOf } from '../../../platform/money/money.ts';

/**
 * Currencies for which the provider's unit differs from the minor unit of ISO 4217. A provider amount is multiplied by ten to the power of
 * the value. The provider uses two decimals for ISK and UGX, but ISO 4217 now has none. The provider uses none for MGA, but ISO 4217 has
 * two.
 */
const EXPONENT_TO_ISO: Readonly<Record<string, number>> = { ISK: -2, UGX: -2, MGA: 2 };

/** Converts an amount in the currency's ISO 4217 minor unit to one of the provider. */
export function toProviderAmount(amount: number, currency: string): number {
  const exponent = EXPONENT_TO_ISO[currency] ?? 0;
  return exponent < 0 ? amount * 10 ** -exponent : proportionOf(amount, 1, 10 ** exponent);
}

/** Returns the smallest amount that the provider can express in a currency, in its ISO 4217 minor unit. */
export function providerUnit(currency: string): number {
  return 10 ** Math.max(0, EXPONENT_TO_ISO[currency] ?? 0);
}

/** Converts an amount of the provider to the currency's ISO 4217 minor unit. */
export function toMinorUnit(providerAmount: number, currency: string): number {
  const exponent = EXPONENT_TO_ISO[currency] ?? 0;
  return exponent < 0 ? proportionOf(providerAmount, 1, 10 ** -exponent) : providerAmount * 10 ** exponent;
}
