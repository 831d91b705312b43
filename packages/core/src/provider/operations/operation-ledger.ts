import { type ExpressionBuilder, sql } from 'kysely';
import { advisoryLock } from '../../platform/call/advisory-lock.ts';
import { callerId } from '../../platform/call/caller.ts';
import { ApiError, invalid } from '../../platform/errors/errors.ts';
import { checkIdempotencyKey } from '../../platform/idempotency/idempotency.ts';
import { newId } from '../../platform/wire/ids.ts';
import type { Ctx, Services, WriteCtx } from '../../platform/call/context.ts';
import { plusMilliseconds } from '../../platform/time/instant.ts';
import type { TableRow, Tables } from '../../platform/db/tables.ts';
import { inTransaction } from '../../platform/call/transaction.ts';

/** How long an operation answers for its key (docs/domain-rules.md#provider-operations). */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** An operation is taken for running until its lease ends; the process that runs it renews the lease. */
const LEASE_SECONDS = 3;
const RENEWAL_MS = 1_000;

/** What is asked of the payment provider, before it is asked. */
export interface OperationRequest {
  kind: 'import' | 'create' | 'affiliate_coupon';
  livemode: boolean;
  /** What no two operations may try at once, such as `code:jane20`. */
  subject: string;
  /** Null for an operation that only its subject stands for: the same request again takes it up. */
  idempotencyKey: string | null;
  fingerprint: string;
}

/** An operation that this process runs now. */
export interface RunningOperation {
  id: string;
  /** Counts the idempotency keys used at the provider; see `providerKey`. */
  attempt: number;
  /** An earlier attempt may have reached the provider: ask there before doing anything. */
  resumed: boolean;
}

export interface OperationResponse<Body> {
  status: number;
  body: Body;
}

export type Begun<Body> = { run: RunningOperation } | { replay: OperationResponse<Body> };

/**
 * Enters an operation in the ledger, committed before the provider is called (docs/domain-rules.md#provider-operations), or takes
 * up the one that the key stands for.
 *
 * @throws OPERATION_PENDING while another request runs it; RECONCILIATION_REQUIRED while the outcome of another operation on the
 * same subject is open; VALIDATION_ERROR when the key stands for another request
 */
export async function beginOperation<Body>(ctx: Ctx, request: OperationRequest): Promise<Begun<Body>> {
  if (request.idempotencyKey !== null) checkIdempotencyKey(request.idempotencyKey);
  return inTransaction(ctx, async (tx) => {
    if (request.idempotencyKey !== null)
      await advisoryLock(tx, `psp operation key ${callerId(ctx.principal)} ${request.idempotencyKey}`);
    await advisoryLock(tx, `psp operation subject ${request.livemode} ${request.subject}`);
    const known = request.idempotencyKey === null ? await sameOpen(tx, request) : await operationOfKey(tx, request);
    if (known) return resume<Body>(tx, known, request);
    await assertNoneOpen(tx, request);
    return { run: await enter(tx, request) };
  });
}

/** Runs `work` with the operation's lease held, and gives it back whatever becomes of it. */
export async function holdingLease<T>({ database, log }: Services, id: string, work: () => Promise<T>): Promise<T> {
  const renewal = setInterval(() => {
    database.kysely
      .updateTable('psp_operation')
      .set({ leased_until: leaseEnd() })
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .execute()
      .catch((err: unknown) => log.warn({ err, operation_id: id }, 'could not renew the lease of an operation'));
  }, RENEWAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await database.kysely.updateTable('psp_operation').set({ leased_until: null }).where('id', '=', id).execute();
  }
}

/** The key of the operation at the provider: its own id, and another one only after the provider has settled on failing that. */
export function providerKey({ id, attempt }: RunningOperation): string {
  return attempt === 1 ? id : `${id}-${attempt}`;
}

/** The provider keeps answering this attempt with a fault it remembers: the next one gets a key of its own. */
export async function nextAttempt(ctx: Ctx, operation: RunningOperation): Promise<RunningOperation> {
  const { attempt } = await ctx.services.database.kysely
    .updateTable('psp_operation')
    .set((eb) => ({ attempt: eb('attempt', '+', 1), updated_at: ctx.now }))
    .where('id', '=', operation.id)
    .returning('attempt')
    .executeTakeFirstOrThrow();
  return { ...operation, attempt };
}

/**
 * Commits the outcome: `record` writes what came of the operation and makes the response, in the transaction that closes it.
 * When another request was faster, its response is returned and nothing is written.
 */
export async function finishOperation<Body>(
  ctx: Ctx,
  { id }: RunningOperation,
  record: (tx: WriteCtx) => Promise<OperationResponse<Body>>,
): Promise<OperationResponse<Body>> {
  return inTransaction(ctx, async (tx) => {
    const row = await tx.db.selectFrom('psp_operation').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
    if (row.state === 'succeeded') return responseOf<Body>(row);
    const response = await record(tx);
    await tx.em.flush();
    await tx.db
      .updateTable('psp_operation')
      .set({
        state: 'succeeded',
        response_status: response.status,
        response_body: JSON.stringify(response.body),
        updated_at: ctx.now,
      })
      .where('id', '=', id)
      .execute();
    return response;
  });
}

