import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/**
 * Keywords of a published argument. Limits are left out, because a call that exceeds one is refused with a message that states it, and formats, because
 * names say what an argument is, and a time may be written as a date.
 */
const KEYWORDS = ['type', 'enum', 'const', 'items', 'properties', 'required', 'additionalProperties', 'anyOf'];

/** Converts the schema of arguments to JSON Schema for assistants: names and types, without descriptions, limits and examples. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    reused: 'inline',
    override: ({ jsonSchema }) => shorten(jsonSchema),
  });
  return rest;
}

function shorten(schema: JsonSchema): void {
  for (const keyword of Object.keys(schema)) if (!KEYWORDS.includes(keyword)) delete schema[keyword];
  // An object with any keys: what its values may be is in the message if they are refused.
  if (schema['properties'] === undefined && typeof schema['additionalProperties'] === 'object')
    delete schema['additionalProperties'];
  const { anyOf, ...others } = schema as { anyOf?: JsonSchema[] };
  const isBare = (choice: JsonSchema) => Object.keys(choice).every((keyword) => keyword === 'type');
  const [nullable, other] = anyOf?.length === 2 && isBare(anyOf[1]!) && anyOf[1]!['type'] === 'null' ? anyOf : [];
  // `null` as a second type is shorter than a choice of two schemas. An enum would have to list null as well.
  if (nullable === undefined || other === undefined || nullable['enum'] !== undefined || nullable['type'] === undefined) return;
  delete schema['anyOf'];
  Object.assign(schema, { ...others, ...nullable, type: [nullable['type'], 'null'].flat() });
}
