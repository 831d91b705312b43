import { ZodError, type z } from 'zod';
import { zodDetails, validationError } from '../errors/errors.ts';
import { assertStorable } from './text-safety.ts';

/** Parses input for entry points outside tRPC. Throws VALIDATION_ERROR. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.infer<Schema> {
  assertStorable(input);
  try {
    return schema.parse(input);
  } catch (error) {
    throw error instanceof ZodError ? validationError(zodDetails(error)) : error;
  }
}
