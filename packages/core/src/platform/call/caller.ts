import type { Actor } from '../db/announcer.ts';
import type { Principal, CallContext } from './context.ts';

/** Returns the caller's id for use in logs, limits and idempotency keys. */
export function callerId(principal: Principal): string {
  if (principal.kind === 'system') return 'system';
  return principal.kind === 'session' ? principal.user_id : principal.id;
}

/** Returns the caller as events name it. */
export function actorOf(principal: Principal): Actor {
  return { kind: principal.kind, id: callerId(principal) };
}

/**
 * Reports whether a request may reach an account. A request to a merchant's own host name may reach only that merchant's account
 * (docs/rules/portal.md#portal-hosts).
 */
export function isServedHere({ hostAccountId }: Pick<CallContext, 'hostAccountId'>, accountId: string): boolean {
  return hostAccountId === undefined || hostAccountId === accountId;
}
