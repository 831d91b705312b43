import type { oas31 } from '@affiliate/rest/contract';
import formats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { OPERATIONS, type Operation, QUICK_TO_COMPILE, deref, violations } from '../support/contract.ts';
import type { Api, Fields, Reply } from '../support/http.ts';
import {
  FILE,
  type Ids,
  type InputSchema,
  PROCEDURES,
  type Procedure,
  completing,
  plainInput,
  withoutContext,
} from './procedures.ts';

/** Position of a value in a body: field names and array indexes. */
export type FieldPath = readonly (string | number)[];

interface Field {
  path: FieldPath;
  schema: InputSchema;
}

/** A request without credentials. Path and query are already encoded. */
export interface Draft {
  path: Record<string, string>;
  query: string;
  body: Fields | undefined;
}

/** An operation or procedure under test, with a valid request to it. */
export interface Target {
  name: string;
  method: string;
  bodyFields: Field[];
  pathFields: string[];
  queryFields: { name: string; schema: InputSchema; isValid: (value: unknown) => boolean }[];
  plain: (ids: Ids) => Draft;
  send: (api: Api, draft: Draft) => Promise<Reply>;
  /** Returns true if the published schema accepts the body. */
  isValidBody: (body: unknown) => boolean;
}

/** The described paths that are not procedures. */
const OTHER_PATHS = ['/track.js', '/sources/{connection_id}/events'];

/** All operations of the served contracts. */
export const REST_TARGETS: readonly Target[] = OPERATIONS.filter(({ path }) => !OTHER_PATHS.includes(path)).map(restTarget);

/**
 * Procedures without a REST operation, and procedures that anyone may call. Procedures that anyone may call are included although they have REST
 * operations, because some of their values are fields over tRPC, but cookies and headers over REST.
 */
export const TRPC_TARGETS: readonly Target[] = PROCEDURES.filter(({ meta }) => !meta.openapi || meta.audience === 'anyone').map(
  trpcTarget,
);

function restTarget({ method, path, contract, pointer, operation }: Operation): Target {
  const parameters = (operation.parameters ?? []).map((each, index) => {
    const { target, pointer: elsewhere } = deref<oas31.ParameterObject>(contract, each);
    return { ...target, at: [...(elsewhere ?? [...pointer, 'parameters', String(index)]), 'schema'] };
  });
  const body = operation.requestBody as oas31.RequestBodyObject | undefined;
  const json = body?.content['application/json']?.schema;
  const schema = json && (resolved(contract, json) as InputSchema);
  const takesFile = body !== undefined && !json;
  return {
    name: `${method} ${path}`,
    method,
    bodyFields: schema ? fieldsOf(schema) : [],
    pathFields: parameters.filter((each) => each.in === 'path').map(({ name }) => name),
    queryFields: parameters
      .filter((each) => each.in === 'query')
      .map(({ name, schema, at }) => ({
        name,
        schema: resolved(contract, schema) as InputSchema,
        isValid: (value) => violations(at, value) === null,
      })),
    plain: (ids) => {
      const input = plainRequest(operation.operationId!, ids);
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
      return {
        path: Object.fromEntries(names.map((name) => [name, encodeURIComponent(String(input[name]))])),
        query: takesFile ? new URLSearchParams(rest as Record<string, string>).toString() : '',
        body: schema ? rest : undefined,
      };
    },
    send: (api, draft) =>
      api.send(
        method,
        path.replaceAll(/\{(\w+)\}/g, (_, name: string) => draft.path[name]!),
        {
          query: draft.query,
          ...(takesFile ? FILE : draft.body === undefined ? {} : { body: draft.body }),
        },
      ),
    isValidBody: (value) => violations([...pointer, 'requestBody', 'content', 'application/json', 'schema'], value) === null,
  };
}

function plainRequest(operationId: string, ids: Ids): Fields {
  const procedure = PROCEDURES.find((each) => each.path === operationId)!;
  return withoutContext(procedure, { ...plainInput(procedure, ids), ...completing(procedure, ids) });
}

const ajv = new Ajv2020({ strict: false, ...QUICK_TO_COMPILE });
formats.default(ajv);

function trpcTarget(procedure: Procedure): Target {
  const { path, type, input } = procedure;
  let validate: ValidateFunction | undefined;
  return {
    name: `trpc ${path}`,
    method: type === 'query' ? 'GET' : 'POST',
    bodyFields: fieldsOf(input),
    pathFields: [],
    queryFields: [],
    plain: (ids) => ({ path: {}, query: '', body: { ...plainInput(procedure, ids), ...completing(procedure, ids) } }),
    send: async (api, { body }) => {
      const reply =
        type === 'query'
          ? await api.send('GET', `/trpc/${path}`, { query: { input: JSON.stringify(body) } })
          : await api.send('POST', `/trpc/${path}`, { body });
      const { error } = reply.body as { error?: { data: Fields } };
      return { ...reply, body: error?.data ?? reply.body };
    },
    isValidBody: (value) => (validate ??= ajv.compile(input))(value),
  };
}

/** Returns a schema of a contract with its references resolved. */
function resolved(contract: Operation['contract'], schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((each) => resolved(contract, each));
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema && typeof schema.$ref === 'string' && schema.$ref.startsWith('#/')) {
    return resolved(contract, deref(contract, schema as oas31.ReferenceObject).target);
  }
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, resolved(contract, value)]));
}

/** Lists the fields of a body, including those in nested objects and arrays. */
function fieldsOf(schema: InputSchema, at: FieldPath = []): Field[] {
  const options = [schema, ...(schema.anyOf ?? [])];
  return options.flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([name, inner]) => [
      { path: [...at, name], schema: inner },
      ...fieldsOf(inner, [...at, name]),
    ]),
    ...(items ? [{ path: [...at, 0], schema: items }, ...fieldsOf(items, [...at, 0])] : []),
  ]);
}

/** Returns a copy of the body with `value` at `path`. Creates missing objects on the way. */
export function withValue(body: unknown, [name, ...rest]: FieldPath, value: unknown): unknown {
  if (name === undefined) return value;
  const inner = withValue((body as Record<string | number, unknown> | undefined)?.[name], rest, value);
  if (typeof name === 'number') return [inner];
  // Defines an own property even for names such as `__proto__`.
  return Object.defineProperty({ ...(body as Fields) }, name, {
    value: inner,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
