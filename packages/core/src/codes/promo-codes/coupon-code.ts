import { inLatin } from '../../platform/wire/latin.ts';

/** Code for a name without any character that a code may contain. */
const FALLBACK = 'PARTNER';

/**
 * Generates codes to try for an affiliate, best first: the name in capitals, then the name with a number
 * (docs/rules/codes.md#affiliate-coupons). Letters are spelled in Latin ones (`inLatin`), and all characters but letters and digits are removed.
 */
export function* couponCodes(affiliate: {
  first_name: string | null;
  last_name: string | null;
  email: string;
}): Generator<string> {
  const name =
    [affiliate.first_name, affiliate.last_name].filter((part) => part !== null).join('') || affiliate.email.split('@')[0];
  const letters = inLatin(name ?? '')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
    .slice(0, 20);
  const base = letters || FALLBACK;
  yield base;
  for (let number = 2; ; number += 1) yield `${base}${number}`;
}
