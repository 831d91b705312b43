import { expect, test } from 'vitest';
import { ownPath } from './return-to.ts';

test.each([
  ['/', '/'],
  ['/payouts?page=2', '/payouts?page=2'],
  ['/invitation#token=x', '/invitation#token=x'],
  ['//evil.example/payouts', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['https://evil.example', '/'],
  ['', '/'],
])('with the return address %j, signing in opens %j', (from, to) => {
  expect(ownPath(from)).toBe(to);
});
