import { describe, expect, it } from 'vitest';
import { BANK_ACH } from '../../../packages/core/src/payouts/methods/bank_ach/bank-ach.ts';
import { isRoutingNumber } from '../../../packages/core/src/payouts/methods/bank_ach/routing-number.ts';
import type { FileContent } from '../../../packages/core/src/payouts/port/method.ts';
import { fileItems } from './file-items.ts';

const ROUTINGS = ['021000021', '011401533', '091000019', '121000358'];
const NAMES = ['Ada Lovelace', 'Jürgen Groß', '李雷 Lei', 'é'.repeat(40)];

function content(count: number): FileContent {
  const items = fileItems(count, {
    currency: 'USD',
    mostCents: 99_999_999,
    addressesOf: (at) => ({
      bank_ach: {
        account_holder: NAMES[at % NAMES.length]!,
        routing_number: ROUTINGS[at % ROUTINGS.length]!,
        account_number: String(1_000_000 + at),
        account_type: at % 3 === 0 ? 'savings' : 'checking',
        holder_type: at % 4 === 1 ? 'company' : 'person',
      },
    }),
  });
  const payer = {
    company_name: 'Example & Söhne Inc',
    company_id: '1123456789',
    bank_name: 'Bank of Examples',
    routing_number: '021000021',
  };
  return { id: 'pexp_01k9v7m3q8e2t4r6w8y0a1b2c3', created_at: '2026-11-27T15:04:00.000Z', daily_number: 1, payer, items };
}

/** Reads a file with code of its own. */
function linesOf(file: string): string[] {
  expect(file).toMatch(/^[ -~\r\n]*$/);
  const lines = file.split('\r\n');
  expect(lines.pop()).toBe('');
  for (const line of lines) expect(line).toHaveLength(94);
  expect(lines.length % 10).toBe(0);
  return lines;
}

describe('a file for ACH', () => {
  it('has blocks of ten lines, and the hash and the sums of its 1,000 payments', async () => {
    const made = content(1_000);
    const lines = linesOf(await BANK_ACH.file!.render(made));
    const entries = lines.filter((line) => line.startsWith('6'));
    expect(entries).toHaveLength(1_000);
    expect(new Set(entries.map((line) => line.slice(79))).size).toBe(1_000);
    for (const line of entries) expect(isRoutingNumber(line.slice(3, 12))).toBe(true);
    const batches = lines.filter((line) => line.startsWith('5'));
    expect(batches.map((line) => [line.slice(50, 53), line.slice(53, 63), line.slice(69, 75), line.slice(87)])).toEqual([
      ['PPD', 'COMMISSION', '261130', '0000001'],
      ['CCD', 'COMMISSION', '261130', '0000002'],
    ]);
    const sums = (of: readonly string[]) => ({
      hash: of.reduce((sum, line) => sum + BigInt(line.slice(3, 11)), 0n) % 10n ** 10n,
      cents: of.reduce((sum, line) => sum + BigInt(line.slice(29, 39)), 0n),
    });
    let start = 0;
    for (const [at, control] of lines.filter((line) => line.startsWith('8')).entries()) {
      const from = lines.indexOf(batches[at]!, start);
      const own = lines.slice(from + 1, lines.indexOf(control));
      start = lines.indexOf(control);
      const { hash, cents } = sums(own);
      expect(Number(control.slice(4, 10))).toBe(own.length);
      expect([BigInt(control.slice(10, 20)), BigInt(control.slice(20, 32)), BigInt(control.slice(32, 44))]).toEqual([
        hash,
        0n,
        cents,
      ]);
    }
    const control = lines.find((line) => line.startsWith('9'))!;
    const { hash, cents } = sums(entries);
    expect(cents).toBe(made.items.reduce((sum, { amount_cents }) => sum + BigInt(amount_cents), 0n));
    expect(control.slice(1, 7)).toBe('000002');
    expect(Number(control.slice(7, 13)) * 10).toBe(lines.length);
    expect([BigInt(control.slice(21, 31)), BigInt(control.slice(31, 43)), BigInt(control.slice(43, 55))]).toEqual([
      hash,
      0n,
      cents,
    ]);
  });

  it('has exactly the expected bytes', async () => {
    expect(await BANK_ACH.file!.render(content(2))).toBe(
      [
        '101 02100002111234567892611271504B094101BANK OF EXAMPLES       EXAMPLE + SOEHNE INC   Y0A1B2C3',
        '5220EXAMPLE + SOEHNE                    1123456789PPDCOMMISSION      261130   1021000020000001',
        '6320210000211000000          0000000001000000000000000ADA LOVELACE            0021000020000001',
        '822000000100021000020000000000000000000000011123456789                         021000020000001',
        '5220EXAMPLE + SOEHNE                    1123456789CCDCOMMISSION      261130   1021000020000002',
        '6220114015331000001          0000007920000000000000001JUERGEN GROSS           0021000020000002',
        '822000000100011401530000000000000000000079201123456789                         021000020000002',
        '9000002000001000000020003240155000000000000000000007921                                       ',
        '9'.repeat(94),
        '9'.repeat(94),
        '',
      ].join('\r\n'),
    );
  });

  it.each([1, 6, 7, 16, 17])('is filled with lines of nines after %i payments', async (count) => {
    const lines = linesOf(await BANK_ACH.file!.render(content(count)));
    const used = lines.findIndex((line) => line.startsWith('9')) + 1;
    expect(lines.slice(used).every((line) => line === '9'.repeat(94))).toBe(true);
    expect(lines.length - used).toBeLessThan(10);
  });
});

describe('a routing number', () => {
  it.each(ROUTINGS)('%s is taken', (number) => expect(isRoutingNumber(number)).toBe(true));

  it.each(['021000022', '12100035', '0210000211', '000000000', 'constructor', ''])('%s is refused', (number) =>
    expect(isRoutingNumber(number)).toBe(false),
  );

  it('with one wrong digit is refused', () => {
    for (const number of ROUTINGS)
      for (let at = 0; at < 9; at += 1)
        expect(isRoutingNumber(`${number.slice(0, at)}${(Number(number[at]) + 1) % 10}${number.slice(at + 1)}`)).toBe(false);
  });
});
