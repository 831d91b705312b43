let accountId: string | null = null;

/**
 * The account that this page shows. Every call names it, so that a page keeps its account after another tab of the same session
 * switches to a different one.
 */
export function shownAccountId(): string | null {
  return accountId;
}

export function showAccount(id: string | null): void {
  accountId = id;
}
