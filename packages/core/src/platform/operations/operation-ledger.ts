/**
 * The ledger of writes to systems outside, e.g. a payment provider or a rail of payouts (docs/rules/platform.md#operations). A write is an
 * operation: a row of `operation` that is committed before the system is called. No transaction is open during the call.
 *
 * An operation may have an Idempotency-Key, which follows the rules of platform/idempotency. While the operation is open, no other
 * operation on the same subject can begin, even with a different key. A concurrent request with the same key gets OPERATION_PENDING while
 * the operation's lease lasts, and resumes the operation once the lease has ended.
 *
 * If a process dies
 * - before `beginOperation` has committed, nothing is left behind.
 * - after that, but before `finishOperation` has committed, a pending operation is left whose lease runs out. The next request resumes the
 *   operation (`resumed`) and first asks the system whether the write took effect. The system knows the operation's id as the idempotency key and,
 *   where it stores metadata, as part of them.
 * - after `finishOperation` has committed, only the response is missing. The next request gets the stored response.
 *
 * Operations are the record of the writes outside. They are purged long after their keys and leases have ended.
 */
import { type ExpressionBuilder, sql, type ColumnType } from 'kysely';
import { callerId } from '../call/caller.ts';
import type { Ctx, WriteCtx } from '../call/context.ts';
import { advisoryLock, lockRows } from '../call/locks.ts';
import { inTransaction } from '../call/transaction.ts';
import type { TableRow, Tables } from '../db/tables.ts';
import { DomainError } from '../errors/errors.ts';
import { assertSameRequest, idempotencyCutoff, validateIdempotencyKey } from '../idempotency/key-rules.ts';
import type { StoredResponse } from '../idempotency/key-store.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import { type Instant, plusMilliseconds } from '../time/instant.ts';
import { newId } from '../wire/ids.ts';
import {
  type OperationKind,
  type OperationKinds,
  type OperationRequest,
  type RunningOperation,
  OutsideError,
} from './operation.ts';

declare module '../db/tables.ts' {
  interface Tables {
    /** Only this file reads and writes this table. */
    operation: {
      id: string;
      account_id: string;
      caller_id: string;
      idempotency_key: string | null;
      fingerprint: string;
      kind: string;
      subject: string;
      state: 'pending' | 'succeeded' | 'failed';
      attempt: number;
      leased_until: Instant | null;
      /** Null for operations that only the same request can finish. */
      input: ColumnType<unknown, string | null, string | null>;
      response_status: number | null;
      response_body: ColumnType<unknown, string | null, string | null>;
      created_at: Instant;
      updated_at: Instant;
    };
  }
}

/** Time after which a pending operation that nobody has resumed no longer blocks its subject. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/** Length of the lease. An operation counts as running until its lease ends; the process that runs it renews the lease. */
const LEASE_SECONDS = 3;
const RENEWAL_MS = 1_000;

/** SQL condition with the state as a literal, because the index of pending operations is partial. */
const IS_PENDING = sql<boolean>`(operation.state = 'pending')`;

type Begun<Body> = { run: RunningOperation } | { replay: StoredResponse<Body> };

/**
 * Adds an operation to the ledger and commits it, or resumes the operation with the same key or subject. Locks the key and then the subject
 * until the commit, so that a concurrent request waits and then finds the row.
 *
 * @throws OPERATION_PENDING while another request runs the operation; RECONCILIATION_REQUIRED while another operation on the subject is
 * open; VALIDATION_ERROR when the key was used for another request
 */
export async function beginOperation<Body>(ctx: Ctx, request: OperationRequest): Promise<Begun<Body>> {
  if (request.idempotencyKey !== null) validateIdempotencyKey(request.idempotencyKey);
  return inTransaction(ctx, async (tx) => {
    if (request.idempotencyKey !== null)
      await advisoryLock(tx, 'operation key', `${callerId(ctx.principal)} ${request.idempotencyKey}`);
    await advisoryLock(tx, 'operation subject', request.subject);
    const known = request.idempotencyKey === null ? await sameOpen(tx, request) : await operationOfKey(tx, request);
    if (known) return resume<Body>(tx, known, request);
    await assertNoneOpen(tx, request);
    return { run: await enter(tx, request) };
  });
}

/**
 * Runs `work` while holding the operation's lease, and releases the lease at the end, even if `work` throws. A process that cannot renew
 * the lease continues. That is safe, because a process that resumes the operation uses the same key.
 */
