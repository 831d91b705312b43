import { callerId } from '../call/caller.ts';
import type { Ctx, Services, WriteCtx } from '../call/context.ts';
import { advisoryLock, type Held, tryAdvisoryLock } from '../call/locks.ts';
import { DomainError } from '../errors/errors.ts';
import { toInstant, type Instant } from '../time/instant.ts';
import { assertSameRequest, idempotencyCutoff, requestFingerprint, validateIdempotencyKey } from './key-rules.ts';

declare module '../db/tables.ts' {
  interface Tables {
    /** Only key-store.ts reads and writes this table. */
    idempotency_key: {
      account_id: string;
      caller_id: string;
      key: string;
      fingerprint: string;
      /**
       * False while work in several steps is unfinished. Until the work is finished, `sealed_body` holds the result of
       * `begin`, afterwards the response.
       */
      finished: boolean;
      status: number;
      sealed_body: string;
      created_at: Instant;
    };
  }
}

/** A response as it is stored for replays. If `status` is null, the response has the status that the procedure declares. */
export interface StoredResponse<Body = unknown> {
  status: number | null;
  body: Body;
}

const REWRITTEN_AT_ONCE = 200;

/** Converts the result of a service to a response. The procedure provides it, because services do not know about statuses. */
export type ToResponse<Result, Body> = (result: Result) => StoredResponse<Body>;

/** Returns the body of a response, and sets its status in `ctx.reply`. */
export function respondWith<Body>({ reply }: Pick<Ctx, 'reply'>, { status, body }: StoredResponse<Body>): Body {
  if (status !== null) reply.status = status;
  return body;
}

/** Like `respondWith`, for a stored response. Also marks the reply as a replay. */
export function replayResponse<Body>(ctx: Pick<Ctx, 'reply'>, response: StoredResponse<Body>): Body {
  ctx.reply.replayed = true;
  return respondWith(ctx, response);
}

/** A key and the fingerprint of its request. Null if the request has no key or is a preview, so that nothing is looked up or stored. */
type Claim = { key: string; fingerprint: string } | null;

/**
 * The value stored under a key: a response or, while work of `onceInSteps` is unfinished, the result of `begin` and the status that
 * the response will have.
 */
export type Known<Body, Begun> = { status: number } & ({ finished: true; body: Body } | { finished: false; body: Begun });

/** Returns the request's key and fingerprint. Throws VALIDATION_ERROR for a malformed key, before any transaction is opened. */
export function claimOf(ctx: Ctx, { procedure, input }: { procedure: string; input: unknown }): Claim {
  if (ctx.preview || ctx.idempotencyKey === undefined) return null;
  validateIdempotencyKey(ctx.idempotencyKey);
  return { key: ctx.idempotencyKey, fingerprint: requestFingerprint(procedure, input) };
}

/**
 * Locks the key until this transaction ends, and returns the value stored under it, or null if the work has not been done yet. A
 * procedure always uses the same `once*` function and a fingerprint names the procedure, so the stored value has the expected form.
 *
 * @throws OPERATION_PENDING while another transaction holds the key's lock; VALIDATION_ERROR if the key was used for another request
 */
export async function takeKey<Body, Begun>(tx: WriteCtx, claim: Claim): Promise<Known<Body, Begun> | null> {
  if (!claim) return null;
  // Does not wait: a client that repeats an unanswered request must not fill the connection pool with waiting transactions.
  const key = await tryAdvisoryLock(tx, 'idempotency key', subjectOf(tx, claim));
  if (!key) throw new DomainError('OPERATION_PENDING');
  return findStored(tx, key, claim);
}

/** Locks the key until this transaction ends. Waits while another transaction holds the lock. */
export function lockKey(tx: WriteCtx, claim: NonNullable<Claim>): Promise<Held<'idempotency key'>> {
  return advisoryLock(tx, 'idempotency key', subjectOf(tx, claim));
}

function subjectOf({ principal }: WriteCtx, { key }: NonNullable<Claim>): string {
  return `${callerId(principal)} ${key}`;
}

/** Returns the value stored under a key, or null. Throws VALIDATION_ERROR if the key was used for another request. */
export async function findStored<Body, Begun>(
  tx: WriteCtx,
  key: Held<'idempotency key'>,
  claim: NonNullable<Claim>,
): Promise<Known<Body, Begun> | null> {
  if (!key.of.has(subjectOf(tx, claim))) throw new Error('Another idempotency key is locked.');
  const stored = await tx.db
    .selectFrom('idempotency_key')
    .select(['fingerprint', 'finished', 'status', 'sealed_body'])
    .where('account_id', '=', tx.accountId)
    .where('caller_id', '=', callerId(tx.principal))
    .where('key', '=', claim.key)
    .where('created_at', '>', idempotencyCutoff(toInstant(tx.services.clock.now())))
    .executeTakeFirst();
  if (!stored) return null;
  assertSameRequest(stored.fingerprint, claim.fingerprint);
  const { finished, status, sealed_body } = stored;
  // JSON has no undefined: `storeUnderKey` writes null for a response without a body.
  const body: unknown = JSON.parse(tx.services.secrets.open(sealed_body)) ?? undefined;
  return { finished, status, body } as Known<Body, Begun>;
}

/** Stores a value under the key. Replaces the entry of work that has begun, or an expired response that has not been purged yet. */
export async function storeUnderKey(
  tx: WriteCtx,
  claim: Claim,
  { finished, status, body }: Known<unknown, unknown>,
): Promise<void> {
  if (!claim) return;
  const row = {
    account_id: tx.accountId,
    caller_id: callerId(tx.principal),
    ...claim,
    finished,
    status,
    sealed_body: tx.services.secrets.seal(JSON.stringify(body ?? null)),
    created_at: toInstant(tx.services.clock.now()),
  };
  await tx.db
    .insertInto('idempotency_key')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'caller_id', 'key']).doUpdateSet(row))
    .execute();
}

/**
 * Rewrites the stored responses of an account, in batches, e.g. to erase personal data from them. A response that `rewrite` returns unchanged is not
 * written. Responses that cannot be decrypted are skipped.
 */
export async function rewriteStoredResponses(
  { database: { kysely }, secrets }: Pick<Services, 'database' | 'secrets'>,
  accountId: string,
  rewrite: (body: string) => string,
): Promise<void> {
  let last = { caller_id: '', key: '' };
  for (;;) {
    const { caller_id: caller, key } = last;
    const rows = await kysely
      .selectFrom('idempotency_key')
      .select(['caller_id', 'key', 'sealed_body'])
      .where('account_id', '=', accountId)
      .where((eb) => eb(eb.refTuple('caller_id', 'key'), '>', eb.tuple(caller, key)))
      .orderBy('caller_id')
      .orderBy('key')
      .limit(REWRITTEN_AT_ONCE)
      .execute();
    for (const row of rows) {
      const body = openOrNull(secrets, row.sealed_body);
      const rewritten = body === null ? null : rewrite(body);
      if (rewritten === null || rewritten === body) continue;
      await kysely
        .updateTable('idempotency_key')
        .set({ sealed_body: secrets.seal(rewritten) })
        .where('account_id', '=', accountId)
        .where('caller_id', '=', row.caller_id)
        .where('key', '=', row.key)
        .where('sealed_body', '=', row.sealed_body)
        .execute();
    }
    if (rows.length < REWRITTEN_AT_ONCE) return;
    last = rows.at(-1)!;
  }
}

function openOrNull(secrets: Services['secrets'], sealed: string): string | null {
  try {
    return secrets.open(sealed);
  } catch {
    return null;
  }
}
