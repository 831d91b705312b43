import { expect, it } from 'vitest';
import { isUncertain, RailRefusal, withoutAddresses } from './rail-request.ts';

it.each([
  ['The receiver ada@pay.example is invalid.', 'The receiver … is invalid.'],
  ['The account acct_1032D82eZvKYlo2C is closed.', 'The account … is closed.'],
  ['tr_1Nx8 and cus_abcdefghij', 'tr_1Nx8 and cus_abcdefghij'],
  ['Unknown account DE89370400440532013000.', 'Unknown account ….'],
  ['Unknown account DE89 3704 0044 0532 0130 00.', 'Unknown account ….'],
  ['Unknown account 12-345-678.', 'Unknown account ….'],
  ['At most 10000 payments, in 2026.', 'At most 10000 payments, in 2026.'],
  ['a@b.example, c@d.example', '… …'],
])('%j is told as %j', (text, told) => {
  expect(withoutAddresses(text)).toBe(told);
});

it('a message is told up to 300 characters', () => {
  expect(withoutAddresses('a'.repeat(301))).toBe('a'.repeat(300));
});

it('a conflict, a limit and an error of the server leave open whether a request was carried out', () => {
  expect([400, 401, 403, 404, 408, 409, 422, 425, 429, 499, 500, 503].filter(isUncertain)).toEqual([
    408, 409, 425, 429, 500, 503,
  ]);
});

it('a refusal that says nothing about a payment keeps the time for which its rail asks to wait', () => {
  const refusal = new RailRefusal('PayPal', { status: 429, retryAfter: 90 }, { words: '', word: '' });
  expect(refusal.as({ outcomeUnknown: true })).toMatchObject({ outcomeUnknown: true, retryAfter: 90, word: 'HTTP_429' });
});
