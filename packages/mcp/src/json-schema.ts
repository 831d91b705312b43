import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** A schema as assistants are told it. What a validator here checks more closely than a reader needs to know is left out. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => shorten(jsonSchema) });
  return rest;
}

function shorten(schema: JsonSchema): void {
  // The regular expressions behind formats are long and say nothing new.
  if (schema['format'] !== undefined) delete schema['pattern'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['example'] !== undefined) {
    schema['examples'] = [schema['example']];
    delete schema['example'];
  }
}
