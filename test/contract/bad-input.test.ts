/**
 * Sends bad values in every field of every operation, in otherwise valid requests. The thorough run tries all bad values in each field. The ordinary
 * run tries every 16th value, and different values in neighbouring fields. Input that violates the published schema must be refused with a response
 * that names the field, and must write nothing. Such values are tested several at a time, in different fields of one request. Other input may be
 * accepted or refused. No input may make the service fail.
 */
import { ERRORS, type ErrorCode } from '@affiliate/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usePspService } from '../psp/service.ts';
import type { Reply } from '../support/http.ts';
import type { TestAccount } from '../support/service.ts';
import { THOROUGH, sample } from '../support/thorough.ts';
import { BAD_SEGMENTS, FOREIGN_NAMES, type Kind, LARGE_VALUES, badParametersFor, badValuesFor } from './bad-values.ts';
import { Changes } from './changes.ts';
import type { Ids, InputSchema } from './procedures.ts';
import { problemOfRefusal } from './refusals.ts';
import { idsOf, seededMerchant } from './seed.ts';
import { type Draft, type FieldPath, REST_TARGETS, TRPC_TARGETS, type Target, withValue } from './targets.ts';

const service = usePspService();
let merchant: TestAccount;
let ids: Ids;
let changes: Changes;
let tried = 0;

beforeAll(async () => {
  merchant = await seededMerchant(service);
  const found = await idsOf(service, merchant);
  // A request that needs the id of an API key uses the first key of this list, and may revoke that key. Therefore the key that the test itself uses
  // comes last.
  ids = found.set('key', found.get('key')!.toReversed()).set('acct', [merchant.id]);
  changes = await Changes.watch(service.databaseUrl);
});
afterAll(() => changes.close());

interface BadRequest {
  /** Field and value, for failure messages. */
  says: string;
  /** Field that the refusal must name, or null if the field is not part of the body or the query. */
  field: string | null;
  draft: Draft;
  /** True if the published schema, or a rule for all operations, refuses the value. */
  refused: boolean;
  /** Adds the value to a request that already has other bad values. Absent if validation stops at this value. */
  addTo?: (draft: Draft) => Draft;
}

/** The ordinary run tries one in this many bad values. */
const ONE_OF = 16;
/** Number of fields with a bad value in one request. A response names at most 20 problems, and a value can cause several. */
const BATCH = 8;

function kindOf(schema: InputSchema): Kind {
  const holders = [schema, ...(schema.anyOf ?? [])] as (InputSchema & { format?: string })[];
  const types = holders.filter((holder) => !holder.enum).flatMap(({ type = [] }) => type);
  if (holders.some(({ format }) => format === 'date-time')) return 'date';
  if (types.includes('integer') || types.includes('number')) return 'number';
  return types.includes('string') ? 'text' : 'other';
}

function bodyRequests(target: Target, turn: number): BadRequest[] {
  const plain = target.plain(ids);
  if (plain.body === undefined) return [];
  const request = (path: FieldPath, name: string, value: unknown, refused = false): BadRequest => {
    const addTo = (draft: Draft): Draft => ({ ...draft, body: withValue(draft.body, path, value) as Draft['body'] });
    const draft = addTo(plain);
    return {
      says: `${path.join('.').slice(0, 80)} = ${name}`,
      field: path.join('.'),
      draft,
      refused: refused || !target.isValidBody(JSON.parse(JSON.stringify(meant(target, plain, path, value).body))),
      ...(refused ? {} : { addTo }),
    };
  };
  const large = target.bodyFields.find(({ schema }) => kindOf(schema) === 'text') ?? target.bodyFields[0];
  const containers = [[], ...target.bodyFields.filter(({ schema }) => schema.properties).map(({ path }) => path)];
  const requests = [
    ...target.bodyFields.flatMap(({ path, schema }, field) =>
      sample(badValuesFor(kindOf(schema)), ONE_OF, turn + field).map(({ name, value, refused }) =>
        request(path, name, value, refused),
      ),
    ),
    ...(large
      ? sample(LARGE_VALUES, ONE_OF, turn).map(({ name, value, refused }) => request(large.path, name, value, refused))
      : []),
    ...containers.flatMap((path, container) =>
      sample(FOREIGN_NAMES, ONE_OF, turn + container).map((name) =>
        request([...path, name], 'a field that is not there', 1, true),
      ),
    ),
  ];
  // The input of a GET request is in the URL, whose length is limited.
  return target.method === 'GET' ? requests.filter(({ draft }) => JSON.stringify(draft.body).length < 4_000) : requests;
}

