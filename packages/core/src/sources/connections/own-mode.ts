/**
 * The payment provider's test mode is the own mode of a test account, which stores its records with `livemode` true (docs/rules/platform.md#test-mode).
 * Sources tell the provider's mode. These functions convert it where a record is stored or compared.
 */
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import type { ProviderMode } from '../port/port.ts';

/** Returns the provider's mode whose records an account stores with `livemode` true. */
export function ownMode(accountId: string): ProviderMode {
  return isTestAccount(accountId) ? 'test' : 'live';
}

/** Returns the stored `livemode` of a record of the provider's mode. */
export function isOwnMode(accountId: string, mode: ProviderMode): boolean {
  return mode === ownMode(accountId);
}
