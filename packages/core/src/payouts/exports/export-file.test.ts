import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { minorUnitDigits } from '../../platform/money/money.ts';
import type { FileItem, PayoutItem } from '../port/method.ts';
import { fileProblems, renderFile } from './export-file.ts';
import { type ExportFormat, problemCode } from './export-formats.schema.ts';

const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]|^[ \n\r\t]+[=+\-@]/;

/** Texts that a writer of files may get wrong: quotes, separators, line breaks, formulas, other scripts, emoji, apostrophes. */
const awkward = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('"', ',', ';', '\n', '\r', '\t', '=', '+', '-', '@', "'", ' ', 'a', 'ß', '日', '🙂') }),
  fc.constantFrom('=HYPERLINK("http://evil.example","x")', '-1+1', '@SUM(A1)', 'O"Neil, Jr.', 'line\r\nbreak', 'lone\rreturn'),
);
const address = fc.stringMatching(/^[a-z][a-z0-9+.-]{0,20}@[a-z]{1,10}\.example$/);

const item = fc.record<FileItem>({
  attempt_id: fc.stringMatching(/^patt_[0-9a-hjkmnp-tv-z]{26}$/),
  payout_id: fc.stringMatching(/^payout_[0-9a-hjkmnp-tv-z]{26}$/),
  affiliate_id: fc.stringMatching(/^aff_[0-9a-hjkmnp-tv-z]{26}$/),
  email: address,
  first_name: fc.option(awkward),
  last_name: fc.option(awkward),
  addresses: fc.record({ paypal: fc.record({ email: address }), wise: fc.record({ email: address }) }),
  amount_cents: fc.integer({ min: 1, max: 999_999_999_999 }),
  currency: fc.constantFrom('USD', 'JPY', 'KWD'),
  commissions_count: fc.integer({ min: 1, max: 1_000_000 }),
  payout_created_at: fc.constant('2026-11-20T12:00:00.000Z'),
});
const items = fc.array(item, { minLength: 1, maxLength: 20 });
const itemsOfOneCurrency = fc
  .tuple(items, fc.constantFrom('USD', 'JPY', 'KWD'))
  .map(([list, currency]) => list.map((one) => ({ ...one, currency })));

/** Parses a file with a parser that shares no code with the writer. */
function parse(content: string): string[][] {
  const { data, errors } = Papa.parse<string[]>(content, { delimiter: ',', newline: '\r\n', skipEmptyLines: false });
  expect(errors).toEqual([]);
  expect(data.pop()).toEqual(['']); // After the last line break.
  return data;
}

