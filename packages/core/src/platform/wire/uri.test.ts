import { expect, test } from 'vitest';
import { asUri } from './scalars.ts';

test.each([
  'https://shop.example.com',
  'HTTPS://Shop.example.com/a%20b?x=1&y=(2)#top',
  "https://user:pw@shop.example.com:8443/~a/;b=1,2/!$'*+",
  'http://[2001:db8::1]:8080/a',
])('%s is a URI and stays unchanged', (address) => {
  expect(asUri(address)).toBe(address);
});

test.each([
  ['https://bücher.example/ä?q=ü#ö', 'https://xn--bcher-kva.example/%C3%A4?q=%C3%BC#%C3%B6'],
  ['https://shop.example.com/a b?c d', 'https://shop.example.com/a%20b?c%20d'],
  ['https://shop.example.com/?filter[size]=42|43', 'https://shop.example.com/?filter%5Bsize%5D=42%7C43'],
  ['https://shop.example.com/100%?a=%zz', 'https://shop.example.com/100%25?a=%25zz'],
  ['https://shop.example.com/#a#b', 'https://shop.example.com/#a%23b'],
  ['https://shop.example.com/👟', 'https://shop.example.com/%F0%9F%91%9F'],
  ['https://shop.example.com\\shoes', 'https://shop.example.com/shoes'],
  ['http://[2001:db8::1]/ä', 'http://[2001:db8::1]/%C3%A4'],
  ['https://ü:p%@shop.example.com/', 'https://%C3%BC:p%25@shop.example.com/'],
])('%s becomes %s, which stays unchanged', (address, uri) => {
  expect(asUri(address)).toBe(uri);
  expect(asUri(uri)).toBe(uri);
});
