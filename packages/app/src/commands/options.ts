import { scalars } from '@affiliate/core/vocabulary';
import { InvalidArgumentError } from 'commander';
import type { z } from 'zod';

/** Returns a parser for an option, made from the schema that the API uses for the same field. */
function parser<T>(schema: z.ZodType<T>): (value: string) => T {
  return (value) => {
    const { success, data, error } = schema.safeParse(value);
    if (!success) throw new InvalidArgumentError(error.issues.map(({ message }) => message).join('; '));
    return data;
  };
}

export const email = parser(scalars.email());
export const currency = parser(scalars.currency());
export const name = parser(scalars.text(200));
