import { CONSENT_PERMISSIONS, READ_ONLY } from './grantable.ts';

/** Scope that stands for the permissions of a new connector. An assistant asks for it until it needs more. */
export const BASE_SCOPE = 'mcp';
/** Scope for refresh tokens, which every authorization request gets. */
export const REFRESH_SCOPE = 'offline_access';
/**
 * Scopes of authorization requests: the permissions that a person can grant. They say what an assistant asks for. The permissions of the connector,
 * which the person chooses, determine what it may do.
 */
export const SCOPES: readonly string[] = [BASE_SCOPE, REFRESH_SCOPE, ...CONSENT_PERMISSIONS];

/** Returns the permissions that scopes ask for. The base scope counts only if no permission is named. */
export function permissionsOfScopes(scopes: readonly string[]): readonly string[] {
  const named = CONSENT_PERMISSIONS.filter((name) => scopes.includes(name));
  return named.length > 0 ? named : READ_ONLY;
}
