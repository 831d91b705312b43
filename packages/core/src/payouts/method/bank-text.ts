/** Latin letters for Cyrillic ones, as passports of the countries write them. */
const CYRILLIC = 'a b v g d e zh z i y k l m n o p r s t u f h ts ch sh sht a y yu ya ye i yi dj g dz j lj nj k c dz y e yo';

/** Letters that do not come apart into a Latin letter and its marks, and signs of punctuation. */
const LETTERS = new Map([
  ...spelled('äöüßæœøđðħıłŋþŧ', 'ae oe ue ss ae oe o d d h i l n th t'),
  ...spelled('αβγδεζηθικλμνξοπρσςτυφχψω', 'a v g d e z i th i k l m n x o p r s s t y f ch ps o'),
  ...spelled('абвгдежзийклмнопрстуфхцчшщъьюяєіїђѓѕјљњќћџыэё', CYRILLIC),
  ...spelled('&_‘’“”"–—€', "+ - ' ' ' ' ' - - EUR"),
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
 * Returns a text in the characters that all banks take: letters and digits of ASCII, blanks, and / - ? : ( ) . , ' +. German umlauts become two
 * letters, other letters lose their marks, Greek and Cyrillic ones are spelled in Latin ones, and what is left becomes a dot. A longer text is cut.
 */
export function bankText(text: string, maxLength: number): string {
  const latin = Array.from(text.normalize('NFC'))
    .map((sign) => LETTERS.get(sign) ?? withoutMarks(sign))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/g, '.');
  return latin.trim().slice(0, maxLength).trim();
}

function withoutMarks(sign: string): string {
  const plain = sign.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return Array.from(plain)
    .map((part) => LETTERS.get(part) ?? part)
    .join('');
}

/** True if a text keeps a letter or a digit in these characters. A name in other scripts would be nothing but dots. */
export function isSpelled(text: string): boolean {
  return /[A-Za-z0-9]/.test(bankText(text, text.length * 4));
}
