import { describe, expect, it } from 'vitest';
import { plainIban, problemOfIban } from './iban.ts';

/** Examples that the banks of the countries publish. */
const PUBLISHED = [
  'AD12 0001 2030 2003 5910 0100',
  'AT61 1904 3002 3457 3201',
  'BE68 5390 0754 7034',
  'CH93 0076 2011 6238 5295 7',
  'DE89 3704 0044 0532 0130 00',
  'ES91 2100 0418 4502 0005 1332',
  'FR14 2004 1010 0505 0001 3M02 606',
  'GB29 NWBK 6016 1331 9268 19',
  'IT60 X054 2811 1010 0000 0123 456',
  'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
  'NL91 ABNA 0417 1643 00',
  'NO93 8601 1117 947',
  'PL61 1090 1014 0000 0712 1981 2874',
  'SE45 5000 0000 0583 9825 7466',
];

describe('an IBAN', () => {
  it.each(PUBLISHED)('%s is taken, with blanks and in small letters', (text) => {
    expect(problemOfIban(plainIban(text))).toBeNull();
    expect(problemOfIban(plainIban(text.toLowerCase()))).toBeNull();
  });

  it('with one wrong digit, or two neighbors exchanged, is refused', () => {
    const iban = plainIban('DE89 3704 0044 0532 0130 00');
    for (let at = 2; at < iban.length; at += 1) {
      const wrong = `${iban.slice(0, at)}${(Number(iban[at]) + 1) % 10}${iban.slice(at + 1)}`;
      expect(problemOfIban(wrong)).toBe('check_digits');
      if (at + 1 === iban.length || iban[at] === iban[at + 1]) continue;
      expect(problemOfIban(`${iban.slice(0, at)}${iban[at + 1]}${iban[at]}${iban.slice(at + 2)}`)).toBe('check_digits');
    }
  });

  it.each([
    ['DE8937040044053201300', 'length'],
    ['DE893704004405320130000', 'length'],
    ['BR1500000000000010932840814P2', 'country'],
    ['constructor', 'malformed'],
    ['', 'malformed'],
    ['DE89-3704', 'malformed'],
  ])('%s is refused: %s', (text, problem) => {
    expect(problemOfIban(plainIban(text))).toBe(problem);
  });
});
