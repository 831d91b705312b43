import { inLatin } from '../../platform/wire/latin.ts';

/** Signs that banks do not take, and what stands for them. */
const SIGNS = new Map([
  ...Array.from('‘’“”"', (sign): [string, string] => [sign, "'"]),
  ...Array.from('_–—', (sign): [string, string] => [sign, '-']),
  ['&', '+'],
  ['€', 'EUR'],
]);

/**
 * Returns a text in the characters that all banks take: letters and digits of ASCII, blanks, and / - ? : ( ) . , ' +. Letters of other scripts are
 * spelled (`inLatin`), and what is left becomes a dot. A longer text is cut.
 */
export function bankText(text: string, maxLength: number): string {
  const latin = inLatin(text)
    .replaceAll(/[‘’“”"_–—&€]/g, (sign) => SIGNS.get(sign)!)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/g, '.');
  return latin.trim().slice(0, maxLength).trim();
}

/** True if a text keeps a letter or a digit in these characters. A name in other scripts would be nothing but dots. */
export function isSpelled(text: string): boolean {
  return /[A-Za-z0-9]/.test(bankText(text, text.length * 4));
}
