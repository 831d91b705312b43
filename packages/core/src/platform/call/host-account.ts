import type { CallContext } from './context.ts';

/**
 * Reports whether a request may reach an account. A request to a merchant's own host name may reach only that merchant's account
 * (docs/rules/portal.md#portal-hosts).
 */
export function isServedHere({ hostAccountId }: Pick<CallContext, 'hostAccountId'>, accountId: string): boolean {
  return hostAccountId === undefined || hostAccountId === accountId;
}
