import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { validationError, zodDetails } from './errors.ts';
import './validation-texts.ts';

const textOf = (schema: z.ZodType, input: unknown) => schema.safeParse(input).error?.issues.map(({ message }) => message);

describe('texts of input errors', () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ['a missing value', z.string(), undefined, 'Required.'],
    ['a missing choice', z.enum(['a', 'b']), undefined, 'Required.'],
    ['another type', z.string(), 1, 'Must be text.'],
    ['a fraction', z.int(), 1.5, 'Must be a whole number.'],
    ['a number beyond every bound', z.number(), Number.NaN, 'Must be a number.'],
    ['empty text', z.string().min(1), '', 'Must not be empty.'],
    ['short text', z.string().min(8), 'a', 'Must have at least 8 characters.'],
    ['long text', z.string().max(1), 'ab', 'Must have at most 1 character.'],
    ['text of another length', z.string().length(3), 'ab', 'Must have exactly 3 characters.'],
    ['an empty list', z.array(z.string()).min(1), [], 'Must have at least 1 item.'],
    ['a long list', z.array(z.string()).max(2), ['a', 'b', 'c'], 'Must have at most 2 items.'],
    ['a small number', z.number().min(1), 0, 'Must be at least 1.'],
    ['a number at an open bound', z.number().gt(0), 0, 'Must be greater than 0.'],
    ['a large number', z.number().max(100), 101, 'Must be at most 100.'],
    ['a number at an upper open bound', z.number().lt(10), 10, 'Must be less than 10.'],
    ['an odd number', z.number().multipleOf(2), 3, 'Must be a multiple of 2.'],
    ['an email address', z.email(), 'ada', 'Must be an email address.'],
    ['a pattern', z.string().regex(/^x$/), 'y', 'Has the wrong format.'],
    [
      'a wrong name of a field',
      z.record(z.string().min(1), z.string()),
      { '': 'a' },
      'The name is empty, too long or has the wrong form.',
    ],
    ['an unknown choice', z.enum(['a', 'b']), 'c', 'Must be one of: a, b.'],
    ['another constant', z.literal(true), false, 'Must be true.'],
    ['no form of several', z.union([z.string(), z.number()]), true, 'Does not match any of the accepted formats.'],
  ])('names %s', (_case, schema, input, text) => {
    expect(textOf(schema, input)).toEqual([text]);
  });

  it('keeps a message that the schema itself defines', () => {
    expect(textOf(z.string().min(1, 'Enter a name.'), '')).toEqual(['Enter a name.']);
  });

  it('names the narrowest of several exceeded bounds only', () => {
    const cents = z.int().max(100).min(0).min(1);
    const { error } = z.object({ most: cents, least: cents }).safeParse({ most: 1e300, least: -1 });
    expect(validationError(zodDetails(error!)).details).toEqual([
      { path: 'most', code: 'too_big', message: 'Must be at most 100.' },
      { path: 'least', code: 'too_small', message: 'Must be at least 1.' },
    ]);
  });
});
