import type { CallContext } from './context.ts';

/**
 * Reports whether a request may reach an account: on the host name of a merchant's own, that of the merchant only
 * (docs/domain-rules.md#portal-hosts).
 */
export function isServedHere({ hostAccountId }: Pick<CallContext, 'hostAccountId'>, accountId: string): boolean {
  return hostAccountId === undefined || hostAccountId === accountId;
}
