import type { CreateDocumentOptions, oas31 } from 'zod-openapi';

type Override = Extract<NonNullable<CreateDocumentOptions['override']>, (...args: never[]) => unknown>;

/**
 * Rewrites a schema in idiomatic OpenAPI 3.1: `examples` instead of `example`, and `type: [string, 'null']` instead of a union that only adds
 * null. Drops keywords that only repeat the type or the format.
 */
export const toOpenApi31: Override = ({ jsonSchema, zodSchema, io }) => {
  // Responses may get further fields within a version. Requests with unknown fields are refused.
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.example !== undefined) {
    jsonSchema.examples ??= [jsonSchema.example];
    delete jsonSchema.example;
  }
  dropImplied(jsonSchema as oas31.SchemaObject);
  repeatAsEnum(jsonSchema as oas31.SchemaObject);
  if (zodSchema._zod.def.type === 'nullable') joinNull(jsonSchema as oas31.SchemaObject);
};

/** Formats whose patterns are left out, because the format says more, and code generators cannot write such long patterns. */
const WITHOUT_PATTERN: ReadonlySet<string | undefined> = new Set(['date-time', 'date', 'email']);

/** Drops the safe-integer range, which the type implies, and the patterns that formats imply. */
function dropImplied(schema: oas31.SchemaObject): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (WITHOUT_PATTERN.has(schema.format)) delete schema.pattern;
}

/** Repeats a constant text as an enumeration of one value, because generators for OpenAPI 3.0 do not know `const`, and would take it for any text. */
function repeatAsEnum(schema: oas31.SchemaObject): void {
  if (typeof schema.const === 'string') schema.enum = [schema.const];
}

function joinNull(schema: oas31.SchemaObject): void {
  const [inner] = schema.anyOf ?? [];
  if (!inner || !('type' in inner) || typeof inner.type !== 'string' || '$ref' in inner) return;
  // Works on a copy, because the inner schema may also be used elsewhere without null.
  const { anyOf: _, ...outer } = schema;
  const joined = { ...inner, ...outer, type: [inner.type, 'null'] };
  if (inner.enum) joined.enum = [...inner.enum, null];
  for (const key of Object.keys(schema)) delete (schema as Record<string, unknown>)[key];
  Object.assign(schema, joined);
}
