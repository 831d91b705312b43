/** The forms in which an address is written in other formats: URLs, JSON, HTML, quoted-printable, base64, and domains in their own script. */
import { domainToUnicode } from 'node:url';

/** Characters that formats write as they are. */
const PLAIN = /[a-z0-9]/i;

/** Returns a regular expression that matches one character of an address in every form but base64. Its letters match in any case. */
function formsOfCharacter(character: string): string {
  if (PLAIN.test(character)) return character;
  const bytes = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, '0'));
  const code = character.codePointAt(0)!;
  const inJson = [...character].flatMap((each) => each.split('')).map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  const forms = [
    escaped(character),
    bytes.map((byte) => `%${byte}`).join(''),
    // A percent sign that was encoded again, as in a link in a link.
    bytes.map((byte) => `%25${byte}`).join(''),
    bytes.map((byte) => `=${byte}`).join(''),
    String.raw`\\+u` + inJson.join(String.raw`\\+u`),
    `&#0*${code};`,
    `&#x0*${code.toString(16)};`,
    ...(character === '@' ? ['&commat;'] : character === '.' ? ['&period;'] : character === '+' ? ['&plus;'] : []),
  ];
  return `(?:${forms.join('|')})`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

/** Returns the address, and the spelling of its domain in its own script, if it has one. */
function spellingsOf(address: string): string[] {
  const at = address.lastIndexOf('@');
  const domain = domainToUnicode(address.slice(at + 1));
  const spelled = `${address.slice(0, at + 1)}${domain}`;
  return domain === '' || spelled === address ? [address] : [address, spelled];
}

/** Returns a regular expression that matches the addresses in every form but base64, also within longer words. */
export function formsOf(addresses: readonly string[]): string {
  return `(?:${addresses
    .flatMap(spellingsOf)
    .map((address) => [...address].map(formsOfCharacter).join(''))
    .join('|')})`;
}

/** Characters that URLs write as they are, or encoded, and that cannot belong to the address after them. */
const ENCODED_SEPARATOR = '%(?:0[0-9a-d]|2[0-9acf]|3[a-f]|40|5[b-e]|60|7[b-f])';
const START = String.raw`(?:(?<![\w.+-])|(?<=${ENCODED_SEPARATOR})|(?<=\\[bfnrt]))`;
const END = String.raw`(?![\w-]|\.\w)`;

/** Returns a regular expression that matches the addresses in every form but base64. It does not match longer addresses that contain them. */
export function wholeFormsOf(addresses: readonly string[]): string {
  return `${START}${formsOf(addresses)}${END}`;
}

/** Returns patterns of SQL's `like` without wildcards at the ends, one of which every text with a form of an address matches, except base64. */
export function roughFormsOf(addresses: readonly string[]): string[] {
  return addresses.flatMap(spellingsOf).map((address) =>
    [...address]
      .map((character) => (PLAIN.test(character) ? character : '%'))
      .join('')
      .replaceAll(/%+/g, '%'),
  );
}

/** Returns the texts, one of which every base64 text with one of the words contains. The word can begin at each of three places in a group. */
export function base64PiecesOf(words: readonly string[]): string[] {
  return words.flatMap((word) =>
    [0, 1, 2].flatMap((offset) => {
      const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(word)]);
      const piece = bytes.toString('base64').slice([0, 2, 3][offset], Math.floor((bytes.length * 8) / 6));
      return [...new Set([piece, piece.replaceAll('+', '-').replaceAll('/', '_')])];
    }),
  );
}

/** A regular expression for a text in base64 that contains one of the pieces. */
export function base64WordWith(pieces: readonly string[]): string {
  // In JSON, a word may follow an escaped line break.
  return String.raw`(?:(?<=\\[bfnrt])|(?<![\\A-Za-z0-9+/_-]))[A-Za-z0-9+/_-]*(?:${pieces.map(escaped).join('|')})[A-Za-z0-9+/_-]*={0,2}`;
}

/** Returns a text in which the words of base64 that contain one of the pieces are replaced. */
export function withoutBase64(text: string, pieces: readonly string[], replacement: string): string {
  // The expression is slow for a long text in base64 without a piece.
  if (!pieces.some((piece) => text.includes(piece))) return text;
  return text.replaceAll(/[A-Za-z0-9+/_-]+={0,2}/g, (word) =>
    pieces.some((piece) => word.includes(piece)) ? replacement : word,
  );
}
