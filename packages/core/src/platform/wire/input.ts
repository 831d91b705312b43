import { ZodError, type z } from 'zod';
import { zodDetails, validationError } from '../errors/errors.ts';
import { assertStorable } from './text-safety.ts';

/** Input of what is no procedure: the public tracking routes and the command line. Throws VALIDATION_ERROR. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.infer<Schema> {
  assertStorable(input);
  try {
    return schema.parse(input);
  } catch (error) {
    throw error instanceof ZodError ? validationError(zodDetails(error)) : error;
  }
}
