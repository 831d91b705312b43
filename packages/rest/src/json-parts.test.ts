import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonInParts } from './json-parts.ts';

const textOf = async (value: unknown) => (await jsonInParts(value, 'test')).toString();

it('formats records as JSON.stringify does', async () => {
  const items = fc.array(fc.oneof(fc.jsonValue(), fc.constant(undefined)), { minLength: 20, maxLength: 80 });
  const record = fc.record({ data: items, more: fc.option(fc.jsonValue(), { nil: undefined }), 'a "name"': items });
  await fc.assert(
    fc.asyncProperty(record, async (value) => {
      expect(await textOf(value)).toBe(JSON.stringify(value));
    }),
    { numRuns: 50 },
  );
});

it.each([
  ['a long text', { content: 'äöü"\n'.repeat(50_000) }],
  ['pairs of surrogates at every position', { content: `x${'🙂'.repeat(100_000)}`, other: '🙂'.repeat(100_000) }],
  ['lone surrogates', { content: '\uD83D'.repeat(70_000) }],
  ['an array alone', Array.from({ length: 60 }, (_, i) => ({ i }))],
  ['nothing', { gone: undefined, data: Array.from({ length: 30 }, () => undefined) }],
  ['a date', { at: new Date(0), data: Array.from({ length: 30 }, () => new Date(0)) }],
])('formats %s', async (_what, value) => {
  expect(await textOf(value)).toBe(JSON.stringify(value));
});
