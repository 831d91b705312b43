/**
 * Where the provider counts a currency in another unit than ISO 4217 does: the power of ten between the two.
 * It keeps two decimals for ISK and UGX, which have none any more, and none for MGA, which has two.
 */
const EXPONENT_TO_ISO: Readonly<Record<string, number>> = { ISK: -2, UGX: -2, MGA: 2 };

/** An amount as the provider writes it, in the currency's ISO 4217 minor unit. */
export function toMinorUnit(providerAmount: number, currency: string): number {
  const exponent = EXPONENT_TO_ISO[currency] ?? 0;
  return exponent < 0 ? Math.round(providerAmount / 10 ** -exponent) : providerAmount * 10 ** exponent;
}
