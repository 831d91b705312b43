import { createHash } from 'node:crypto';
import { advisoryLock, tryAdvisoryLock } from '../call/advisory-lock.ts';
import { callerId } from '../call/caller.ts';
import type { Ctx, Services, WriteCtx } from '../call/context.ts';
import { type Step, inSteps, inTransaction } from '../call/transaction.ts';
import { type MustStop, purgeInBatches } from '../db/purge-in-batches.ts';
import { DomainError, invalid } from '../errors/errors.ts';
import { type Instant, plusMilliseconds, toInstant } from '../time/instant.ts';

/*
 * Idempotency-Key: the same request sent twice takes effect once, and both copies get the same response (docs/domain-rules.md#idempotency).
 * This file holds every rule of it. A mutation picks the function that fits how its work commits:
 *
 * | Function            | The work                                  | A concurrent request with the key    | The process dies                          |
 * |---------------------|-------------------------------------------|--------------------------------------|-------------------------------------------|
 * | `onceInTransaction` | One transaction                           | 409 OPERATION_PENDING, at once       | Nothing happened, or all of it            |
 * | `onceInSteps`       | Several transactions on one record        | Joins in the work on the same record | The next request continues the work       |
 * | `onceResumable`     | Calls another system, outside transactions| Runs too; the work's locks decide    | The next request resumes or repeats it    |
 *
 * In all of them:
 * - A key is 1 to 255 printable ASCII characters. A preview ignores it.
 * - A key belongs to one caller of one account: a stored response may show a secret that no other caller may see. It is stored encrypted.
 * - A key stands for one request, by its fingerprint: the procedure and the input.
 * - Work that throws stores nothing, so the key is free again (in `onceInSteps`: unless it has begun).
 * - What is stored counts for RETENTION_MS, then it is purged.
 *
 * Writes to the payment provider keep their keys in a ledger with a table of its own (provider/operations/operation-ledger.ts), because
 * an operation outlives its request and its state. The ledger takes the rules about keys, fingerprints, retention and replays from here.
 */

const RETENTION_MS = 24 * 60 * 60 * 1000;

/** A request, as stored under its key. */
export interface KeyedRequest {
  procedure: string;
  input: unknown;
  /** Status of the response unless `ctx.reply` names one. Default: 200. */
  status?: number | undefined;
}

/** A request whose status depends on what its work began. */
export interface StepwiseRequest<Begun> {
  procedure: string;
  input: unknown;
  status: (begun: Begun) => number;
}

/** A response as it is stored for replays. Status null: the one that the procedure declares. */
export interface StoredResponse<Body = unknown> {
  status: number | null;
  body: Body;
}

/** Maps what a service returns to the response. Given by the procedure: services know no statuses. */
export type ToResponse<Result, Body> = (result: Result) => StoredResponse<Body>;

/** Work in several transactions on one record, which `begun` identifies; see `onceInSteps`. */
interface StepwiseWork<Begun, Body> {
  /** Makes all decisions in one transaction. Returns the data that the other steps need, as JSON. */
  begin: (ctx: WriteCtx) => Promise<Begun>;
  /** The remaining steps. They run again after an interruption, and may run in several processes at once. */
  proceed: (step: Step, begun: Begun) => Promise<void>;
  respond: (ctx: WriteCtx, begun: Begun) => Promise<Body>;
}

/**
 * Runs `work` and stores its response in one transaction.
 *
 * The transaction holds the key's lock until it ends. A process that dies before the commit leaves nothing behind: neither the change nor
 * the response, and the lock is gone with its connection. One that dies after the commit has done everything but answer, and the next
 * request gets the stored response.
 *
 * @throws OPERATION_PENDING, VALIDATION_ERROR, and what `work` throws
 */
export async function onceInTransaction<Body>(
  ctx: Ctx,
  request: KeyedRequest,
  work: (tx: WriteCtx) => Promise<Body>,
): Promise<Body> {
  const claim = claimOf(ctx, request);
  return inTransaction(ctx, async (tx) => {
    const known = await take<Body, never>(tx, claim);
    if (known) return replayResponse(ctx, known);
    const body = await work(tx);
    if (!claim) return body;
    await tx.em.flush();
    await store(tx, claim, { finished: true, ...responseOf(ctx, request, body) });
    return body;
  });
}

/**
 * Runs work that is too large for one transaction. `begin` takes effect once per key: its own transaction stores its result under the key.
 * The response replaces it when the work is done.
 *
 * The key is not locked between steps. A request that finds the work begun joins in: it runs `proceed` on the same record, whose steps
 * exclude each other by the record's lock. A process that dies
 * - before `begin` has committed: leaves nothing;
 * - in `proceed`: loses its last step. The next request with the key joins in; a worker may finish the record before it;
 * - before the response is stored: has done the work. The next request joins in, finds nothing left to do, and responds.
 *
 * @throws OPERATION_PENDING while another request with the key is in `begin`, VALIDATION_ERROR, and the errors of the work
 */
