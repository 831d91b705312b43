/** Latin letters for Cyrillic ones, as passports of the countries write them. */
const CYRILLIC = 'a b v g d e zh z i y k l m n o p r s t u f h ts ch sh sht a y yu ya ye i yi dj g dz j lj nj k c dz y e yo';

/** Letters that do not come apart into a Latin letter and its marks. */
const LETTERS = new Map(
  Object.entries({
    ...{
      ä: 'ae',
      ö: 'oe',
      ü: 'ue',
      Ä: 'Ae',
      Ö: 'Oe',
      Ü: 'Ue',
      ß: 'ss',
      ẞ: 'SS',
      æ: 'ae',
      Æ: 'AE',
      œ: 'oe',
      Œ: 'OE',
      ø: 'o',
      Ø: 'O',
    },
    ...{
      đ: 'd',
      Đ: 'D',
      ð: 'd',
      Ð: 'D',
      ħ: 'h',
      Ħ: 'H',
      ı: 'i',
      ł: 'l',
      Ł: 'L',
      ŋ: 'n',
      Ŋ: 'N',
      þ: 'th',
      Þ: 'TH',
      ŧ: 't',
      Ŧ: 'T',
    },
    ...spelled('αβγδεζηθικλμνξοπρσςτυφχψω', 'a v g d e z i th i k l m n x o p r s s t y f ch ps o'),
    ...spelled('абвгдежзийклмнопрстуфхцчшщъьюяєіїђѓѕјљњќћџыэё', CYRILLIC),
    ...{ '&': '+', _: '-', '‘': "'", '’': "'", '“': "'", '”': "'", '"': "'", '–': '-', '—': '-', '€': 'EUR' },
  }),
);

function spelled(letters: string, latin: string): Record<string, string> {
  const signs = latin.split(' ');
  return Object.fromEntries(
    [...letters].flatMap((letter, at) => {
      const sign = signs[at]!;
      return [
        [letter, sign],
        [letter.toUpperCase(), sign.charAt(0).toUpperCase() + sign.slice(1)],
      ];
    }),
  );
}

/**
 * Returns a text in the characters that all banks of SEPA take: letters and digits of ASCII, blanks, and / - ? : ( ) . , ' +. German umlauts become two
 * letters, other letters lose their marks, Greek and Cyrillic ones are spelled in Latin ones, and what is left becomes a dot. A longer text is cut.
 */
export function sepaText(text: string, maxLength: number): string {
  const latin = [...text.normalize('NFC')]
    .map((sign) => LETTERS.get(sign) ?? withoutMarks(sign))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/g, '.');
  return latin.trim().slice(0, maxLength).trim();
}

function withoutMarks(sign: string): string {
  const plain = sign.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return [...plain].map((part) => LETTERS.get(part) ?? part).join('');
}

/** True if a text keeps a letter or a digit in the characters of SEPA. A name in other scripts would be nothing but dots. */
export function isSpelled(text: string): boolean {
  return /[A-Za-z0-9]/.test(sepaText(text, text.length * 4));
}
