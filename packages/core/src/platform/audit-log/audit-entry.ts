import { post } from '@affiliate/postgres';
import { type InsertObject, sql } from 'kysely';
import { callerId } from '../call/caller.ts';
import type { Ctx, PersonCtx, Principal, Services, WriteCtx } from '../call/context.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import type { ErrorCode } from '../errors/error-table.ts';
import { toInstant, type Instant } from '../time/instant.ts';
import { newId, isRecordId } from '../wire/ids.ts';
import { redact } from './redact.ts';

/** Maximum number of records by which an entry is found. */
const MAX_SUBJECTS = 1_000;
/** Maximum depth of arguments in which ids are looked for. */
const MAX_DEPTH = 8;

/** Names of arguments that identify a record: `id`, `affiliate_id`, `ids`, `payout_ids`. */
const ID_FIELD = /^(?:\w+_)?ids?$/;

/** Result of a call: a record, or the records of a bulk call. */
interface Returned {
  id?: unknown;
  affiliate_id?: unknown;
  data?: unknown;
}

/**
 * Returns the ids of the records that the arguments of a call name, of those that the call returned, and of the affiliate to whom the returned record
 * belongs, at most 1,000.
 */
export function subjectIds(given: unknown, returned?: unknown): string[] {
  const { id, affiliate_id, data } = (returned ?? {}) as Returned;
  const items = Array.isArray(data) ? data.map((item: { record?: Returned | null }) => item?.record?.id) : [];
  const ids = [id, affiliate_id, ...items, ...idsIn(given, 0)].filter(
    (id) => typeof id === 'string' && isRecordId(id),
  ) as string[];
  return [...new Set(ids)].slice(0, MAX_SUBJECTS);
}

function idsIn(given: unknown, depth: number): unknown[] {
  if (typeof given !== 'object' || given === null || depth > MAX_DEPTH) return [];
  if (Array.isArray(given)) return given.flatMap((item) => idsIn(item, depth + 1));
  return Object.entries(given).flatMap(([name, value]) =>
    ID_FIELD.test(name) ? ([value].flat() as unknown[]) : idsIn(value, depth + 1),
  );
}

declare module '../db/tables.ts' {
  interface Tables {
    /** Entries of the audit log (docs/rules/identity.md#audit-log). An entry changes only once, when its outcome is added. */
    audit_log: {
      id: string;
      account_id: string;
      caller_kind: string;
      caller_id: string;
      tool: string;
      action: string;
      arguments: unknown;
      preview: boolean;
      outcome: string | null;
      request_id: string;
      created_at: Instant;
      completed_at: Instant | null;
    };
    /** The records that an entry concerns: those that the arguments name, and the record that the call returned. */
    audit_subject: {
      account_id: string;
      subject_id: string;
      entry_id: string;
    };
  }
}

/** A call whose entry is written before it begins: a call by an AI assistant, or an operation at the payment provider. */
interface AuditedCall {
  tool: string;
  action: string;
  arguments: unknown;
  preview: boolean;
  requestId: string;
}

/** A change whose entry is written in the same transaction as the change. */
interface AuditedChange {
  tool: string;
  action: string;
  arguments: unknown;
}

/** Outcome of a call. `replayed` means that the call returned the stored response of an earlier call with the same idempotency key. */
export type AuditOutcome = 'succeeded' | 'replayed' | ErrorCode;

/**
 * Records a call before it begins, so that the log holds every call even if the process is killed.
 *
 * @returns the entry's id, for `completeAuditEntry`
 */
export async function beginAuditEntry(services: Services, principal: Principal, call: AuditedCall): Promise<string> {
  const id = newId('audit_entry', services.clock.now());
  const entry = entryOf(services.database.kysely, {
    id,
    account_id: principal.account_id,
    caller_kind: principal.kind,
    caller_id: callerId(principal),
    tool: call.tool,
    action: call.action,
    arguments: sql`${JSON.stringify(redact(call.arguments))}::jsonb`,
    preview: call.preview,
    outcome: null,
    request_id: call.requestId,
    created_at: toInstant(services.clock.now()),
    completed_at: null,
  });
  await withSubjects(entry, subjectIds(call.arguments)).execute();
  return id;
}

/** Begins a statement with the part `entry`, which inserts an entry. */
function entryOf(db: Db, values: InsertObject<Tables, 'audit_log'>) {
  return db.with('entry', (query) => query.insertInto('audit_log').values(values).returning(['id', 'account_id']));
}