/** Nothing was done, and nothing will be: the key and the subject are free again. */
export async function failOperation(ctx: Ctx, { id }: RunningOperation): Promise<void> {
  await ctx.services.database.kysely
    .updateTable('psp_operation')
    .set({ state: 'failed', idempotency_key: null, updated_at: ctx.now })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}

export function operationPending(operationId: string): ApiError {
  return new ApiError(
    'OPERATION_PENDING',
    'The outcome of this operation is not known yet. Send the same request again, with the same Idempotency-Key.',
    { operation_id: operationId },
  );
}

async function operationOfKey(tx: WriteCtx, { idempotencyKey }: OperationRequest) {
  const row = await tx.db
    .selectFrom('psp_operation')
    .selectAll()
    .where('account_id', '=', tx.accountId)
    .where('caller_id', '=', callerId(tx.principal))
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
  if (!row || row.state === 'pending' || row.created_at > plusMilliseconds(tx.now, -KEPT_MS)) return row;
  await tx.db.updateTable('psp_operation').set({ idempotency_key: null }).where('id', '=', row.id).execute();
  return undefined;
}

async function resume<Body>(tx: WriteCtx, row: TableRow<'psp_operation'>, request: OperationRequest): Promise<Begun<Body>> {
  if (row.fingerprint !== request.fingerprint) {
    throw invalid('Idempotency-Key', 'This key was used with another request', 'idempotency_key_reused');
  }
  if (row.state === 'succeeded') return { replay: responseOf<Body>(row) };
  const taken = await tx.db
    .updateTable('psp_operation')
    .set({ leased_until: leaseEnd(), updated_at: tx.now })
    .where('id', '=', row.id)
    .where(leaseIsOver)
    .returning(['id', 'attempt'])
    .executeTakeFirst();
  if (!taken) throw operationPending(row.id);
  return { run: { ...taken, resumed: true } };
}

/** The open operation on a subject, such as one that was interrupted. */
export async function findOpenOperation(
  { db, accountId }: Pick<Ctx, 'db' | 'accountId'>,
  { livemode, subject }: Pick<OperationRequest, 'livemode' | 'subject'>,
): Promise<TableRow<'psp_operation'> | undefined> {
  return db
    .selectFrom('psp_operation')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .where('subject', '=', subject)
    .where('state', '=', 'pending')
    .executeTakeFirst();
}

async function sameOpen(tx: WriteCtx, request: OperationRequest) {
  const open = await findOpenOperation(tx, request);
  return open?.fingerprint === request.fingerprint ? open : undefined;
}

/**
 * An operation that nobody took up for a day stands in nobody's way any more. Should it have made the code after all, the
 * provider has it, and says so when the next one is tried.
 */
async function assertNoneOpen(tx: WriteCtx, request: OperationRequest): Promise<void> {
  const { livemode, subject } = request;
  await tx.db
    .updateTable('psp_operation')
    .set({ state: 'failed', idempotency_key: null, updated_at: tx.now })
    .where('account_id', '=', tx.accountId)
    .where('livemode', '=', livemode)
    .where('subject', '=', subject)
    .where('state', '=', 'pending')
    .where('updated_at', '<=', plusMilliseconds(tx.now, -KEPT_MS))
    .where(leaseIsOver)
    .execute();
  const open = await findOpenOperation(tx, request);
  if (!open) return;
  throw new ApiError(
    'RECONCILIATION_REQUIRED',
    'The outcome of an earlier operation on this code is still open. Send that request again, with its own Idempotency-Key, first.',
    { operation_id: open.id },
  );
}

async function enter(tx: WriteCtx, request: OperationRequest): Promise<RunningOperation> {
  const id = newId('operation', tx.clock.now());
  await tx.db
    .insertInto('psp_operation')
    .values({
      id,
      account_id: tx.accountId,
      caller_id: callerId(tx.principal),
      idempotency_key: request.idempotencyKey,
      fingerprint: request.fingerprint,
      kind: request.kind,
      livemode: request.livemode,
      subject: request.subject,
      state: 'pending',
      attempt: 1,
      leased_until: leaseEnd(),
      response_status: null,
      response_body: null,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .execute();
  return { id, attempt: 1, resumed: false };
}

function leaseIsOver(eb: ExpressionBuilder<Tables, 'psp_operation'>) {
  return eb.or([eb('leased_until', 'is', null), eb('leased_until', '<', sql<string>`clock_timestamp()`)]);
}

/** By the database's own clock: processes that share an operation need not agree about the time. */
function leaseEnd() {
  return sql<string>`clock_timestamp() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`;
}

function responseOf<Body>(row: TableRow<'psp_operation'>): OperationResponse<Body> {
  return { status: row.response_status ?? 200, body: row.response_body as Body };
}
