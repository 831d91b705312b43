import type { z } from 'zod';
import type { Action } from './define-tool.ts';
import { isList } from './list-page.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

/** Longest schema of a record inside a record, in characters. Longer schemas are published as objects without properties. */
const NESTED_LIMIT = 320;

/**
 * Builds the schema of a tool's structured content: the procedure's output and the outcome of a write. The schema is sent in every
 * conversation, so it has only names and types. The contract of the REST API describes the same fields in full.
 */
export function outputSchema(actions: readonly Action[]): JsonSchema {
  const outputs = [...new Set(actions.map(({ procedure }) => procedure.output))];
  const { forms, record } = sharingRecord(distinct(outputs.map((output) => trimmedOutput(output))));
  const hasWrites = actions.some(({ procedure }) => procedure.type === 'mutation');
  const hasLists = actions.some(isList);
  return {
    type: 'object',
    properties: {
      result: forms.length === 1 ? forms[0]! : { anyOf: forms },
      ...(hasLists ? { campaigns: { type: 'array' }, next_cursor: { type: 'string' } } : {}),
      ...(hasWrites ? { dry_run: { type: 'boolean' }, events: { type: 'array' }, replayed: { type: 'boolean' } } : {}),
    },
    required: ['result'],
    ...(record ? { $defs: { record } } : {}),
  };
}

/**
 * If a tool both lists and returns a record, moves the schema of the record into one shared definition. Schemas of the record with
 * different expansions are merged, which is possible because no field is required.
 */
function sharingRecord(forms: JsonSchema[]): { forms: JsonSchema[]; record?: JsonSchema } {
  const lists = forms.filter((form) => itemOf(form) !== null);
  const singles = forms.filter((form) => itemOf(form) === null);
  const first = singles[0];
  if (!first || lists.length === 0) return { forms };
  const alike = [...singles, ...lists.map((list) => itemOf(list)!)].filter((form) => areAlike(form, first));
  const shown = (form: JsonSchema) => (alike.includes(form) ? { $ref: '#/$defs/record' } : form);
  const shortLists = lists.map((list) => {
    const properties = propertiesOf(list);
    return { ...list, properties: { ...properties, data: { type: 'array', items: shown(itemOf(list)!) } } };
  });
  return { forms: distinct([...shortLists, ...singles.map(shown)]), record: alike.reduce(merge) };
}

function propertiesOf(form: JsonSchema): Record<string, JsonSchema> {
  return (form['properties'] ?? {}) as Record<string, JsonSchema>;
}

/** Returns the schema of a list's records, or null if `form` is not the schema of a list. */
function itemOf(form: JsonSchema): JsonSchema | null {
  return (propertiesOf(form)['data']?.['items'] as JsonSchema | undefined) ?? null;
}

/** Reports whether two schemas have more than half of their fields in common, by name. */
function areAlike(one: JsonSchema, other: JsonSchema): boolean {
  const [names, others] = [Object.keys(propertiesOf(one)), Object.keys(propertiesOf(other))];
  return names.filter((name) => others.includes(name)).length > Math.max(names.length, others.length) / 2;
}

function merge(one: JsonSchema, other: JsonSchema): JsonSchema {
  const properties = { ...propertiesOf(one) };
  for (const [name, field] of Object.entries(propertiesOf(other))) {
    const known = properties[name];
    const isSame = known === undefined || JSON.stringify(known) === JSON.stringify(field);
    properties[name] = isSame ? field : { type: [...new Set([known['type'], field['type']].flat())] };
  }
  return { type: 'object', properties };
}

function distinct(schemas: JsonSchema[]): JsonSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

function trimmedOutput(output: z.ZodType): JsonSchema {
  const { $defs = {}, ...schema } = jsonSchema(output, 'output') as JsonSchema & { $defs?: Record<string, JsonSchema> };
  return new Trimmer($defs).trim(schema, 0);
}

/** Reduces a schema to names and types, and resolves references. */
class Trimmer {
  readonly #definitions: Record<string, JsonSchema>;

  constructor(definitions: Record<string, JsonSchema>) {
    this.#definitions = definitions;
  }

  /** @param depth number of records in which the schema is nested */
  trim(schema: JsonSchema, depth: number): JsonSchema {
    if (typeof schema['$ref'] === 'string') return this.trim(this.#definitions[schema['$ref'].replace('#/$defs/', '')]!, depth);
    const choices = schema['anyOf'] as JsonSchema[] | undefined;
    if (choices) return this.#union(choices.map((choice) => this.trim(choice, depth)));
    if (schema['type'] === 'array') return { type: 'array', ...this.#items(schema['items'] as JsonSchema | undefined, depth) };
    if (schema['type'] === 'object' && schema['properties'] !== undefined) return this.#record(schema, depth);
    return schema['type'] === undefined ? {} : { type: schema['type'] };
  }

  #items(items: JsonSchema | undefined, depth: number): object {
    const trimmed = items === undefined ? {} : this.trim(items, depth);
    return Object.keys(trimmed).length === 0 || (depth > 1 && trimmed['type'] === 'string') ? {} : { items: trimmed };
  }

  #record({ properties }: JsonSchema, depth: number): JsonSchema {
    const fields = properties as Record<string, JsonSchema>;
    // The envelope of a list does not count as a record.
    const inside = 'pagination' in fields ? depth : depth + 1;
    const trimmed = Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        name === 'pagination' ? { type: 'object' } : this.trim(field, inside),
      ]),
    );
    const record = { type: 'object', properties: trimmed };
    return depth > 0 && JSON.stringify(record).length > NESTED_LIMIT ? { type: 'object' } : record;
  }

  /** Combines alternatives. Simple types become one list of types, e.g. `["string", "null"]`. */
  #union(choices: JsonSchema[]): JsonSchema {
    const forms = distinct(choices);
    const isNull = ({ type }: JsonSchema) => type === 'null';
    const isSimple = (form: JsonSchema) => Object.keys(form).length === 1 && form['type'] !== undefined;
    const [only, ...more] = forms.filter((form) => !isNull(form));
    if (only && more.length === 0) return { ...only, type: forms.some(isNull) ? [only['type'], 'null'].flat() : only['type'] };
    if (!forms.every(isSimple)) return { anyOf: forms };
    const types = [...new Set(forms.flatMap((form) => form['type'] as string | string[]))];
    return { type: types.length === 1 ? types[0] : types };
  }
}
