import type { Action, Tool } from './define-tool.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

/** One input field of one action. */
interface Field {
  name: string;
  schema: JsonSchema;
  required: boolean;
}

/**
 * Builds the schema of a tool's arguments. It is sent in every conversation, so it has names and types, and descriptions only where these
 * do not say enough. It is one flat object, because assistants handle unions of objects and references poorly. The description of
 * `action` lists the arguments of each action. `callTool` refuses an argument that the action does not take.
 */
export function inputSchema({ notes }: Tool, actions: readonly Action[]): JsonSchema {
  const fields = actions.flatMap(fieldsOf);
  const byName = [...Map.groupBy(fields, ({ name }) => name)];
  const properties = byName.map(([name, same]) => [name, { ...merge(same), ...described(notes[name]) }] as const);
  const alwaysRequired = byName.filter(([, same]) => same.filter(({ required }) => required).length === actions.length);
  return {
    type: 'object',
    properties: {
      action: { type: 'string', enum: actions.map(({ name }) => name), description: usage(actions) },
      ...Object.fromEntries(properties),
      ...(actions.some(({ columns }) => columns !== null) ? LIST_CONTROLS : {}),
      ...(actions.some(({ effects }) => effects !== null) ? WRITE_CONTROLS : {}),
      ...(actions.some(({ procedure }) => procedure.meta.confirmed) ? CONFIRMED_CONTROLS : {}),
    },
    required: ['action', ...alwaysRequired.map(([name]) => name)],
    additionalProperties: false,
  };
}

const LIST_CONTROLS: JsonSchema = {
  cursor: { type: 'string' },
  fields: { type: 'array', items: { type: 'string' } },
};

const WRITE_CONTROLS: JsonSchema = {
  dry_run: { type: 'boolean', default: true, description: 'false once the user approved' },
  idempotency_key: { type: 'string' },
};

const CONFIRMED_CONTROLS: JsonSchema = {
  preview_token: { type: 'string' },
};

/** An action with fewer optional arguments names them even if a later action takes them too. */
const MANY_ARGUMENTS = 6;

/**
 * Lists the arguments of each action, e.g. `get(id*, expand)`. An asterisk marks a required argument. An action that takes the many
 * optional arguments of an earlier one refers to that action, e.g. `update(id*, archived_at, optional of create)`. If it is shorter, names the
 * arguments that an action does not take, e.g. `create(name*, all but id, archived_at)`.
 */
function usage(actions: readonly Action[]): string {
  const named = actions.map((action) => ({ action, fields: fieldsOf(action) }));
  const all = [...new Set(named.flatMap(({ fields }) => fields.map(({ name }) => name)))];
  return named
    .map(({ action, fields }, place) => {
      const optional = (some: Field[]) => some.filter(({ required }) => !required).map(({ name }) => name);
      const takesAllOf = (earlier: Field[]) => optional(earlier).every((name) => optional(fields).includes(name));
      const like = named
        .slice(0, place)
        .find((each) => optional(each.fields).length >= MANY_ARGUMENTS && takesAllOf(each.fields));
      const shared = like ? optional(like.fields) : [];
      const own = fields.filter(({ name }) => !shared.includes(name)).map(({ name, required }) => (required ? `${name}*` : name));
      const listed = [...own, ...(like ? [`optional of ${like.action.name}`] : [])].join(', ');
      const required = own.filter((name) => name.endsWith('*'));
      const others = all.filter((name) => !fields.some((field) => field.name === name));
      const rest = [...required, others.length === 0 ? 'all others' : `all but ${others.join(', ')}`].join(', ');
      return `${action.name}(${optional(fields).length > 0 && rest.length < listed.length ? rest : listed})`;
    })
    .join(' ');
}

function fieldsOf({ procedure, takes, untyped, unlisted, fieldOf }: Action): Field[] {
  const schema = jsonSchema(procedure.input, 'input') as { properties?: Record<string, JsonSchema>; required?: string[] };
  return takes.map((name) => ({
    name,
    schema: untyped.includes(fieldOf(name))
      ? { type: 'object' }
      : unlisted.includes(fieldOf(name))
        ? withoutValues(schema.properties?.[fieldOf(name)] ?? {})
        : publishedSchema(name, nullsOf(procedure, schema.properties?.[fieldOf(name)] ?? {})),
    required: schema.required?.includes(fieldOf(name)) ?? false,
  }));
}

/** Leaves out null where it means the same as leaving the argument out: only a change can clear a field. */
function nullsOf({ meta }: Action['procedure'], schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (meta.openapi?.method === 'PATCH' || !Array.isArray(type) || type.length !== 2) return schema;
  return { ...schema, type: (type as string[]).find((name) => name !== 'null') };
}

/** Leaves out the possible values of an argument or of its items, and the fields of items. */
function withoutValues({ type, items }: JsonSchema): JsonSchema {
  return items === undefined ? { type } : { type, items: withoutValues(items as JsonSchema) };
}

function publishedSchema(name: string, schema: JsonSchema): JsonSchema {
  return name === 'expand' ? withoutNested(schema) : schema;
}

/** Leaves out the expansions of expanded records (`sale.customer`), which are accepted but rarely needed. */
function withoutNested(schema: JsonSchema): JsonSchema {
  const { items } = schema as { items: { enum: string[] } };
  return { ...schema, items: { ...items, enum: items.enum.filter((name) => !name.includes('.')) } };
}

/**
 * Merges the schemas of an argument that several actions take: one schema if all are equal, or differ only in their values or in whether they may be null,
 * otherwise `anyOf`.
 */
function merge(fields: Field[]): JsonSchema {
  return fields.map(({ schema }) => schema).reduce((one, other) => united(one, other) ?? { anyOf: [one, other] });
}

/** Returns the schema of the values of both, or null if they differ in other ways. */
function united(one: JsonSchema, other: JsonSchema): JsonSchema | null {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const entries = [...names].map((name) => {
    const [a, b] = [one[name], other[name]];
    if (JSON.stringify(a) === JSON.stringify(b)) return [name, a] as const;
    if (name === 'items' && a && b) return [name, united(a as JsonSchema, b as JsonSchema)] as const;
    return [name, name === 'type' || (name === 'enum' && a && b) ? [...new Set([a, b].flat())] : null] as const;
  });
  return entries.every(([, value]) => value !== null) ? Object.fromEntries(entries) : null;
}

function described(note: string | undefined): JsonSchema {
  return note === undefined ? {} : { description: note };
}
