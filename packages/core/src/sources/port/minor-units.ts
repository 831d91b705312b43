import { minorUnitDigits, proportionOf } from '../../platform/money/money.ts';

/** Converts an amount in a provider's smallest unit, of which the currency has `digits` decimals there, to the ISO 4217 minor unit. */
export function toMinorUnits(amount: number, currency: string, digits: number): number {
  const more = minorUnitDigits(currency) - digits;
  return more < 0 ? proportionOf(amount, 1, 10 ** -more) : amount * 10 ** more;
}
