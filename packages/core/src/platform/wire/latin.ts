/** Latin letters for Cyrillic ones, as passports of the countries write them. */
const CYRILLIC = 'a b v g d e zh z i y k l m n o p r s t u f h ts ch sh sht a y yu ya ye i yi dj g dz j lj nj k c dz y e yo';

/** Letters that do not come apart into a Latin letter and its marks. */
const LETTERS = new Map([
  ...spelled('äöüßæœøđðħıłŋþŧ', 'ae oe ue ss ae oe o d d h i l n th t'),
  ...spelled('αβγδεζηθικλμνξοπρσςτυφχψω', 'a v g d e z i th i k l m n x o p r s s t y f ch ps o'),
  ...spelled('абвгдежзийклмнопрстуфхцчшщъьюяєіїђѓѕјљњќћџыэё', CYRILLIC),
]);

/** Returns pairs of a letter and its spelling, in small letters and in capitals. */
function spelled(letters: string, latin: string): [string, string][] {
  const signs = latin.split(' ');
  return Array.from(letters).flatMap((letter, at): [string, string][] => {
    const sign = signs[at]!;
    return [
      [letter.toUpperCase(), sign.charAt(0).toUpperCase() + sign.slice(1)],
      [letter, sign],
    ];
  });
}

/**
 * Returns a text with Latin, Greek and Cyrillic letters in letters of ASCII: German umlauts become two letters, other letters lose their marks.
 * Other signs stay as they are, except that invisible ones go.
 */
export function inLatin(text: string): string {
  // Most texts are ASCII, and many names are compared.
  if (/^[ -~]*$/.test(text)) return text;
  return Array.from(text.normalize('NFC').replaceAll(/\p{Cf}/gu, ''))
    .map((sign) => LETTERS.get(sign) ?? withoutMarks(sign))
    .join('');
}

function withoutMarks(sign: string): string {
  const plain = sign.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return Array.from(plain)
    .map((part) => LETTERS.get(part) ?? part)
    .join('');
}

/** Returns the slug of a name: lower-case ASCII letters, digits and single hyphens; `''` if the name has no letters or digits. */
export function slugify(name: string): string {
  return inLatin(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '');
}