export async function onceInSteps<Begun, Body>(
  ctx: Ctx,
  request: StepwiseRequest<Begun>,
  { begin, proceed, respond }: StepwiseWork<Begun, Body>,
): Promise<Body> {
  const claim = claimOf(ctx, request);
  return inSteps(ctx, async (step) => {
    const known = await step(async (tx): Promise<Known<Body, Begun>> => {
      const earlier = await take<Body, Begun>(tx, claim);
      if (earlier) return earlier;
      const begun = await begin(tx);
      await tx.em.flush();
      const progress = { finished: false as const, status: request.status(begun), body: begun };
      await store(tx, claim, progress);
      return progress;
    });
    if (known.finished) return replayResponse(ctx, known);
    // The status is that of the operation that began, perhaps in an earlier request.
    ctx.reply.status = known.status;
    await proceed(step, known.body);
    return step(async (tx) => {
      const body = await respond(tx, known.body);
      await store(tx, claim, { finished: true, status: known.status, body });
      return body;
    });
  });
}

/**
 * Runs work that calls another system, and so must hold no transaction, and stores its response afterwards.
 *
 * The key is locked while it is looked up and while the response is stored, not in between. So `work` must exclude concurrent runs of
 * itself, and resume or repeat a run that was interrupted: a process that dies before the response is stored leaves the key free, and the
 * next request runs `work` again. Of two runs that both finish, the first response is kept.
 *
 * `work` passes its response to `keep` in its last transaction, so that the change and the response commit together. Limit of work that does
 * not: when the process dies after the last commit and before the response is stored, the second run repeats what the first did.
 *
 * @throws OPERATION_PENDING while another request looks up the key or stores its response, VALIDATION_ERROR, and what `work` throws
 */
export async function onceResumable<Body>(
  ctx: Ctx,
  request: KeyedRequest,
  work: (keep: KeepResponse<Body>) => Promise<Body>,
): Promise<Body> {
  const claim = claimOf(ctx, request);
  if (!claim) return work(() => Promise.resolve());
  const known = await inTransaction(ctx, (tx) => take<Body, never>(tx, claim));
  if (known) return replayResponse(ctx, known);
  let isKept = false;
  const keep: KeepResponse<Body> = async (tx, body) => {
    // Waits: the change must not fail because another request looks the key up.
    await advisoryLock(tx, lockName(tx, claim));
    if (await find(tx, claim)) return;
    await store(tx, claim, { finished: true, ...responseOf(ctx, request, body) });
  };
  const body = await work(async (tx, response) => {
    await keep(tx, response);
    isKept = true;
  });
  if (!isKept) await inTransaction(ctx, (tx) => keep(tx, body));
  return body;
}

/** Throws VALIDATION_ERROR for a key that is empty, too long or not printable ASCII. */
export function validateIdempotencyKey(key: string): void {
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw invalid('Idempotency-Key', 'Must be 1 to 255 printable ASCII characters.');
}

/** Hash of the request that a key stands for: the procedure and its input, in any order of fields. */
export function requestFingerprint(procedure: string, input: unknown): string {
  return createHash('sha256')
    .update(`${procedure}\n${canonicalJson(input)}`)
    .digest('hex');
}

/**
 * Compares a request with the one that used its key first.
 *
 * @param path the input field that holds the key, for the error
 * @throws VALIDATION_ERROR (`idempotency_key_reused`) when they differ
 */
export function assertSameRequest(
  first: string,
  fingerprint: string,
  { path, message }: { path: string; message: string } = {
    path: 'Idempotency-Key',
    message: 'This key was already used with another request. Use a new key.',
  },
): void {
  if (first !== fingerprint) throw invalid(path, message, 'idempotency_key_reused');
}

/** A key that was first used at or before this instant is free again. */
export function idempotencyCutoff(now: Instant): Instant {
  return plusMilliseconds(now, -RETENTION_MS);
}

/** Responds with a response: returns its body, and sets the status in `ctx.reply`. */
export function respondWith<Body>({ reply }: Pick<Ctx, 'reply'>, { status, body }: StoredResponse<Body>): Body {
  if (status !== null) reply.status = status;
  return body;
}

/** Responds with a stored response, and marks the reply as a replay. */
export function replayResponse<Body>(ctx: Pick<Ctx, 'reply'>, response: StoredResponse<Body>): Body {
  ctx.reply.replayed = true;
  return respondWith(ctx, response);
}

