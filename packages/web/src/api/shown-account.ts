let accountId: string | null = null;

/**
 * Returns the account that this page shows. Every call names this account, so that the page keeps it even if another tab of the same
 * session switches to a different one.
 */
export function shownAccountId(): string | null {
  return accountId;
}

export function showAccount(id: string | null): void {
  accountId = id;
}
