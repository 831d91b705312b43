import { minorUnitDigits, proportionOf } from '../../platform/money/money.ts';

/** Converts an amount in a provider's smallest unit, of which the currency has `digits` decimals there, to the ISO 4217 minor unit. */
export function toMinorUnits(amount: number, currency: string, digits: number): number {
  const more = minorUnitDigits(currency) - digits;
  return more < 0 ? proportionOf(amount, 1, 10 ** -more) : amount * 10 ** more;
}

/** Converts a decimal text of the currency's unit, which may have more decimals than the currency, to the ISO 4217 minor unit. */
export function decimalMinorUnits(text: string, currency: string): number {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const size = toMinorUnits(Number(whole + fraction), currency, fraction.length);
  return sign === '-' && size !== 0 ? -size : size;
}