/** Deletes expired keys. Returns how many. */
export function purgeIdempotencyKeys({ database, clock }: Services, mustStop?: MustStop): Promise<number> {
  const before = idempotencyCutoff(toInstant(clock.now()));
  return purgeInBatches(async (limit) => {
    const { numDeletedRows } = await database.kysely
      .deleteFrom('idempotency_key')
      .where((eb) =>
        eb(
          eb.refTuple('account_id', 'caller_id', 'key'),
          'in',
          eb
            .selectFrom('idempotency_key as old')
            .select(['old.account_id', 'old.caller_id', 'old.key'])
            .where('old.created_at', '<=', before)
            .orderBy('old.created_at')
            .limit(limit)
            .$asTuple('account_id', 'caller_id', 'key'),
        ),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  }, mustStop);
}

/** A key and the fingerprint of its request. Null when the request has no key or is a preview: nothing is looked up or stored. */
type Claim = { key: string; fingerprint: string } | null;

/** The value stored under a key: a response, or in `onceInSteps` the begun work with the status of the later response. */
type Known<Body, Begun> = { status: number } & ({ finished: true; body: Body } | { finished: false; body: Begun });

/** Throws VALIDATION_ERROR for a malformed key, before any transaction is opened. */
function claimOf(ctx: Ctx, { procedure, input }: Pick<KeyedRequest, 'procedure' | 'input'>): Claim {
  if (ctx.preview || ctx.idempotencyKey === undefined) return null;
  validateIdempotencyKey(ctx.idempotencyKey);
  return { key: ctx.idempotencyKey, fingerprint: requestFingerprint(procedure, input) };
}

/**
 * Locks the key until this transaction ends, and returns the value stored under it. Null: there is none, and the work has to be done. A
 * procedure always uses the same `once*` function and a fingerprint names the procedure, so the stored value has the expected form.
 *
 * @throws OPERATION_PENDING while another transaction has the key; VALIDATION_ERROR when the key stands for another request
 */
async function take<Body, Begun>(tx: WriteCtx, claim: Claim): Promise<Known<Body, Begun> | null> {
  if (!claim) return null;
  // Does not wait: a client that repeats an unanswered request must not fill the connection pool with waiting transactions.
  if (!(await tryAdvisoryLock(tx, lockName(tx, claim)))) throw new DomainError('OPERATION_PENDING');
  return find(tx, claim);
}

/** Stores the response of work under its key, in the caller's transaction, unless another run has stored one. */
export type KeepResponse<Body> = (tx: WriteCtx, body: Body) => Promise<void>;

function lockName({ principal }: WriteCtx, { key }: NonNullable<Claim>): string {
  return `idempotency key ${callerId(principal)} ${key}`;
}

/** The value stored under a key whose lock is held. Throws VALIDATION_ERROR when the key stands for another request. */
async function find<Body, Begun>(tx: WriteCtx, claim: NonNullable<Claim>): Promise<Known<Body, Begun> | null> {
  const stored = await tx.db
    .selectFrom('idempotency_key')
    .select(['fingerprint', 'finished', 'status', 'sealed_body'])
    .where('account_id', '=', tx.accountId)
    .where('caller_id', '=', callerId(tx.principal))
    .where('key', '=', claim.key)
    .where('created_at', '>', idempotencyCutoff(tx.now))
    .executeTakeFirst();
  if (!stored) return null;
  assertSameRequest(stored.fingerprint, claim.fingerprint);
  const { finished, status, sealed_body } = stored;
  // JSON has no undefined: `store` writes null for a response without a body.
  const body: unknown = JSON.parse(tx.services.secrets.open(sealed_body)) ?? undefined;
  return { finished, status, body } as Known<Body, Begun>;
}

/** Stores a value under the key. Replaces begun work, or an expired response that is not purged yet. */
async function store(tx: WriteCtx, claim: Claim, { finished, status, body }: Known<unknown, unknown>): Promise<void> {
  if (!claim) return;
  const row = {
    account_id: tx.accountId,
    caller_id: callerId(tx.principal),
    ...claim,
    finished,
    status,
    sealed_body: tx.services.secrets.seal(JSON.stringify(body ?? null)),
    created_at: tx.now,
  };
  await tx.db
    .insertInto('idempotency_key')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'caller_id', 'key']).doUpdateSet(row))
    .execute();
}

function responseOf<Body>(ctx: Ctx, { status = 200 }: KeyedRequest, body: Body) {
  return { status: ctx.reply.status ?? status, body };
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, child: unknown) =>
    child !== null && typeof child === 'object' && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  );
}
