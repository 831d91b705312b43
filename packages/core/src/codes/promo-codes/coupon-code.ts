/** Code for a name without any character that a code may contain. */
const FALLBACK = 'PARTNER';

/**
 * Generates codes to try for an affiliate, best first: the name in capitals, then the name with a number
 * (docs/rules/codes.md#affiliate-coupons). Accents are removed, and so are all characters except Latin letters and digits.
 */
export function* couponCodes(affiliate: {
  first_name: string | null;
  last_name: string | null;
  email: string;
}): Generator<string> {
  const name =
    [affiliate.first_name, affiliate.last_name].filter((part) => part !== null).join('') || affiliate.email.split('@')[0];
  const letters = (name ?? '')
    .normalize('NFD')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
    .slice(0, 20);
  const base = letters || FALLBACK;
  yield base;
  for (let number = 2; ; number += 1) yield `${base}${number}`;
}
