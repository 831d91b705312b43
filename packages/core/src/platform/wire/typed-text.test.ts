import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { email, id, text } from './scalars.ts';
import { trimEnds, typedCodes, typedEmail } from './typed-text.ts';

const BLANKS = fc.array(fc.constantFrom(' ', '\t', '\n', '\u00a0', '\u200b', '\ufeff', '\u2060')).map((all) => all.join(''));

describe('typed text', () => {
  it('loses blanks and invisible characters at its ends, and nothing else', () => {
    fc.assert(
      fc.property(BLANKS, fc.stringMatching(/^[a-zä](?:[a-z ä\u200b]*[a-zä])?$/u), BLANKS, (before, value, after) => {
        expect(trimEnds(before + value + after)).toBe(value);
        expect(text(500).parse(before + value + after)).toBe(value);
        expect(id('sale').parse(before + value + after)).toBe(value);
      }),
    );
  });

  it('of blanks and invisible characters only is blank', () => {
    expect(text(50).safeParse(' \u200b').error?.issues[0]?.message).toBe('Must not be blank.');
  });

  it('is read in a time that grows with its length', () => {
    const long = `a${' '.repeat(200_000)}b`;
    const start = process.hrtime.bigint();
    for (let nth = 0; nth < 20; nth += 1) expect(trimEnds(long)).toBe(long);
    expect(Number(process.hrtime.bigint() - start) / 1e9).toBeLessThan(5);
  });
});

describe('an email address', () => {
  it.each([
    [' ada@example.com\u200b', 'ada@example.com'],
    ['ada@exämple.com', 'ada@xn--exmple-cua.com'],
    ['ada@EXÄMPLE.com', 'ada@xn--exmple-cua.com'],
    ['Ada@Example.com', 'Ada@Example.com'],
    ['ada@例え.jp', 'ada@xn--r8jz45g.jp'],
  ])('%j is stored as %j', (typed, stored) => {
    expect(typedEmail(typed)).toBe(stored);
    expect(email().parse(typed)).toBe(stored);
  });

  it.each(['ada', 'ada@', 'ä@', 'ada@ä/b.com', 'ada@ä:80', 'ada@@ä.com'])('%j is refused as it is', (typed) => {
    expect(email().safeParse(typed).success).toBe(false);
  });
});

describe('a typed code', () => {
  it.each([
    [' CODE ', ['CODE']],
    ['CODE.', ['CODE.', 'CODE']],
    ['\ufeffCODE\u200b', ['CODE']],
    ['SAVE10%', ['SAVE10%']],
    ['...', ['...']],
  ])('%j may stand for %j', (typed, codes) => {
    expect(typedCodes(typed)).toEqual(codes);
  });
});
