/*
 * The ids of test accounts (docs/rules/platform.md#test-mode). The pages use this module, too, so it imports nothing.
 */

const LIVE_PREFIX = 'acct_';
const TEST_PREFIX = 'acct_test_';

/** True if the id is that of a test account. */
export function isTestAccount(accountId: string): boolean {
  return accountId.startsWith(TEST_PREFIX);
}

/** Returns the id of the test account of a live account. */
export function testAccountOf(liveAccountId: string): string {
  return TEST_PREFIX + liveAccountId.slice(LIVE_PREFIX.length);
}

/** Returns the id of the live account to which an account belongs: its own id, unless it is a test account. */
export function liveAccountOf(accountId: string): string {
  return isTestAccount(accountId) ? LIVE_PREFIX + accountId.slice(TEST_PREFIX.length) : accountId;
}
