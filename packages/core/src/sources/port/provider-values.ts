/** Schemas of values in the objects of providers. Values that cannot be stored or calculated with are refused. */
import { z } from 'zod';
import { minorUnitDigits, proportionOf } from '../../platform/money/money.ts';
import { readIso8601 } from '../../platform/time/iso-8601.ts';
import { MAX_CENTS } from '../../platform/wire/scalars.ts';
import { withoutControls } from '../../platform/wire/typed-text.ts';

const MAX_LENGTH = 255;

/** Text that identifies something. Invalid text is refused instead of repaired, because a repair could make two different names equal. */
export const id = z
  .string()
  .min(1)
  .max(MAX_LENGTH)
  .refine((value) => value.isWellFormed() && withoutControls(value) === value);
export const optionalId = id.nullish().transform((value) => value ?? null);

/** Optional text, without characters that cannot be stored. The empty string counts as absent. */
export const text = z
  .string()
  .nullish()
  .transform((value) => (value ? withoutControls(value).toWellFormed().slice(0, MAX_LENGTH) || null : null));

/** An ISO 8601 time, as an instant. */
export const time = z
  .string()
  .refine((value) => readIso8601(value) !== null)
  .transform((value) => new Date(value).toISOString());
export const optionalTime = time.nullish().transform((value) => value ?? null);

/** An integer in the smallest unit of the provider, which may be negative. */
export const amount = z.int().min(-MAX_CENTS).max(MAX_CENTS);

/** The same as text. */
export const amountText = z
  .string()
  .regex(/^-?\d{1,12}$/)
  .transform(Number)
  .pipe(amount);

/** A decimal number of the currency's unit, as text. */
export const decimal = z.string().regex(/^-?\d{1,10}(\.\d{1,5})?$/);

/** An ISO 4217 code, in upper case. */
export const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/)
  .transform((code) => code.toUpperCase());

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