function neutral(cell: string): string {
  const others = cell.replaceAll(/[;\r\n][;\s\p{C}\p{DI}\u2800]*(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu, (gap) => `${gap}'`);
  return FORMULA.test(cell) && !/^-\d+(?:\.\d+)?$/.test(cell) ? `'${others}` : others;
}

/** Formats an amount without using the tested code (`platform/money/money.ts`). */
function decimal({ amount_cents, currency }: PayoutItem): string {
  const places = minorUnitDigits(currency);
  return (amount_cents / 10 ** places).toFixed(places);
}

function render(format: ExportFormat, list: readonly FileItem[]): Promise<string> {
  return renderFile(format, { id: 'pexp_1', created_at: '2026-11-20T12:00:00.000Z', daily_number: 0, payer: null, items: list });
}

describe('csv', () => {
  it('has a named column for every field of every payout', async () => {
    await fc.assert(
      fc.asyncProperty(items, async (list) => {
        const [header, ...rows] = parse(await render('csv', list));
        expect(rows.map((row) => Object.fromEntries(header!.map((name, i) => [name, row[i]])))).toEqual(
          list.map((one) => ({
            payout_id: one.payout_id,
            affiliate_id: one.affiliate_id,
            email: one.email,
            first_name: neutral(one.first_name ?? ''),
            last_name: neutral(one.last_name ?? ''),
            walleta_email: one.addresses['paypal']!['email'],
            walletb_email: one.addresses['wise']!['email'],
            amount: decimal(one),
            amount_cents: String(one.amount_cents),
            currency: one.currency,
            commissions_count: String(one.commissions_count),
            created_at: one.payout_created_at,
          })),
        );
      }),
    );
  });
});

it.each([
  ['csv', true],
  ['walleta', false],
  ['walletb', false],
] as const)('the file of the format %s has a byte order mark: %s', async (format, hasMark) => {
  expect((await render(format, fc.sample(item, 1))).startsWith('\uFEFF')).toBe(hasMark);
});

describe('walleta', () => {
  it('has the columns of the upload template, without a header', async () => {
    await fc.assert(
      fc.asyncProperty(itemsOfOneCurrency, async (list) => {
        const rows = parse(await render('walleta', list));
        expect(rows).toEqual(
          list.map((one) => [
            one.addresses['paypal']!['email'],
            decimal(one),
            one.currency,
            one.affiliate_id,
            `Affiliate payout ${one.payout_id}`,
            'PAYPAL',
          ]),
        );
        for (const row of rows) expect(row[3]).toMatch(/^\S{1,30}$/);
      }),
    );
  });

  it('has exactly the expected bytes', async () => {
    const [one] = fc.sample(item, 1);
    const payout = { ...one!, addresses: { paypal: { email: 'a@b.example' } }, payout_id: 'payout_1', affiliate_id: 'aff_1' };
    const written = (amount_cents: number, currency: string) => render('walleta', [{ ...payout, amount_cents, currency }]);
    expect(await written(123_456, 'USD')).toBe('a@b.example,1234.56,USD,aff_1,Affiliate payout payout_1,PAYPAL\r\n');
    expect(await written(123_456, 'JPY')).toBe('a@b.example,123456,JPY,aff_1,Affiliate payout payout_1,PAYPAL\r\n');
    expect(await written(123_400, 'HUF')).toBe('a@b.example,1234,HUF,aff_1,Affiliate payout payout_1,PAYPAL\r\n');
    expect(await written(123_456, 'KWD')).toBe('a@b.example,123.456,KWD,aff_1,Affiliate payout payout_1,PAYPAL\r\n');
  });
});

describe('walletb', () => {
  it('has the header of the template and a name for every person', async () => {
    await fc.assert(
      fc.asyncProperty(items, async (list) => {
        const [header, ...rows] = parse(await render('walletb', list));
        expect(header!.join(',')).toBe(
          'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency',
        );
        for (const [i, row] of rows.entries()) {
          const one = list[i]!;
          const [name, ...rest] = row;
          expect(rest).toEqual([
            one.addresses['wise']!['email'],
            one.payout_id.slice(-10),
            'PERSON',
            'target',
            decimal(one),
            one.currency,
            one.currency,
          ]);
          expect(name!.trim()).not.toBe('');
          expect(name).not.toMatch(FORMULA);
        }
      }),
    );
  });

  it('joins first and last name, and falls back to the email address', async () => {
    const [one] = fc.sample(item, 1);
    const name = async (first_name: string | null, last_name: string | null) =>
      parse(await render('walletb', [{ ...one!, email: 'ada@example.com', first_name, last_name }]))[1]![0];
    expect(await name('Ada', 'Lovelace')).toBe('Ada Lovelace');
    expect(await name(null, 'Lovelace')).toBe('Lovelace');
    expect(await name(' ', null)).toBe('ada@example.com');
    expect(await name('=cmd', 'x')).toBe("'=cmd x");
  });
});

describe('fileProblems', () => {
  const [sample] = fc.sample(item, 1);
  const payout = (number: number, change: Partial<PayoutItem> = {}): PayoutItem => ({
    ...sample!,
    payout_id: `payout_${number}`,
    currency: 'USD',
    ...change,
  });

  const problemsOf = (format: ExportFormat, list: readonly PayoutItem[]) =>
    fileProblems(format, list).map(({ code, ...problem }) => ({ ...problem, code: problemCode(code) }));

  it('finds no problems in payouts that can be rendered', () => {
    fc.assert(
      fc.property(itemsOfOneCurrency, fc.constantFrom('csv', 'walleta', 'walletb'), (list, format) => {
        fc.pre(format !== 'walleta' || list[0]!.currency !== 'KWD');
        expect(problemsOf(format, list)).toEqual([]);
      }),
    );
  });

  it.each([
    ['walleta', 'paypal'],
    ['walletb', 'wise'],
  ] as const)('names the payouts that %s cannot pay', (format, kind) => {
    const unsafe = { addresses: { [kind]: { email: '+49@example.com' } } };
    const list = [payout(1), payout(2, { addresses: {} }), payout(3, unsafe)];
    expect(problemsOf(format, list).map(({ payout_id, code }) => [payout_id, code])).toEqual([
      ['payout_2', 'missing_wallet_address'],
      ['payout_3', 'unsafe_wallet_address'],
    ]);
    expect(problemsOf('csv', list)).toEqual([]);
  });

  it('names payouts whose amounts walleta cannot pay without fractions', () => {
    const list = [payout(1, { currency: 'HUF', amount_cents: 123_400 }), payout(2, { currency: 'HUF', amount_cents: 123_456 })];
    expect(problemsOf('walleta', list)).toMatchObject([{ payout_id: 'payout_2', code: 'fractional_amount' }]);
    expect([...problemsOf('walletb', list), ...problemsOf('csv', list)]).toEqual([]);
  });

  it('allows several currencies in every format except walleta', () => {
    const list = [payout(1), payout(2, { currency: 'EUR' }), payout(3)];
    expect(problemsOf('walleta', list)).toMatchObject([{ payout_id: 'payout_2', code: 'mixed_currencies' }]);
    expect([...problemsOf('walletb', list), ...problemsOf('csv', list)]).toEqual([]);
  });

  it.each([
    ['walleta', 5_000],
    ['walletb', 1_000],
    ['csv', 100_000],
  ] as const)('names payouts whose amounts are too large for %s', (format, cap) => {
    const list = Array.from({ length: cap + 2 }, (_, i) => payout(i));
    expect(problemsOf(format, list.slice(0, cap))).toEqual([]);
    expect(problemsOf(format, list)).toMatchObject([
      { payout_id: `payout_${cap}`, code: 'too_many_rows' },
      { payout_id: `payout_${cap + 1}`, code: 'too_many_rows' },
    ]);
  });
});
