import { asParty } from '@affiliate/postgres';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Services } from '../../platform/call/context.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import { allOf, createdRange, whatValues, whenCreated } from '../../platform/wire/filters.ts';
import { firstIdAt, newId } from '../../platform/wire/ids.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { pageInput, paginate, paginated } from '../../platform/wire/pagination.ts';
import { id, instant } from '../../platform/wire/scalars.ts';
import { fieldNames } from '../../platform/wire/wire-record.ts';

const ApiRequest = z
  .object({
    id: id('api_request'),
    key_id: id('api_key'),
    method: z.string().describe('HTTP method.').meta({ example: 'GET' }),
    path: z
      .string()
      .describe('Path without the query. Other values than IDs of records are replaced by the name of the parameter.')
      .meta({ example: '/api/v1/affiliates/aff_01k9v7m3q8e2t4r6w8y0a1b2c3' }),
    status: z
      .int()
      .describe('HTTP status of the response, or that of a canceled request if the client did not read the whole response.'),
    error_code: z.string().nullable().describe('`code` of an error.').meta({ example: null }),
    request_id: z
      .string()
      .describe('The `X-Request-Id` of the response.')
      .meta({ example: '0b0f2a36-5d0c-4c0f-8a54-1a6f8f0f7f5e' }),
    duration_ms: z.number().describe('Time until the response was sent, in milliseconds.').meta({ example: 4.2 }),
    count: z
      .int()
      .describe(
        'Number of requests. Refusals within a second with the same key, method, route, status and error code are one entry.',
      )
      .meta({ example: 1 }),
    created_at: instant(),
  })
  .meta({ id: 'ApiRequest', description: 'A request with an API key. Kept for 7 days, at most 20,000 entries a day.' });

const { page: _page, include_total: _total, ...position } = pageInput;

export const ListApiRequests = z.strictObject({
  ...position,
  key_id: id('api_key').optional().describe('Returns requests with this API key.'),
  method: z.enum(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']).optional().describe('Filters by HTTP method.'),
  failed: z.boolean().optional().describe('`true`: only requests that were answered with an error. `false`: only others.'),
  request_id: z
    .string()
    .max(128)
    .optional()
    .describe('Filters by `X-Request-Id`.')
    .meta({ example: '0b0f2a36-5d0c-4c0f-8a54-1a6f8f0f7f5e' }),
  ...createdRange,
});
export type ListApiRequests = z.infer<typeof ListApiRequests>;
export const ApiRequestPage = paginated(ApiRequest);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    api_request: ApiRequestTable;
  }
}

/** Requests with API keys (docs/rules/identity.md#api-log). Rows never change. */
interface ApiRequestTable {
  id: string;
  account_id: string;
  key_id: string;
  method: string;
  /** Path in which only ids of records are left as they were. */
  path: string;
  status: number;
  is_failure: boolean;
  error_code: string | null;
  request_id: string;
  duration_ms: number;
  /** Number of requests: more than one for equal refusals within a second. */
  count: number;
  created_at: Instant;
}

/** A request that was answered. */
interface AnsweredRequest extends Omit<ApiRequestTable, 'id' | 'created_at' | 'count'> {
  /** Template of the path. */
  route: string;
}

/** Time for which requests are gathered, in milliseconds. */
const GATHERING_MS = 1_000;
/** Maximum number of requests written in one statement. */
const MAX_BATCH = 1_000;
/** Maximum number of entries that wait to be written. Further requests are not logged. */
const MAX_WAITING = 20_000;
/** Maximum number of entries of an account and a day (UTC), 650 bytes each. Further requests are not logged. */
const MAX_A_DAY = 20_000;

/**
 * The API log of a process (docs/rules/identity.md#api-log): gathers requests, and writes them in batches outside of their transactions. Requests never wait for it. If
 * the database does not answer, entries are lost, and nothing else.
 */
class ApiLog {
  readonly #services: Services;
  #waiting: ApiRequestTable[] = [];
  /** The waiting entries of refused requests, by what makes refusals equal. */
  readonly #refusals = new Map<string, ApiRequestTable>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #lost = 0;

