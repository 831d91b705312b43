import type { Principal } from './context.ts';

/** The kinds of callers that the audit log and events name. */
export const CALLER_KINDS = ['session', 'api_key', 'connector', 'system'] as const satisfies readonly Principal['kind'][];

/** Returns the caller's id for use in logs, limits and idempotency keys. */
export function callerId(principal: Principal): string {
  if (principal.kind === 'system') return 'system';
  return principal.kind === 'session' ? principal.user_id : principal.id;
}

/** JSON text of the caller as events show it (`actor`). */
export function actorOf(principal: Principal): string {
  return JSON.stringify({ kind: principal.kind, id: callerId(principal) });
}

/** The actor of what no caller has asked for, e.g. of a commission that falls due. */
export const SYSTEM_ACTOR = actorOf({ kind: 'system', account_id: '' });