export async function holdingLease<T>({ services, accountId }: Ctx, id: string, work: () => Promise<T>): Promise<T> {
  const { database, log } = services;
  const renewal = setInterval(() => {
    database.kysely
      .updateTable('operation')
      .set({ leased_until: leaseEnd() })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where(IS_PENDING)
      .execute()
      .catch((err: unknown) => log.warn({ err, operation_id: id }, 'could not renew the lease of an operation'));
  }, RENEWAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    const operation = database.kysely.updateTable('operation').where('account_id', '=', accountId).where('id', '=', id);
    await operation.set({ leased_until: null }).execute();
  }
}

/** Returns the operation's idempotency key outside: its id, with a suffix from the second attempt on. */
export function outsideKey({ id, attempt }: RunningOperation): string {
  return attempt === 1 ? id : `${id}-${attempt}`;
}

/**
 * Starts another attempt with a new key. Needed where the system outside answers the current key with the stored error of an earlier
 * attempt.
 */
export async function nextAttempt(ctx: Ctx, operation: RunningOperation): Promise<RunningOperation> {
  const { attempt } = await ctx.services.database.kysely
    .updateTable('operation')
    .set((eb) => ({ attempt: eb('attempt', '+', 1), updated_at: ctx.now }))
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', operation.id)
    .returning('attempt')
    .executeTakeFirstOrThrow();
  return { ...operation, attempt };
}

/**
 * Makes the call of an operation. If it is answered with the stored error of an earlier attempt, makes it once more with a new key. A refusal
 * closes the operation.
 *
 * @throws OPERATION_PENDING if the outcome is unknown; OutsideError for a refusal
 */
export async function callForOperation<T>(ctx: Ctx, operation: RunningOperation, call: (key: string) => Promise<T>): Promise<T> {
  try {
    return await call(outsideKey(operation)).catch(async (error: unknown) => {
      if (error instanceof OutsideError && error.replayed) return call(outsideKey(await nextAttempt(ctx, operation)));
      throw error;
    });
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    if (error.outcomeUnknown) throw operationPending(operation.id);
    await failOperation(ctx, operation);
    throw error;
  }
}

/**
 * Closes an operation: `record` writes the outcome and creates the response, in one transaction with the stored response. If another
 * request has already closed the operation, returns the response of that request and writes nothing.
 */
export async function finishOperation<Body>(
  ctx: Ctx,
  { id }: RunningOperation,
  record: (tx: WriteCtx) => Promise<StoredResponse<Body>>,
): Promise<StoredResponse<Body>> {
  return inTransaction(ctx, async (tx) => {
    const [row] = await lockRows(
      tx,
      'operation',
      tx.db.selectFrom('operation').selectAll().where('account_id', '=', tx.accountId).where('id', '=', id),
    );
    if (!row) throw new Error(`There is no operation ${id}.`);
    if (row.state === 'succeeded') return responseOf<Body>(row);
    const response = await record(tx);
    await tx.db
      .updateTable('operation')
      .set({
        state: 'succeeded',
        response_status: response.status,
        response_body: JSON.stringify(response.body),
        updated_at: ctx.now,
      })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .execute();
    return response;
  });
}

/** Closes an operation that is known to have changed nothing outside. A new operation can then use the same key and the same subject. */
export async function failOperation(ctx: Ctx, { id }: RunningOperation): Promise<void> {
  await ctx.services.database.kysely
    .updateTable('operation')
    .set({ state: 'failed', idempotency_key: null, updated_at: ctx.now })
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id)
    .where(IS_PENDING)
    .execute();
}

export function operationPending(operationId: string): DomainError {
  return new DomainError('OPERATION_PENDING', PLATFORM_REASONS.outcome_still_unknown, { operation_id: operationId });
}

/** Finds the operation with the caller's idempotency key. If the operation is closed and its key has expired, frees the key and returns undefined. */
async function operationOfKey(tx: WriteCtx, { idempotencyKey }: OperationRequest) {
  const row = await tx.db
    .selectFrom('operation')
    .selectAll()
    .where('account_id', '=', tx.accountId)
    .where('caller_id', '=', callerId(tx.principal))
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
  if (!row || row.state === 'pending' || row.created_at > idempotencyCutoff(tx.now)) return row;
  const expired = tx.db.updateTable('operation').where('account_id', '=', tx.accountId).where('id', '=', row.id);
  await expired.set({ idempotency_key: null }).execute();
  return undefined;
}

/**
 * Returns the response of a closed operation, or resumes a pending operation whose lease has ended. Throws OPERATION_PENDING while the
 * lease lasts.
 */
