import { type Meta, PROCEDURES as declared } from '@affiliate/core';
import { z } from 'zod';
import type { Api, Call, Fields, Reply } from '../support/http.ts';

/** The part of JSON Schema that inputs use. */
export interface InputSchema {
  type?: string | string[];
  properties?: Record<string, InputSchema>;
  required?: string[];
  items?: InputSchema;
  anyOf?: InputSchema[];
  additionalProperties?: unknown;
  example?: unknown;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  minLength?: number;
}

export interface Procedure {
  path: string;
  type: 'query' | 'mutation';
  meta: Meta;
  input: InputSchema;
}

/** All procedures of the service, with the JSON Schemas of their inputs. */
export const PROCEDURES: readonly Procedure[] = declared.map(({ path, type, meta, input }) => ({
  path,
  type,
  meta,
  input: inlined(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as InputSchema),
}));

/** Inlines named schemas where they are referenced. */
function inlined(schema: InputSchema & { $defs?: Record<string, InputSchema> }): InputSchema {
  const { $defs = {}, ...root } = schema;
  return JSON.parse(JSON.stringify(root), (_key, value: { $ref?: string } | null) =>
    value?.$ref === undefined ? value : { ...$defs[value.$ref.split('/').at(-1)!], ...value, $ref: undefined },
  ) as InputSchema;
}

/** Returns the prefix of the ids that a field takes, read from its `example`, or null if it takes none. */
export function idPrefix(schema: InputSchema): string | null {
  const holders = [schema, ...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])];
  const example = holders.map((holder) => holder.example).find((value) => typeof value === 'string');
  return /^([a-z]+)_01k9v7m3q8e2t4r6w8y0a1b2c3$/.exec(example ?? '')?.[1] ?? null;
}

export type Ids = ReadonlyMap<string, readonly string[]>;

/** Returns the simplest input of a procedure: its required fields with the values of their examples, and ids from `ids`. */
export function plainInput({ input }: Procedure, ids: Ids): Fields {
  const example = input.example as Fields | undefined;
  const required = (input.required ?? []).map((name) => [name, valueFor(input.properties![name]!, ids)]);
  return { ...example, ...Object.fromEntries(required) };
}

/** Returns optional fields that some procedures need. Without them, these procedures refuse the input before they look up the ids in it. */
export function completing({ path }: Procedure, ids: Ids): Fields {
  const first = (prefix: string) => ids.get(prefix)![0]!;
  if (path === 'referrals.create') return { affiliate_id: first('aff'), campaign_id: first('camp') };
  if (/^affiliates\..*ByEmail$/.test(path)) return { email: 'new@partner.example' };
  if (path === 'promoCodes.assign') return { mode: 'create', code: 'EVE20', psp_coupon_id: 'SPRING' };
  if (path === 'pspConnection.connect' || path === 'pspConnection.rotateWebhookSecret') return { webhook_secret: 'whsec_new' };
  if (path === 'tracking.recordVisit') return { token: 'ada', referral_id: first('ref') };
  if (path === 'tracking.recordLead') return { email: 'lead@example.com' };
  if (path === 'payoutRuns.remediate') return { remediation_action: 'exclude' };
  return {};
}

/** Returns a valid value for a field: its example, or the simplest value of its type. */
export function valueFor(schema: InputSchema, ids: Ids): unknown {
  const prefix = idPrefix(schema);
  if (prefix !== null) {
    const id = ids.get(prefix)?.[0] ?? `${prefix}_00000000000000000000000000`;
    return schema.type === 'array' ? [id] : id;
  }
  const stated = schema.example ?? schema.const ?? schema.default ?? schema.enum?.[0];
  if (stated !== undefined) return stated;
  if (schema.anyOf) return valueFor(schema.anyOf[0]!, ids);
  if (schema.type === 'array') return schema.items ? [valueFor(schema.items, ids)] : [];
  if (schema.type === 'object')
    return Object.fromEntries((schema.required ?? []).map((name) => [name, valueFor(schema.properties![name]!, ids)]));
  if (schema.type === 'boolean') return true;
  if (schema.type === 'string') return 'example'.padEnd(schema.minLength ?? 0, '.');
  return schema.minimum ?? 1;
}

/** Removes the field that a REST request leaves out, because the account of the request is its value. */
export function withoutContext({ meta }: Procedure, input: Fields): Fields {
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'account_id' || !meta.rest?.accountFromContext));
}

/** The body of an operation that takes a file. */
export const FILE = { raw: 'We love tea.', headers: { 'Content-Type': 'text/plain' } };

/** Converts an input to its REST request. Null if the procedure has no REST route. */
function restRequest(procedure: Procedure, input: Fields): { method: string; path: string; call: Call } | null {
  const { meta } = procedure;
  if (!meta.openapi || !meta.rest) return null;
  const rest = withoutContext(procedure, input);
  const path = `${meta.rest.mount}${meta.openapi.path}`.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const { method } = meta.openapi;
  const takesFile = meta.maxUploadBytes !== undefined;
  if (method !== 'GET' && method !== 'DELETE' && !takesFile) return { method, path, call: { body: rest } };
  const query = Object.entries(rest).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((each) => [`${name}[]`, String(each)]) : [[name, asText(value)]],
  );
  return {
    method,
    path,
    call: { query: new URLSearchParams(query as [string, string][]).toString(), ...(takesFile ? FILE : {}) },
  };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function callRest(api: Api, procedure: Procedure, input: Fields): Promise<Reply> | null {
  const request = restRequest(procedure, input);
  return request && api.send(request.method, request.path, request.call);
}

/** Calls a procedure over tRPC. `body` of the reply is the procedure's output or the error envelope. */
export async function callTrpc(api: Api, { path, type }: Procedure, input: unknown): Promise<Reply> {
  const reply = await (type === 'query'
    ? api.send('GET', `/trpc/${path}`, { query: { input: JSON.stringify(input) } })
    : api.send('POST', `/trpc/${path}`, { body: input }));
  const { result, error } = reply.body as { result?: { data?: Fields }; error?: { data: Fields } };
  return { ...reply, body: error?.data ?? result?.data ?? {} };
}
