import { expect, test } from 'vitest';
import { webAddress } from './web-address.ts';

test.each([
  ['shop.example.com', 'https://shop.example.com'],
  [' shop.example.com/start?a=b ', 'https://shop.example.com/start?a=b'],
  ['//shop.example.com', 'https://shop.example.com'],
  ['localhost:3000/x', 'https://localhost:3000/x'],
  ['http://shop.example.com', 'http://shop.example.com'],
  ['HTTPS://shop.example.com', 'HTTPS://shop.example.com'],
  ['mailto:a@example.com', 'mailto:a@example.com'],
  ['', ''],
])('the address %j is sent as %j', (typed, sent) => {
  expect(webAddress(typed)).toBe(sent);
});
