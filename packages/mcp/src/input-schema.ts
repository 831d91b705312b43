import type { Action } from './define-tool.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

/** One field of one action, as its procedure declares it. */
interface Field {
  action: string;
  name: string;
  schema: JsonSchema;
  description: string;
  required: boolean;
}

/**
 * The arguments of a tool as one flat object: assistants handle neither unions of objects nor references well. Which action takes
 * which fields is said in their descriptions, and enforced by the procedures.
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
  const writes = actions.filter(({ procedure }) => procedure.type === 'mutation');
  return {
    type: 'object',
    properties: {
      action: { type: 'string', enum: actions.map(({ name }) => name) },
      ...properties,
      ...(writes.length > 0 ? writeControls(writes, actions) : {}),
    },
    required: ['action', ...alwaysRequired],
    additionalProperties: false,
  };
}

function fieldsOf({ name: action, procedure, takes }: Action): Field[] {
  const schema = jsonSchema(procedure.input, 'input') as { properties?: Record<string, JsonSchema>; required?: string[] };
  return takes.map((name) => {
    const { description = '', ...rest } = (schema.properties?.[name] ?? {}) as JsonSchema & { description?: string };
    return { action, name, schema: rest, description, required: schema.required?.includes(name) ?? false };
  });
}

/** The same field of several actions: one schema where they agree, a choice of schemas where they do not. */
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

function writeControls(writes: readonly Action[], actions: readonly Action[]): JsonSchema {
  const scope = writes.length === actions.length ? '' : `${writes.map(({ name }) => name).join(', ')}: `;
  return {
    dry_run: {
      type: 'boolean',
      default: true,
      description: `${scope}True previews: reports the result and the events, and changes nothing. False acts; do that only once a person agreed to the preview.`,
    },
    idempotency_key: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: `${scope}With dry_run false: a value of your own for this one change. After an uncertain answer, call again with the same value and arguments: it happens once.`,
    },
  };
}
