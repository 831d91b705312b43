import type { oas31 } from 'zod-openapi';
import { completeParameter } from './parameters.ts';
import { ExampleOfSchema, cursorInStory, fieldInStory, operationInStory, parameterInStory, recordInStory } from './story.ts';

type Schema = oas31.SchemaObject | oas31.ReferenceObject;

/** The side of an example: a request or a response. Only in requests, an optional field is shown if it has an example of its own. */
type Direction = 'request' | 'response';

/** Adds an example, made of the schema and the story, to every parameter, request body and response. */
export function addExamples(document: oas31.OpenAPIObject): void {
  const make = (schema: Schema, direction: Direction) => exampleOf(document, schema, direction);
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item as Record<string, oas31.OperationObject>)) {
      const { request, response, responses = {} } = operationInStory(operation.operationId);
      if (operation.requestBody && 'content' in operation.requestBody)
        exemplify(operation.requestBody.content, (schema) => request ?? make(schema, 'request'));
      for (const [status, each] of Object.entries(operation.responses ?? {}) as [string, oas31.ResponseObject][]) {
        const fields = { ...response, ...responses[status] };
        if (each.content) exemplify(each.content, (schema) => changed(make(schema, 'response'), fields));
      }
      for (const parameter of operation.parameters ?? []) {
        if ('$ref' in parameter) continue;
        completeParameter(parameter);
        parameter.example ??= isCursor(parameter) ? cursorIn(operation) : exampleOfParameter(document, parameter);
      }
    }
  }
  for (const { post } of Object.values(document.webhooks ?? {}) as { post?: oas31.OperationObject }[]) {
    const { content } = post!.requestBody as oas31.RequestBodyObject;
    const { request } = operationInStory(post!.operationId);
    exemplify(content, (schema) => changed(make(schema, 'response'), request));
  }
}

function exemplify(content: oas31.ContentObject, make: (schema: Schema) => unknown) {
  for (const media of Object.values(content)) {
    if (media.schema && media.example === undefined && media.examples === undefined) media.example = make(media.schema);
  }
}

function isCursor({ name }: oas31.ParameterObject): boolean {
  return name === 'starting_after' || name === 'ending_before';
}

/** Returns the cursor of the record in the example of a list, which is its ID in most lists. */
function cursorIn({ operationId, responses }: oas31.OperationObject): unknown {
  const own = cursorInStory(operationId!);
  if (own !== undefined) return own;
  const { example } = (responses!['200'] as oas31.ResponseObject).content!['application/json']!;
  const [record] = (example as { data: Readonly<Record<string, unknown>>[] }).data;
  return record!['id'] ?? record!['affiliate_id'];
}

function exampleOfParameter(document: oas31.OpenAPIObject, { name, schema }: oas31.ParameterObject): unknown {
  const own = ownExample(document, resolve(document, schema!));
  return own ?? parameterInStory(name) ?? exampleOf(document, schema!, 'request', name);
}

/** Returns an example with some fields changed, also fields of records in it. */
function changed(example: unknown, changes: Readonly<Record<string, unknown>> | undefined): unknown {
  if (!changes || !isRecord(example)) return example;
  const each = Object.entries(changes).map(([name, value]) => {
    const former = example[name];
    return [name, name !== 'previous_attributes' && isRecord(former) && isRecord(value) ? { ...former, ...value } : value];
  });
  return { ...example, ...(Object.fromEntries(each) as object) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a valid value for `schema`: its own example if it has one, otherwise the simplest value of its type. */
function exampleOf(document: oas31.OpenAPIObject, schema: Schema, direction: Direction, name?: string): unknown {
  const resolved = resolve(document, schema);
  // Nullable times and values, such as archived_at and review_status, are null in examples.
  const isStamp = resolved.format === 'date-time' || resolved.enum !== undefined;
  if (direction === 'response' && isStamp && accepts(resolved, 'null')) return null;
  const own = ownExample(document, resolved);
  if (own !== undefined) return own;
  const [first] = resolved.allOf ?? resolved.oneOf ?? resolved.anyOf ?? [];
  if (first && !resolved.type) return accepts(resolved, 'null') ? null : exampleOf(document, first, direction, name);
  if (accepts(resolved, 'null')) return null;
  switch (resolved.type) {
    case 'object':
      return objectExample(document, resolved, direction, nameOf(schema));
    case 'array':
      return resolved.items ? [exampleOf(document, resolved.items, direction, name)] : [];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, resolved.minimum ?? 1), resolved.maximum ?? Infinity);
    case 'string':
      return fieldInStory(name ?? '') ?? 'example'.padEnd(resolved.minLength ?? 0, '.').slice(0, resolved.maxLength);
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

function objectExample(
  document: oas31.OpenAPIObject,
  schema: oas31.SchemaObject,
  direction: Direction,
  component: string | undefined,
): Record<string, unknown> {
  const story = direction === 'response' ? recordInStory(component) : {};
  const isShown = (name: string, property: Schema) => {
    if (schema.required?.includes(name) || Object.hasOwn(story, name)) return true;
    // All lists but one have a position, and events that change something have former values.
    if (direction === 'response') return name === 'pagination';
    return ownExample(document, resolve(document, property)) !== undefined;
  };
  const shown = Object.entries(schema.properties ?? {}).filter(([name, property]) => isShown(name, property));
  return Object.fromEntries(
    shown.map(([name, property]) => [
      name,
      Object.hasOwn(story, name) ? told(document, story[name]) : exampleOf(document, property, direction, name),
    ]),
  );
}

function told(document: oas31.OpenAPIObject, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => told(document, each));
  if (isRecord(value) && !(value instanceof ExampleOfSchema))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, told(document, each)]));
  if (!(value instanceof ExampleOfSchema)) return value;
  return exampleOf(document, { $ref: `#/components/schemas/${value.name}` }, 'response');
}

/** Returns the name of the schema that a reference refers to. */
function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.slice('#/components/schemas/'.length);
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
  const target = document.components?.schemas?.[nameOf(schema)!];
  if (!target) throw new Error(`No schema ${nameOf(schema)}.`);
  return resolve(document, target);
}
