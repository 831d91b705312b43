import type { Principal } from '../context.ts';

/** The id under which a caller is known in logs, limits and idempotency keys. */
export function callerId(principal: Principal): string {
  return principal.kind === 'session' ? principal.user_id : principal.id;
}
