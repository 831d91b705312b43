import { expect, test } from 'vitest';
import { couponCodes } from './own-code.ts';

function first(count: number, affiliate: { first_name?: string; last_name?: string; email?: string }): string[] {
  const { first_name = null, last_name = null, email = 'jane.doe@partner.example' } = affiliate;
  return couponCodes({ first_name, last_name, email }).take(count).toArray();
}

test.each([
  [{ first_name: 'Jane', last_name: 'Doe' }, ['JANEDOE', 'JANEDOE2', 'JANEDOE3']],
  [{ first_name: 'Zoë', last_name: "O'Brien-Łys" }, ['ZOEOBRIENLYS', 'ZOEOBRIENLYS2', 'ZOEOBRIENLYS3']],
  [{ first_name: 'Jürgen', last_name: 'Groß' }, ['JUERGENGROSS', 'JUERGENGROSS2', 'JUERGENGROSS3']],
  [{}, ['JANEDOE', 'JANEDOE2', 'JANEDOE3']],
  [{ first_name: '明', email: '明@partner.example' }, ['PARTNER', 'PARTNER2', 'PARTNER3']],
])('builds the coupon codes of the affiliate %j', (affiliate, codes) => {
  expect(first(3, affiliate)).toEqual(codes);
});

test('truncates a long name to 20 characters', () => {
  expect(first(1, { first_name: 'a'.repeat(200) })[0]).toHaveLength(20);
});
