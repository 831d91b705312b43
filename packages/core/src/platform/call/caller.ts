import type { Principal } from './context.ts';

/** The caller's id in logs, limits and idempotency keys. */
export function callerId(principal: Principal): string {
  if (principal.kind === 'system') return 'system';
  return principal.kind === 'session' ? principal.user_id : principal.id;
}
