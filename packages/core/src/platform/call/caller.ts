import type { Principal } from './context.ts';

/** The kinds of callers that events name. */
export const ACTOR_KINDS = ['session', 'affiliate', 'api_key', 'connector', 'system'] as const;

/** A caller as events name it. */
export interface Actor {
  kind: (typeof ACTOR_KINDS)[number];
  id: string;
}

/** Returns the caller's id for use in logs, limits and idempotency keys. */
export function callerId(principal: Principal): string {
  if (principal.kind === 'system') return 'system';
  return principal.kind === 'session' ? principal.user_id : principal.id;
}

/** Returns the caller as events name it. */
export function actorOf(principal: Principal): Actor {
  return { kind: principal.kind, id: callerId(principal) };
}

/** The actor of what no caller has asked for, e.g. of a commission that falls due. */
export const SYSTEM_ACTOR: Actor = { kind: 'system', id: 'system' };
