import { callerId } from '../call/caller.ts';
import type { CallContext, Confirmation, Principal, Services, WriteCtx, Ctx } from '../call/context.ts';
import { DomainError, invalid } from '../errors/errors.ts';
import { requestFingerprint } from '../idempotency/key-rules.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import { isInstant, plusMilliseconds, toInstant, type Instant } from '../time/instant.ts';
import { newId } from '../wire/ids.ts';

declare module '../db/tables.ts' {
  interface Tables {
    /** A call that a caller has previewed and may now carry out once. */
    previewed_call: {
      /** The token that the preview returned. Not a secret: only the caller of the preview can use it. */
      id: string;
      account_id: string;
      caller_id: string;
      /** Hash of the procedure and its input. */
      request_hash: string;
      /** Hash of the effect that the preview showed. */
      effect_hash: string;
      expires_at: Instant;
    };
  }
}

/** Time within which a previewed call can be carried out: enough for a person to read the preview and approve it. */
const LIFETIME_MS = 30 * 60_000;

/** Fields that say how a call is made, not what it does. A preview may leave them out. */
const NOT_COMPARED = ['idempotency_key', 'dry_run'];

function fingerprintOf(procedure: string, input: unknown): string {
  const compared = Object.entries(input as object).filter(([name]) => !NOT_COMPARED.includes(name));
  return requestFingerprint(procedure, Object.fromEntries(compared));
}

/**
 * Begins a call of a procedure whose effect must be confirmed (docs/rules/platform.md#confirmed-effects). For a preview, notes the request. For a
 * write, returns the confirmation, or undefined if the caller needs none and sent no token.
 *
 * @throws VALIDATION_ERROR for an assistant that a person connected by consent and that sends no token
 */
export function beginConfirmation(
  { preview, previewToken, principal }: Pick<CallContext, 'preview' | 'previewToken' | 'principal'>,
  procedure: string,
  input: unknown,
): Confirmation | undefined {
  const request = fingerprintOf(procedure, input);
  if (preview) {
    preview.request = request;
    return undefined;
  }
  if (previewToken !== undefined) return { token: previewToken, request, isConfirmed: false };
  if (principal.kind === 'connector' && principal.consented)
    throw invalid('preview_token', PLATFORM_REASONS.preview_first, 'required');
  return undefined;
}

/**
 * Confirms that a write has the effect that its preview showed. In a preview, notes the effect. For other callers, does nothing. Called in the
 * transaction of the write, so a write whose effect differs is rolled back, and a token is used up if and only if its write is committed.
 *
 * @param describe returns the effect, without ids and times that differ in every call
 * @throws VALIDATION_ERROR for a token that is unknown, used, expired, or of another call; CONFLICT for an effect that differs
 */
export async function confirmEffect(ctx: WriteCtx, describe: () => unknown): Promise<void> {
  const { preview, confirmation, db, accountId, principal, services } = ctx;
  if (preview?.request !== undefined) preview.effect = hashOf(await describe());
  if (preview || !confirmation) return;
  const previewed = await db
    .deleteFrom('previewed_call')
    .where('account_id', '=', accountId)
    .where('caller_id', '=', callerId(principal))
    .where('id', '=', confirmation.token)
    .where('request_hash', '=', confirmation.request)
    .where('expires_at', '>', toInstant(services.clock.now()))
    .returning('effect_hash')
    .executeTakeFirst();
  if (!previewed) throw invalid('preview_token', PLATFORM_REASONS.preview_token_invalid, 'invalid_token');
  if (previewed.effect_hash !== hashOf(await describe()))
    throw new DomainError('CONFLICT', PLATFORM_REASONS.preview_outdated, {
      reason: 'changed_since_preview',
    });
  confirmation.isConfirmed = true;
}

function hashOf(effect: unknown): string {
  return requestFingerprint('effect', effect);
}

/** Confirms the effect of a write on one record (`confirmEffect`), and returns the record. */
export async function confirmRecord<Wire extends object>(ctx: WriteCtx, record: Wire): Promise<Wire> {
  await confirmEffect(ctx, () => effectOn(record));
  return record;
}

/**
 * Returns the effect of a write on a record: its own fields. The id is left out, because a new record gets another one. Of its times, only whether they
 * are set counts, because a write sets the present time, or one that follows from it. Related records are left out, because others may change them meanwhile.
 */
export function effectOn(record: object): Record<string, unknown> {
  const fields = Object.entries(record).filter(([name, value]) => name !== 'id' && (typeof value !== 'object' || value === null));
  return Object.fromEntries(
    fields.map(([name, value]) => [name, typeof value === 'string' && isInstant(value) ? true : (value as unknown)]),
  );
}

/**
 * Stores a preview that its caller may carry out, after its transaction was rolled back. Returns the token, or null for a call that needs no
 * confirmation.
 */
export async function storePreview(
  { database, clock }: Services,
  principal: Principal,
  { request, effect }: { request?: string | undefined; effect?: string | undefined },
): Promise<{ preview_token: string; expires_at: string } | null> {
  if (request === undefined || effect === undefined) return null;
  const now = toInstant(clock.now());
  const { account_id } = principal;
  const caller_id = callerId(principal);
  await database.kysely
    .deleteFrom('previewed_call')
    .where('account_id', '=', account_id)
    .where('caller_id', '=', caller_id)
    .where('expires_at', '<=', now)
    .execute();
  const id = newId('previewed_call', clock.now());
  const expires_at = plusMilliseconds(now, LIFETIME_MS);
  await database.kysely
    .insertInto('previewed_call')
    .values({ id, account_id, caller_id, request_hash: request, effect_hash: effect, expires_at })
    .execute();
  return { preview_token: id, expires_at };
}

/** Returns the context of a call. A dry run is a preview and ignores the Idempotency-Key. */
export function unlessDry(ctx: Ctx, isDry: boolean): Ctx {
  return isDry ? { ...ctx, idempotencyKey: undefined, preview: ctx.preview ?? { events: [] } } : ctx;
}
