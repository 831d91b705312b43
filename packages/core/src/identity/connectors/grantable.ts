import {
  PERMISSION_NAMES,
  type PermissionMap,
  type PermissionName,
  type SessionRole,
  grants,
  permissionsOfRole,
} from '../../platform/access/permissions.ts';

/**
 * Permissions for settings that a connector may have. The others are excluded, because an assistant with them could give itself or others
 * access to the account.
 */
const SETTINGS = [
  'settings.webhooks.read',
  'settings.webhooks.write',
  'settings.members.read',
  'settings.connectors.read',
] as const;

/** Permission names that a connector's map may hold. `all` is excluded, because a connector must not gain permissions that are added later. */
export const CONNECTOR_PERMISSION_NAMES = [
  ...PERMISSION_NAMES.filter((name): name is Extract<PermissionName, `mcp.${string}`> => name.startsWith('mcp.')),
  ...SETTINGS,
];

/** Permissions that a person can grant by consent, which are also the OAuth scopes. Assistants have no use for API keys. */
export const CONSENT_PERMISSIONS: readonly string[] = CONNECTOR_PERMISSION_NAMES.filter(
  (name) => !name.startsWith('mcp.api_keys.'),
);

export const PROMO_CODE_MANAGEMENT = ['mcp.affiliate_coupons.read', 'mcp.affiliate_coupons.write'];

/** Permissions of a new connector: to read the program, except promo codes, and no settings (docs/rules/assistants.md#assistants). */
export const READ_ONLY: readonly string[] = CONSENT_PERMISSIONS.filter(
  (name) => name.startsWith('mcp.') && name.endsWith('.read') && !PROMO_CODE_MANAGEMENT.includes(name),
);

/** Permissions with which an assistant can mark amounts as paid. A connector with one of them can have daily limits. */
export const PAYING_PERMISSIONS = ['commissions', 'payouts', 'payout_exports', 'payout_runs'].map((name) => `mcp.${name}.write`);

/** True if a person with this role may grant the permission to an assistant. */
export function mayGrant(role: SessionRole, permission: string): boolean {
  return grants(permissionsOfRole(role), permission);
}

/** Lists the permissions that a connector's map grants. */
export function grantedBy(map: PermissionMap): string[] {
  return CONNECTOR_PERMISSION_NAMES.filter((name) => grants(map, name));
}

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