async function resume<Body>(tx: WriteCtx, row: TableRow<'operation'>, request: OperationRequest): Promise<Begun<Body>> {
  assertSameRequest(row.fingerprint, request.fingerprint);
  if (row.state === 'succeeded') return { replay: responseOf<Body>(row) };
  const taken = await tx.db
    .updateTable('operation')
    .set({ leased_until: leaseEnd(), updated_at: tx.now })
    .where('account_id', '=', tx.accountId)
    .where('id', '=', row.id)
    .where(leaseIsOver)
    .returning(['id', 'attempt'])
    .executeTakeFirst();
  if (!taken) throw operationPending(row.id);
  return { run: { ...taken, resumed: true } };
}

/** Finds the pending operation on a subject, running or interrupted. */
export async function findOpenOperation(
  { db, accountId }: Pick<Ctx, 'db' | 'accountId'>,
  { subject }: Pick<OperationRequest, 'subject'>,
): Promise<TableRow<'operation'> | undefined> {
  return db
    .selectFrom('operation')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('subject', '=', subject)
    .where(IS_PENDING)
    .executeTakeFirst();
}

/** True if the account has an operation of this kind with this id. */
export async function hasOperation({ db, accountId }: Ctx, kind: OperationKind, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('operation')
    .select('id')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** A pending operation that any member can finish. */
export type OpenOperation<Kind extends OperationKind> = Omit<TableRow<'operation'>, 'kind' | 'input'> & {
  kind: Kind;
  input: OperationKinds[Kind];
  is_running: boolean;
};

/** Finds the account's pending operations of these kinds, oldest first. Leaves out abandoned ones, which no longer block their subject. */
export async function findOpenOperations<Kind extends OperationKind>(
  { db, accountId, now }: Ctx,
  kinds: readonly Kind[],
): Promise<OpenOperation<Kind>[]> {
  const rows = await db
    .selectFrom('operation')
    .selectAll()
    .select(sql<boolean>`coalesce(leased_until >= clock_timestamp(), false)`.as('is_running'))
    .where('account_id', '=', accountId)
    .where(IS_PENDING)
    .where('kind', 'in', kinds)
    .where('updated_at', '>', plusMilliseconds(now, -ABANDONED_MS))
    .orderBy('id')
    .execute();
  return rows as OpenOperation<Kind>[];
}

/** Finds the pending operation on the subject if it has the fingerprint of this request. */
async function sameOpen(tx: WriteCtx, request: OperationRequest) {
  const open = await findOpenOperation(tx, request);
  return open?.fingerprint === request.fingerprint ? open : undefined;
}

/**
 * Throws RECONCILIATION_REQUIRED if another operation on the subject is pending. Closes an abandoned operation first. The kinds of
 * operations make that safe: the system outside refuses to write such a subject twice, or a second write has no further effect.
 */
async function assertNoneOpen(tx: WriteCtx, request: OperationRequest): Promise<void> {
  await tx.db
    .updateTable('operation')
    .set({ state: 'failed', idempotency_key: null, updated_at: tx.now })
    .where('account_id', '=', tx.accountId)
    .where('subject', '=', request.subject)
    .where(IS_PENDING)
    .where('updated_at', '<=', plusMilliseconds(tx.now, -ABANDONED_MS))
    .where(leaseIsOver)
    .execute();
  const open = await findOpenOperation(tx, request);
  if (!open) return;
  throw new DomainError('RECONCILIATION_REQUIRED', undefined, { operation_id: open.id });
}

async function enter(tx: WriteCtx, request: OperationRequest): Promise<RunningOperation> {
  const id = newId('operation', tx.clock.now());
  await tx.db
    .insertInto('operation')
    .values({
      id,
      account_id: tx.accountId,
      caller_id: callerId(tx.principal),
      idempotency_key: request.idempotencyKey,
      fingerprint: request.fingerprint,
      kind: request.kind,
      subject: request.subject,
      state: 'pending',
      attempt: 1,
      leased_until: leaseEnd(),
      input: request.input === null ? null : JSON.stringify(request.input),
      response_status: null,
      response_body: null,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .execute();
  return { id, attempt: 1, resumed: false };
}

function leaseIsOver(eb: ExpressionBuilder<Tables, 'operation'>) {
  return eb.or([eb('leased_until', 'is', null), eb('leased_until', '<', sql<string>`clock_timestamp()`)]);
}

/** SQL expression: the end of a lease that starts now. Uses the database's clock, because the clocks of the processes may differ. */
function leaseEnd() {
  return sql<string>`clock_timestamp() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`;
}

function responseOf<Body>(row: TableRow<'operation'>): StoredResponse<Body> {
  return { status: row.response_status, body: row.response_body as Body };
}
