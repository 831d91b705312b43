import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { writeCsv } from './csv-line.ts';

const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]|^[ \n\r\t]+[=+\-@]/;
const NEGATIVE_NUMBER = /^-\d+(\.\d+)?$/;

/** Text that is often written incorrectly to CSV: quotes, separators, line breaks, formulas, other scripts, numbers. */
const awkward = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('"', ',', ';', '\n', '\r', '\t', '=', '+', '-', '@', "'", ' ', 'a', '1', '.', '日', '🙂') }),
  fc.constantFrom('=HYPERLINK("http://evil.example","x")', '-1+1', '-12.50', '@SUM(A1)', 'O"Neil, Jr.', 'line\r\nbreak'),
);

/** Parses CSV with a parser that shares no code with the writer. */
function parse(content: string): string[][] {
  const { data, errors } = Papa.parse<string[]>(content, { delimiter: ',', newline: '\r\n', skipEmptyLines: false });
  expect(errors).toEqual([]);
  expect(data.pop()).toEqual(['']); // The empty line after the last line break.
  return data;
}

const isDangerous = (cell: string) => FORMULA.test(cell) && !NEGATIVE_NUMBER.test(cell);

describe('writeCsv', () => {
  it('writes cells that another parser reads back unchanged, except for neutralized formulas', () => {
    const table = fc.array(fc.array(awkward, { minLength: 2, maxLength: 6 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(table, (rows) => {
        const content = writeCsv(rows);
        const expected = rows.map((row) => row.map((cell) => (isDangerous(cell) ? `'${cell}` : cell)));
        const bare = (cells: string[][]) => cells.map((row) => row.map((cell) => cell.replaceAll("'", '')));
        expect(bare(parse(content))).toEqual(bare(expected));
        const isPlain = (cell: string) => !/[;\r\n]/.test(cell);
        expect(parse(content).map((row) => row.filter(isPlain))).toEqual(expected.map((row) => row.filter(isPlain)));
        expect(content.charCodeAt(0)).not.toBe(0xfeff);
        expect(parse(content).flat().filter(isDangerous)).toEqual([]);
        // A spreadsheet that separates by semicolons takes no quotes into account that do not begin its own cells.
        const others = parse(content).flatMap((row) => row.flatMap((cell) => cell.split(/[;\r\n]/).slice(1)));
        expect(others.filter((cell) => /^[\s\p{C}\p{DI}\u2800]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u.test(cell))).toEqual([]);
      }),
    );
  });

  it.each([
    ['a line feed alone', '\nname'],
    ['spaces', '  =1+1'],
    ['a no-break space', '\u00A0=1+1'],
    ['a narrow no-break space', '\u202F@SUM(A1)'],
    ['an ideographic space', '\u3000-1'],
    ['a zero-width space', '\u200B=1+1'],
    ['a zero-width joiner', '\u200D+1'],
    ['a byte order mark', '\uFEFF=1+1'],
    ['a word joiner', '\u2060=1+1'],
    ['a soft hyphen', '\u00AD=1+1'],
    ['a direction mark', '\u202E=1+1'],
    ['a vertical tab', '\v=1+1'],
    ['a control character', '\u0001=1+1'],
    ['a Hangul filler', '\u3164=1+1'],
    ['several of these characters', '\u200B \u00A0=1+1'],
  ])('puts an apostrophe before a formula that follows %s', (_what, cell) => {
    expect(parse(writeCsv([[cell, 'x']]))).toEqual([[`'${cell}`, 'x']]);
  });

  it.each([
    ['Ada;=1+1', "Ada;'=1+1"],
    ['; \u200B@SUM(A1);-x', "; \u200B'@SUM(A1);'-x"],
    ['Ada\r\n=1+1', "Ada\r\n'=1+1"],
    ['\n=1+1', "'\n'=1+1"],
    ['a; b\nc', 'a; b\nc'],
  ])('puts an apostrophe into %j, which a spreadsheet that separates by semicolons would read as a formula', (cell, written) => {
    expect(parse(writeCsv([['id', cell]]))).toEqual([['id', written]]);
  });

  it('reads long rows of separators once', () => {
    const start = performance.now();
    writeCsv([['id', `x${'\n;'.repeat(200_000)}`]]);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it('leaves negative numbers as numbers', () => {
    expect(writeCsv([['-12.50', '-3', '-1+1', '-', '-1e5']])).toBe("-12.50,-3,'-1+1,'-,'-1e5\r\n");
  });

  it('leaves other cells as they are', () => {
    const row = ['Ada', ' Ada', 'a=b', '1-2', '\u200Bname', "'quoted", '\u00A0'];
    expect(parse(writeCsv([row]))).toEqual([row]);
  });

  it('writes exactly the expected bytes', () => {
    expect(writeCsv([['Zoë', 'a,b', 'say "hi"', '=1+1', 'x\ny', '']])).toBe('Zoë,"a,b","say ""hi""",\'=1+1,"x\ny",\r\n');
  });
});
