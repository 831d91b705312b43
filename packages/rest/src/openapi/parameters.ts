import { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import type { Route } from '../routes.ts';

/** Parameters that name the account and the mode of a request (docs/rules/identity.md#account-context). */
export const ACCOUNT_PARAMETERS: Record<string, oas31.ParameterObject> = {
  AccountIdHeader: {
    name: 'X-Account-Id',
    in: 'header',
    description: 'ID of the account. Required, unless the query parameter `account_id` is set.',
    schema: { type: 'string' },
    example: 'acct_01k9v7m3q8e2t4r6w8y0a1b2c3',
  },
  AccountIdQuery: {
    name: 'account_id',
    in: 'query',
    description: 'ID of the account. Required, unless the header `X-Account-Id` is set. If both are set, they must match.',
    schema: { type: 'string' },
    example: 'acct_01k9v7m3q8e2t4r6w8y0a1b2c3',
  },
  LivemodeHeader: {
    name: 'X-Livemode',
    in: 'header',
    description: '`false` for test mode, with a key that has no mode of its own. A key with a mode always acts in its mode.',
    schema: { type: 'boolean' },
    example: true,
  },
};

/** Headers of conditional requests, by the names of their components (docs/rules/platform.md#conditional-requests). */
export const CONDITIONS: Record<string, oas31.ParameterObject> = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      '`ETag` of the record. If the record was changed meanwhile, the response is 412 and nothing is changed. `*` stands for any version.',
    schema: { type: 'string' },
    example: '"bVbGx0n1JmZQ8a2R.5J0m3oVQk1t7yN2c"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: '`ETag` of the response that you have. If it is still current, the response is 304 without a body.',
    schema: { type: 'string' },
    example: '"bVbGx0n1JmZQ8a2R.5J0m3oVQk1t7yN2c"',
  },
};

export const IDEMPOTENCY_KEY: oas31.ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Unique key that makes the request safe to retry. For 24 hours, the same key with the same payload returns the stored response with `Idempotent-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '5f0c1a52-7f0e-4f0c-9d3c-0a7a1c5f6f3b',
};

/** Splits the input of an operation into path, query and body. A DELETE accepts its fields in the query or the body. */
export function inputParts(route: Route): Record<'path' | 'query' | 'body', z.ZodObject> {
  const inPath = new Set(route.segments.flatMap((segment) => ('parameter' in segment ? [segment.parameter] : [])));
  const fromContext = route.meta.rest?.accountFromContext ? 'account_id' : null;
  const others = Object.keys(route.input.shape).filter((name) => !inPath.has(name) && name !== fromContext);
  return {
    path: pick(route.input, [...inPath]),
    query: pick(route.input, route.inQuery),
    body: pick(route.input, route.method === 'GET' || route.meta.maxUploadBytes !== undefined ? [] : others),
  };
}

/** Returns an input with only the named fields. If the input has an example, the example keeps only these fields, too. */
function pick(input: z.ZodObject, names: readonly string[]): z.ZodObject {
  const part = z.strictObject(Object.fromEntries(names.map((name) => [name, input.shape[name]!])));
  const example = input.meta()?.['example'] as Record<string, unknown> | undefined;
  if (!example) return part;
  return part.meta({ example: Object.fromEntries(Object.entries(example).filter(([name]) => names.includes(name))) });
}

const ARRAY_FORMS = (name: string) =>
  `Accepts several values, repeated (\`${name}=a&${name}=b\` or \`${name}[]=a&${name}[]=b\`) or comma-separated (\`${name}=a,b\`).`;

/** Completes a parameter from its schema: description, example, and array format. */
export function completeParameter(parameter: oas31.ParameterObject): void {
  const schema = parameter.schema as oas31.SchemaObject;
  parameter.description ??= schema.description ?? '';
  delete schema.description;
  if (schema.deprecated) parameter.deprecated = true;
  delete schema.deprecated;
  if (parameter.in === 'query' && schema.type === 'object') Object.assign(parameter, { style: 'deepObject', explode: true });
  if (parameter.in === 'query' && schema.type === 'array') {
    Object.assign(parameter, { style: 'form', explode: true });
    parameter.description = `${parameter.description} ${ARRAY_FORMS(parameter.name)}`.trim();
  }
}