  constructor(services: Services) {
    this.#services = services;
  }

  record({ route, ...request }: AnsweredRequest): void {
    const { is_failure, key_id, method, status, error_code } = request;
    const kind = is_failure ? `${key_id} ${method} ${route} ${status} ${error_code}` : null;
    const equal = kind === null ? undefined : this.#refusals.get(kind);
    if (equal) {
      equal.count += 1;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING) {
      this.#lost += 1;
      return;
    }
    const now = this.#services.clock.now();
    const entry = { id: newId('api_request', now), ...request, count: 1, created_at: toInstant(now) };
    this.#waiting.push(entry);
    if (kind !== null) this.#refusals.set(kind, entry);
    this.#timer ??= setTimeout(() => void this.write(), GATHERING_MS).unref();
  }

  /** Writes the requests that wait. Never rejects. */
  async write(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    this.#timer = undefined;
    this.#writing = this.#writeAll();
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    const { log } = this.#services;
    this.#refusals.clear();
    // Requests that are answered in the meantime are gathered for the next write. Under steady load, writing them at once would never end.
    for (let left = this.#waiting.length; left > 0; left -= MAX_BATCH) {
      const batch = this.#waiting.splice(0, Math.min(left, MAX_BATCH));
      try {
        await asParty({ lane: 'write', id: 'api log' }, () => this.#insert(batch));
      } catch (err) {
        this.#lost += batch.length + this.#waiting.length;
        this.#waiting = [];
        left = 0;
        log.warn({ err }, 'requests were not written to the API log');
      }
    }
    if (this.#lost > 0) log.warn({ lost: this.#lost }, 'requests are missing in the API log');
    this.#lost = 0;
  }

  /** Writes the entries for which their accounts have room today. The lock makes the deletion of an account wait, so that it deletes the entries too. */
  async #insert(batch: readonly ApiRequestTable[]): Promise<void> {
    const { clock, database } = this.#services;
    const today = firstIdAt('api_request', new Date(`${toInstant(clock.now()).slice(0, 10)}T00:00:00Z`));
    await sql`
      with given as (
        select *, row_number() over (partition by account_id order by id) as nth
        from json_populate_recordset(null::api_request, ${JSON.stringify(batch)}::json)),
      written as materialized (
        select account.id as account_id, (
          select count(*) from (
            select from api_request earlier where earlier.account_id = account.id and earlier.id >= ${today} limit ${MAX_A_DAY}) today) as entries
        from account where id in (select account_id from given) for key share)
      insert into api_request (id, account_id, key_id, method, path, status, is_failure, error_code, request_id, duration_ms, count, created_at)
      select id, account_id, key_id, method, path, status, is_failure, error_code, request_id, duration_ms, count, created_at
      from given join written using (account_id) where entries + nth <= ${MAX_A_DAY}`.execute(database.kysely);
  }
}

const logs = new WeakMap<Database, ApiLog>();

function logOf(services: Services): ApiLog {
  let log = logs.get(services.database);
  if (!log) logs.set(services.database, (log = new ApiLog(services)));
  return log;
}

/** Adds a request to the API log of its account. The entry is written about a second later. */
export function recordApiRequest(services: Services, request: AnsweredRequest): void {
  logOf(services).record(request);
}

/** Writes the entries of the API log that this process still holds. */
export async function writeApiLog(services: Services): Promise<void> {
  await logOf(services).write();
}

const COLUMNS = fieldNames(ApiRequest);

/** Lists the requests of the last days, newest first, without counting them: there may be millions. */
export function listApiRequests(ctx: Ctx, { limit, starting_after, ending_before, ...filters }: ListApiRequests) {
  const { key_id, method, failed, request_id } = filters;
  const query = ctx.db
    .selectFrom('api_request')
    .where('account_id', '=', ctx.accountId)
    .where(allOf([...whenCreated('api_request', filters), ...whatValues({ key_id, method, is_failure: failed, request_id })]));
  const page = { page: 1, limit, starting_after, ending_before, include_total: false };
  return paginate(query, page, {
    order: listOrder('-created_at', { table: 'api_request' }),
    select: (all) => all.select(COLUMNS),
  });
}
