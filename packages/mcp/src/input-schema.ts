import type { Action } from './define-tool.ts';
import { isList } from './list-page.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

/** One input field of one action. */
interface Field {
  action: string;
  name: string;
  schema: JsonSchema;
  description: string;
  required: boolean;
}

/**
 * Builds the schema of a tool's arguments. It is one flat object, because assistants handle unions of objects and references
 * poorly. The descriptions name the actions that take each field. `callTool` refuses a field that the action does not take.
 */
export function inputSchema(actions: readonly Action[]): JsonSchema {
  const fields = actions.flatMap(fieldsOf);
  const names = [...new Set(fields.map(({ name }) => name))];
  const properties = Object.fromEntries(
    names.map((name) => [
      name,
      merge(
        fields.filter((field) => field.name === name),
        actions,
      ),
    ]),
  );
  const alwaysRequired = names.filter(
    (name) => fields.filter((field) => field.name === name && field.required).length === actions.length,
  );
  const lists = actions.filter(isList);
  const writes = actions.filter(({ procedure }) => procedure.type === 'mutation');
  return {
    type: 'object',
    properties: {
      action: { type: 'string', enum: actions.map(({ name }) => name) },
      ...properties,
      ...(lists.length > 0 ? listControl(lists, actions) : {}),
      ...(writes.length > 0 ? writeControls(writes, actions) : {}),
    },
    required: ['action', ...alwaysRequired],
    additionalProperties: false,
  };
}

function fieldsOf({ name: action, procedure, takes, fieldOf }: Action): Field[] {
  const schema = jsonSchema(procedure.input, 'input') as { properties?: Record<string, JsonSchema>; required?: string[] };
  return takes.map((name) => {
    const { description = '', ...rest } = (schema.properties?.[fieldOf(name)] ?? {}) as JsonSchema & { description?: string };
    return { action, name, schema: rest, description, required: schema.required?.includes(fieldOf(name)) ?? false };
  });
}

/** Merges the schemas of a field that several actions have: one schema if all are equal, otherwise `anyOf`. */
function merge(fields: Field[], actions: readonly Action[]): JsonSchema {
  const byForm = [...Map.groupBy(fields, ({ schema }) => JSON.stringify(schema)).values()];
  const describe = (some: Field[]) => {
    const isEverywhere = some.length === actions.length && some.every(({ required }) => required);
    const texts = Map.groupBy(some, ({ description, required }) => `${required ? ' (required)' : ''}: ${description}`);
    if (isEverywhere && texts.size === 1) return some[0]!.description;
    return [...texts]
      .map(([text, same]) => `${same.map(({ action }) => action).join(', ')}${text}`.replace(/: $/, '.'))
      .join(' ');
  };
  if (byForm.length === 1) return { ...byForm[0]![0]!.schema, description: describe(fields) };
  return { anyOf: byForm.map((same) => ({ ...same[0]!.schema, description: describe(same) })) };
}

function listControl(lists: readonly Action[], actions: readonly Action[]): JsonSchema {
  const scope = lists.length === actions.length ? '' : `${lists.map(({ name }) => name).join(', ')}: `;
  return {
    cursor: {
      type: 'string',
      description: `${scope}next_cursor of the previous reply. Repeat the other arguments, except page and limit.`,
    },
  };
}

function writeControls(writes: readonly Action[], actions: readonly Action[]): JsonSchema {
  const scope = writes.length === actions.length ? '' : `${writes.map(({ name }) => name).join(', ')}: `;
  return {
    dry_run: {
      type: 'boolean',
      default: true,
      description: `${scope}True: preview only. False: only after the user approved it.`,
    },
    idempotency_key: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: `${scope}With dry_run false: unique per change. If the outcome is unknown, repeat with the same key.`,
    },
  };
}