/** Returns a request as the service understands it: in a REST call that changes no record, null in place of anything but a list means that a field is not given. */
function meant({ name, method, bodyFields }: Target, plain: Draft, path: FieldPath, value: unknown): Draft {
  const field = bodyFields.find((each) => each.path.join('.') === path.join('.'));
  const isAbsent =
    value === null && method !== 'PATCH' && method !== 'PUT' && !name.startsWith('trpc') && field?.schema.type !== 'array';
  return { ...plain, body: withValue(plain.body, path, isAbsent ? undefined : value) as Draft['body'] };
}

/** Returns the answer of a call. A bulk call of which each item has failed is answered as the single call of its first item would be. */
async function answerOf(target: Target, draft: Draft): Promise<Reply> {
  const reply = await target.send(merchant.api, draft);
  const { data } = reply.body as {
    data?: { result: string; error: { code: ErrorCode; details?: { path: string }[] | object } }[];
  };
  if (!target.name.endsWith('/bulk') || reply.status !== 200 || !data!.every(({ result }) => result === 'failed')) return reply;
  const { error } = data![0]!;
  // Only the details of a validation error are a list.
  const details = Array.isArray(error.details)
    ? error.details.map((detail: { path: string }) => ({ ...detail, path: `items.0.${detail.path}` }))
    : error.details;
  return { ...reply, status: ERRORS[error.code].status, body: { ...error, ...(details && { details }) } };
}

function parameterRequests(target: Target, turn: number): BadRequest[] {
  const plain = target.plain(ids);
  const inPath = target.pathFields.flatMap((name, field) =>
    sample(BAD_SEGMENTS, ONE_OF, turn + field).map((bad): BadRequest => ({
      says: `${name} in the path = ${bad.name}`,
      field: null,
      draft: { ...plain, path: { ...plain.path, [name]: bad.encoded } },
      // An unknown id is always refused. An unknown token would be redirected to the default campaign, but this account has none.
      refused: true,
    })),
  );
  const inQuery = target.queryFields.flatMap(({ name, schema, isValid }, field) => {
    const request = (says: string, query: string, refused: boolean): BadRequest => ({
      says: `${name} in the query = ${says}`,
      field: name === 'account_id' ? null : name,
      draft: { ...plain, query },
      refused,
    });
    const addTo = (query: string) => (draft: Draft) => ({ ...draft, query: [draft.query, query].filter(Boolean).join('&') });
    return [
      ...sample(badParametersFor(kindOf(schema)), ONE_OF, turn + field).map(
        ({ name: says, encoded, refused = false }): BadRequest => {
          const query = `${name}=${encoded}`;
          return {
            ...request(says, query, name !== 'account_id' && (refused || !isValid(read(encoded, schema)))),
            ...(refused ? {} : { addTo: addTo(query) }),
          };
        },
      ),
      ...(schema.type === 'array' || name === 'account_id' ? [] : [request('given twice', `${name}=1&${name}=2`, true)]),
    ];
  });
  const foreign = (target.name === 'GET /t/{token}' ? [] : ['no_such_field', '__proto__']).map((name): BadRequest => ({
    says: `${name} in the query`,
    field: name,
    draft: { ...plain, query: `${name}=1` },
    refused: true,
  }));
  return [...inPath, ...inQuery, ...(target.name.startsWith('trpc') ? [] : foreign)];
}

