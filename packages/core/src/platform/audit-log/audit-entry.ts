import { sql } from 'kysely';
import { callerId } from '../call/caller.ts';
import type { Principal, Services, WriteCtx } from '../call/context.ts';
import type { ErrorCode } from '../errors/error-table.ts';
import { toInstant } from '../time/instant.ts';
import { newId } from '../wire/ids.ts';
import { redact } from './redact.ts';

/** A call whose entry is written before it begins: a call by an AI assistant, or an operation at the payment provider. */
export interface AuditedCall {
  tool: string;
  action: string;
  arguments: unknown;
  preview: boolean;
  requestId: string;
}

/** A change whose entry is written in the same transaction as the change. */
export interface AuditedChange {
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
  await services.database.kysely
    .insertInto('audit_log')
    .values({
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
    })
    .execute();
  return id;
}

/** Moves the entry of a call that found nothing to the account in which the call is made again, as an entry of a call that begins. */
export async function moveAuditEntry({ database }: Services, id: string, account_id: string): Promise<void> {
  await database.kysely
    .updateTable('audit_log')
    .set({ account_id, outcome: null, completed_at: null })
    .where('id', '=', id)
    .execute();
}

/** Records a change in the transaction that makes it. */
export async function recordAuditedChange(
  ctx: Pick<WriteCtx, 'db' | 'accountId' | 'principal' | 'clock' | 'now' | 'requestId'>,
  change: AuditedChange,
): Promise<void> {
  await ctx.db
    .insertInto('audit_log')
    .values({
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
    })
    .execute();
}

/**
 * Records the outcome of a call. Never throws, because the call has already happened. If the outcome cannot be stored, the entry stays
 * without one.
 */
export async function completeAuditEntry({ database, clock, log }: Services, id: string, outcome: AuditOutcome): Promise<void> {
  try {
    await database.kysely
      .updateTable('audit_log')
      .set({ outcome, completed_at: toInstant(clock.now()) })
      .where('id', '=', id)
      .execute();
  } catch (error) {
    log.error({ err: error, audit_entry: id, outcome }, 'the outcome of an audited call could not be stored');
  }
}
