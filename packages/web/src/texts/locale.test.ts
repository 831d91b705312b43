import { expect, it } from 'vitest';
import { localeFor } from './locale.ts';

it.each([
  ['en', ['en-US@posix', 'en-GB'], 'en-GB'],
  ['en', ['en-US@posix'], 'en'],
  ['de', ['en-US', 'de-AT', 'de'], 'de-AT'],
  ['de', ['C', 'de_DE.UTF-8'], 'de'],
  ['en', [], 'en'],
] as const)('the locale of a page in %s for a browser that lists %j is %s', (language, tags, locale) => {
  expect(localeFor(language, tags)).toBe(locale);
  expect(() => new Intl.NumberFormat(localeFor(language, tags))).not.toThrow();
});
