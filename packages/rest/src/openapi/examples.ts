import type { oas31 } from 'zod-openapi';
import { completeParameter } from './parameters.ts';

type Schema = oas31.SchemaObject | oas31.ReferenceObject;

/** Whether an example is for a request or a response. In requests, an optional field is shown only if it has an example of its own. */
type Direction = 'request' | 'response';

/** Adds an example, generated from the schema, to every parameter, request body and response. */
export function addExamples(document: oas31.OpenAPIObject): void {
  const make = (schema: Schema, direction: Direction) => exampleOf(document, schema, direction);
  for (const item of [...Object.values(document.paths ?? {}), ...Object.values(document.webhooks ?? {})]) {
    for (const operation of Object.values(item as Record<string, oas31.OperationObject>)) {
      for (const parameter of operation.parameters ?? []) {
        if ('$ref' in parameter) continue;
        completeParameter(parameter);
        parameter.example ??= make(parameter.schema!, 'request');
      }
      if (operation.requestBody && 'content' in operation.requestBody) exemplify(operation.requestBody.content, 'request', make);
      for (const response of Object.values(operation.responses ?? {}) as oas31.ResponseObject[]) {
        if (response.content) exemplify(response.content, 'response', make);
      }
    }
  }
}

function exemplify(content: oas31.ContentObject, direction: Direction, make: (schema: Schema, direction: Direction) => unknown) {
  for (const media of Object.values(content)) {
    if (media.schema && media.example === undefined && media.examples === undefined)
      media.example = make(media.schema, direction);
  }
}

/** Returns a valid value for `schema`: its own example if it has one, otherwise the simplest value of its type. */
function exampleOf(document: oas31.OpenAPIObject, schema: Schema, direction: Direction): unknown {
  const resolved = resolve(document, schema);
  // Nullable times, such as archived_at and paid_at, are null in examples.
  if (direction === 'response' && resolved.format === 'date-time' && accepts(resolved, 'null')) return null;
  const own = ownExample(document, resolved);
  if (own !== undefined) return own;
  const [first] = resolved.allOf ?? resolved.oneOf ?? resolved.anyOf ?? [];
  if (first && !resolved.type) return accepts(resolved, 'null') ? null : exampleOf(document, first, direction);
  if (accepts(resolved, 'null')) return null;
  switch (resolved.type) {
    case 'object':
      return objectExample(document, resolved, direction);
    case 'array':
      return resolved.items ? [exampleOf(document, resolved.items, direction)] : [];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, resolved.minimum ?? 1), resolved.maximum ?? Infinity);
    case 'string':
      return 'example'.padEnd(resolved.minLength ?? 0, '.').slice(0, resolved.maxLength);
    default:
      return {};
  }
}

/** Returns the example that the schema itself states, even if the schema is a union with null. */
function ownExample(document: oas31.OpenAPIObject, schema: oas31.SchemaObject): unknown {
  const stated = schema.examples?.[0] ?? schema.const ?? schema.default ?? schema.enum?.find((value) => value !== null);
  if (stated !== undefined) return stated;
  const [first] = schema.anyOf ?? [];
  return first && accepts(schema, 'null') && !isObject(document, first)
    ? ownExample(document, resolve(document, first))
    : undefined;
}

function objectExample(document: oas31.OpenAPIObject, schema: oas31.SchemaObject, direction: Direction): Record<string, unknown> {
  const shown = Object.entries(schema.properties ?? {}).filter(([name, property]) => {
    if (schema.required?.includes(name)) return true;
    return direction === 'request' && ownExample(document, resolve(document, property)) !== undefined;
  });
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(document, property, direction)]));
}

function accepts(schema: oas31.SchemaObject, type: oas31.SchemaObjectType): boolean {
  if (Array.isArray(schema.type)) return schema.type.includes(type);
  return schema.type === type || (schema.anyOf ?? []).some((option) => 'type' in option && option.type === type);
}

function isObject(document: oas31.OpenAPIObject, schema: Schema): boolean {
  return accepts(resolve(document, schema), 'object');
}

function resolve(document: oas31.OpenAPIObject, schema: Schema): oas31.SchemaObject {
  if (schema.$ref === undefined) return schema as oas31.SchemaObject;
  const name = schema.$ref.slice('#/components/schemas/'.length);
  const target = document.components?.schemas?.[name];
  if (!target) throw new Error(`No schema ${name}.`);
  return resolve(document, target);
}