/** Completes a statement with the part `entry`: notes the records that the entry concerns. */
function withSubjects(statement: ReturnType<typeof entryOf>, subjects: readonly string[]) {
  return statement
    .insertInto('audit_subject')
    .columns(['account_id', 'subject_id', 'entry_id'])
    .expression((query) =>
      query
        .selectFrom(['entry', sql<{ id: string }>`unnest(${subjects}::text[])`.as<'subject'>(sql`subject (id)`)])
        .select(['entry.account_id', 'subject.id as subject_id', 'entry.id as entry_id']),
    )
    .onConflict((conflict) => conflict.doNothing());
}

/** Moves the entry of a call that found nothing to the account in which the call is made again, as an entry of a call that begins. */
export async function moveAuditEntry({ database }: Services, id: string, account_id: string): Promise<void> {
  await database.kysely
    .with('entry', (query) =>
      query
        .updateTable('audit_log')
        .set({ account_id, outcome: null, completed_at: null })
        .where('id', '=', id)
        .returning('audit_log.id'),
    )
    .updateTable('audit_subject')
    .from('entry')
    .set({ account_id })
    .whereRef('entry_id', '=', 'entry.id')
    .execute();
}

/**
 * Records a change in the transaction that makes it. Not awaited: a failure undoes the transaction.
 *
 * @param returned result of the call. If it is a record, the entry also concerns that record
 */
export function recordAuditedChange(
  ctx: Pick<WriteCtx, 'db' | 'accountId' | 'principal' | 'clock' | 'now' | 'requestId'>,
  change: AuditedChange,
  returned?: unknown,
): void {
  const entry = entryOf(ctx.db, {
    id: newId('audit_entry', ctx.clock.now()),
    account_id: ctx.accountId,
    caller_kind: ctx.principal.kind,
    caller_id: callerId(ctx.principal),
    tool: change.tool,
    action: change.action,
    arguments: sql`${JSON.stringify(redact(change.arguments))}::jsonb`,
    preview: false,
    outcome: 'succeeded',
    request_id: ctx.requestId,
    created_at: ctx.now,
    completed_at: ctx.now,
  });
  post(ctx.db, withSubjects(entry, subjectIds(change.arguments, returned)).compile());
}

/**
 * Records the outcome of a call. Never throws, because the call has already happened. If the outcome cannot be stored, the entry stays
 * without one.
 *
 * @param returned result of the call, unless it was a preview. If it is a record, the entry also concerns that record
 */
export async function completeAuditEntry(
  { database, clock, log }: Services,
  id: string,
  outcome: AuditOutcome,
  returned?: unknown,
): Promise<void> {
  try {
    const entry = database.kysely.with('entry', (query) =>
      query
        .updateTable('audit_log')
        .set({ outcome, completed_at: toInstant(clock.now()) })
        .where('id', '=', id)
        .returning(['id', 'account_id']),
    );
    await withSubjects(entry, subjectIds(null, returned)).execute();
  } catch (error) {
    log.error({ err: error, audit_entry: id, outcome }, 'the outcome of an audited call could not be stored');
  }
}

/**
 * Reports whether a write must be recorded in the audit log (docs/rules/identity.md#audit-log). False for assistants, because the
 * MCP server itself records their writes.
 *
 * @param facts the write reports facts (`Meta.facts`)
 */
export function isAudited({ principal, surface, preview }: Pick<Ctx, 'principal' | 'surface' | 'preview'>, facts = false) {
  if (surface === 'mcp' || preview) return false;
  return principal.kind === 'session' || (principal.kind === 'api_key' && !facts);
}

/**
 * Converts the path of a procedure to the tool and action by which assistants call it: `payoutRuns.create` is the action
 * `create` of the tool `payout_runs`.
 */
export function auditedName(path: string): { tool: string; action: string } {
  const [room = '', name = ''] = path.split('.');
  return { tool: snakeCase(room), action: snakeCase(name) };
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** Adds a write to the audit log, in the same transaction as the write. */
export function recordWrite(ctx: WriteCtx, path: string, input: unknown, output: unknown): void {
  recordAuditedChange(ctx, { ...auditedName(path), arguments: input ?? {} }, output);
}

/** Adds a change that a signed-in person makes to an account to the audit log, in the same transaction as the change. */
export function recordPersonalWrite(
  { services, requestId, session }: PersonCtx,
  db: Db,
  change: { accountId: string; tool: string; action: string; arguments: unknown },
): void {
  const { accountId, ...what } = change;
  const principal = { kind: 'session', ...session, account_id: accountId, role: 'member' } as const;
  const { clock } = services;
  recordAuditedChange({ db, accountId, principal, clock, now: toInstant(clock.now()), requestId }, what);
}
