/** Number of seconds for which a person's codes are refused after too many wrong ones (docs/rules/identity.md#second-factor). */
export const LOCK_SECONDS = 3600;
