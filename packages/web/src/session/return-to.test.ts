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
])('signing in leads from %j to %j', (from, to) => {
  expect(ownPath(from)).toBe(to);
});