/** Converts a parameter to the number, boolean or array that its schema asks for. */
function read(encoded: string, schema: InputSchema): unknown {
  const text = new URLSearchParams(`x=${encoded}`).get('x')!;
  if (schema.type === 'array') return text.split(',');
  if (schema.type === 'integer' || schema.type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (schema.type === 'boolean')
    return ({ true: true, '1': true, false: false, '0': false } as Record<string, unknown>)[text] ?? text;
  return text;
}

async function outcome(target: Target, request: BadRequest): Promise<{ reply: Reply | null; problem: string | null }> {
  tried += 1;
  try {
    const reply = await answerOf(target, request.draft);
    if (reply.status < 400) return { reply, problem: request.refused ? `is taken, with ${reply.status}` : null };
    return { reply, problem: problemOfRefusal(reply, request.refused ? request.field : null) };
  } catch (error) {
    return { reply: null, problem: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Groups requests that violate the contract. The requests of a group have bad values in different fields, so that the group can be sent as one
 * request.
 */
function batchesOf(requests: readonly BadRequest[]): BadRequest[][] {
  const batches: { fields: Set<string>; requests: BadRequest[] }[] = [];
  for (const request of requests) {
    const field = request.addTo && request.field !== null ? topLevel(request.field) : null;
    const free =
      field === null ? undefined : batches.find(({ fields }) => fields.size > 0 && fields.size < BATCH && !fields.has(field));
    if (free) {
      free.fields.add(field!);
      free.requests.push(request);
    } else batches.push({ fields: new Set(field === null ? [] : [field]), requests: [request] });
  }
  return batches.map(({ requests }) => requests);
}

function topLevel(field: string): string {
  return field.split('.')[0]!;
}

/** Sends a batch as one request. True if the response is a documented refusal that names the bad field of every request in the batch. */
async function isRefusedAtOnce(target: Target, batch: readonly BadRequest[], plain: Draft): Promise<boolean> {
  const draft = batch.reduce((draft, { addTo }) => addTo!(draft), plain);
  const reply = await answerOf(target, draft).catch(() => null);
  if (reply === null || (reply.body as { code?: string }).code !== 'VALIDATION_ERROR' || problemOfRefusal(reply) !== null)
    return false;
  const named = new Set((reply.body as { details: { path: string }[] }).details.map(({ path }) => topLevel(path)));
  return batch.every(({ field }) => named.has(topLevel(field!)));
}

/** Sends requests that violate the contract. They may run concurrently, because they change nothing. Returns the problems of their responses. */
async function problemsOfRefused(target: Target, requests: BadRequest[]): Promise<string[]> {
  const plain = target.plain(ids);
  const pending = batchesOf(requests);
  const problems: string[] = [];
  const worker = async () => {
    for (let batch = pending.pop(); batch; batch = pending.pop()) {
      if (batch.length > 1 && (await isRefusedAtOnce(target, batch, plain))) {
        tried += batch.length;
        continue;
      }
      // The response may have reported only some of the bad values, so each value is now sent in a separate request.
      for (const request of batch) {
        const { problem } = await outcome(target, request);
        if (problem !== null) problems.push(`${request.says}: ${problem}`);
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  const written = await changes.take();
  return written.length > 0 ? [...problems, `was written: ${[...new Set(written)].join(', ')}`] : problems;
}

/**
 * Leaves out the rows of a file that was stored while it arrived, and deleted when it was refused. A table keeps its changes if not every inserted row
 * was deleted.
 */
function withoutArrivals(written: string[]): string[] {
  const count = (change: string) => written.filter((one) => one === change).length;
  const isGone = (table: string) => {
    const inserted = count(`${table} INSERT`);
    return inserted > 0 && inserted === count(`${table} DELETE`);
  };
  const gone = ['upload', 'file_part'].filter(isGone);
  return written.filter((change) => !gone.some((table) => change.startsWith(`${table} `)));
}

/** Sends requests that the contract allows, one after the other. Checks that refused requests write nothing. Returns the problems. */
async function problemsOfAllowed(target: Target, requests: BadRequest[]): Promise<string[]> {
  const problems: string[] = [];
  for (const request of requests) {
    const { reply, problem } = await outcome(target, request);
    if (problem !== null) problems.push(`${request.says}: ${problem}`);
    const written = reply !== null && target.method === 'GET' && target.name !== 'GET /t/{token}' ? [] : await changes.take();
    if (reply !== null && reply.status >= 400 && withoutArrivals(written).length > 0)
      problems.push(`${request.says}: is refused with ${reply.status}, but was written: ${written.join(', ')}`);
  }
  return problems;
}

const TARGETS = [...REST_TARGETS, ...TRPC_TARGETS];
const made = new Map<Target, BadRequest[]>();

/** Cached, because validating the requests by the schema takes as long as sending them. */
function requestsTo(target: Target): BadRequest[] {
  let requests = made.get(target);
  const turn = TARGETS.indexOf(target);
  if (!requests) made.set(target, (requests = [...parameterRequests(target, turn), ...bodyRequests(target, turn)]));
  return requests;
}

describe('input that violates the contract is refused, and changes nothing', () => {
  it.each(TARGETS)('$name', async (target) => {
    const refused = requestsTo(target).filter((request) => request.refused);
    expect(await problemsOfRefused(target, refused)).toEqual([]);
  });
});

// Runs after the other tests, because these requests may take effect.
describe('input that the contract allows is accepted or refused', () => {
  it.each(TARGETS)('$name', async (target) => {
    const allowed = requestsTo(target).filter((request) => !request.refused);
    expect(await problemsOfAllowed(target, allowed)).toEqual([]);
  });
});

it('covers every operation and every procedure', () => {
  expect(REST_TARGETS.length).toBeGreaterThan(45);
  expect(TRPC_TARGETS.length).toBeGreaterThan(20);
  expect(tried).toBeGreaterThan(THOROUGH ? 10_000 : 600);
});
