import { describe, expect, it } from 'vitest';
import { bankText, bankingDay, dayAfter, isSpelled } from './bank-files.ts';

describe('a text for banks', () => {
  it.each([
    ['Jürgen Groß & Söhne', 'Juergen Gross + Soehne'],
    ['Ångström, Åsa', 'Angstroem, Asa'],
    ['Zażółć gęślą jaźń', 'Zazolc gesla jazn'],
    ['Čapek_Łódź', 'Capek-Lodz'],
    ['Γιώργος Παπαδόπουλος', 'Giorgos Papadopoylos'],
    ['Иван Щербаков', 'Ivan Shterbakov'],
    ['O’Neill "Ted"', "O'Neill 'Ted'"],
    ['李雷 Lei', '.. Lei'],
    ['a\tb\nc', 'a b c'],
    ['<Nm>&amp;', '.Nm.+amp.'],
  ])('%s becomes %s', (text, spelled) => {
    expect(bankText(text, 70)).toBe(spelled);
  });

  it('is cut to its length without a blank at the end', () => {
    expect(bankText(`${'a'.repeat(69)} b`, 70)).toBe('a'.repeat(69));
    expect(bankText('ß'.repeat(40), 70)).toBe('s'.repeat(70));
  });

  it('is not spelled if nothing but dots is left', () => {
    expect([isSpelled('李雷'), isSpelled('🙂'), isSpelled('李 3')]).toEqual([false, false, true]);
  });
});

it.each([
  ['2026-11-27T23:59:59.999Z', '2026-11-27'],
  ['2026-11-28T00:00:00.000Z', '2026-11-30'],
  ['2026-11-29T12:00:00.000Z', '2026-11-30'],
  ['2026-11-30T00:00:00.000Z', '2026-11-30'],
  ['2026-12-31T12:00:00.000Z', '2026-12-31'],
])('a payment of %s is asked for on %s', (at, day) => {
  expect(bankingDay(at)).toBe(day);
});

it('the day after the last one of a month is the first of the next', () => {
  expect(dayAfter('2026-11-30T12:00:00.000Z')).toBe('2026-12-01T12:00:00.000Z');
});
