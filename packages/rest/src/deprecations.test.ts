import type { Response } from 'express';
import { expect, it } from 'vitest';
import { announceDeprecation } from './deprecations.ts';
import { ROUTES } from './routes.ts';

/** Returns the headers of a response to a request that has `input`. */
function headersOf(deprecated: { since: string; sunset?: string } | undefined, input: object): Record<string, string> {
  const [route] = ROUTES;
  const headers: Record<string, string> = {};
  const set = (name: string, value: string) => {
    headers[name] = value;
  };
  const response = { setHeader: set, append: set } as unknown as Response;
  const { rest } = route!.meta;
  announceDeprecation(
    { ...route!, meta: { ...route!.meta, rest: { ...rest!, deprecated } } },
    input,
    'https://a.example',
    response,
  );
  return headers;
}

it('says since when an operation is deprecated, and when it ends', () => {
  expect(headersOf({ since: '2026-11-27', sunset: '2028-01-01' }, {})).toEqual({
    Deprecation: '@1795737600',
    Link: '<https://a.example/docs>; rel="deprecation"; type="text/html"',
    Sunset: 'Sat, 01 Jan 2028 00:00:00 GMT',
  });
});

it('says nothing of other operations', () => {
  expect(headersOf(undefined, { email: 'ada@example.com' })).toEqual({});
});
