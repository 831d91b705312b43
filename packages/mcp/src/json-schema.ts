import { MAX_ID_LENGTH } from '@affiliate/core';
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** Converts a schema to JSON Schema for assistants, without details that only validators need. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => shorten(jsonSchema) });
  return rest;
}

function shorten(schema: JsonSchema): void {
  // A pattern beside a format is long and only repeats the format.
  if (schema['format'] !== undefined) delete schema['pattern'];
  // Common limits are left out, because a call that exceeds one is refused with a message that states the limit.
  if (schema['maxLength'] === MAX_ID_LENGTH) delete schema['maxLength'];
  if (schema['minLength'] === 1) delete schema['minLength'];
  if (schema['minItems'] === 1) delete schema['minItems'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['format'] === 'date-time') delete schema['examples'];
  if (schema['example'] !== undefined) {
    if (schema['format'] !== 'date-time') schema['examples'] = [schema['example']];
    delete schema['example'];
  }
}
