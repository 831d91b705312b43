import type { Ctx, PersonCtx, WriteCtx } from '../call/context.ts';
import type { Db } from '../db/database.ts';
import { toInstant } from '../time/instant.ts';
import { recordAuditedChange } from './audit-entry.ts';

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
