import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** JSON Schema for assistants, without details that only validators need. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => shorten(jsonSchema) });
  return rest;
}

function shorten(schema: JsonSchema): void {
  // The patterns behind formats are long and redundant.
  if (schema['format'] !== undefined) delete schema['pattern'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['example'] !== undefined) {
    schema['examples'] = [schema['example']];
    delete schema['example'];
  }
}
