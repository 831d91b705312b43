import type { Actor } from '../db/announcer.ts';
import type { Principal } from './context.ts';

/** Returns the caller's id for use in logs, limits and idempotency keys. */
export function callerId(principal: Principal): string {
  if (principal.kind === 'system') return 'system';
  return principal.kind === 'session' ? principal.user_id : principal.id;
}

/** Returns the caller as events name it. */
export function actorOf(principal: Principal): Actor {
  return { kind: principal.kind, id: callerId(principal) };
}
