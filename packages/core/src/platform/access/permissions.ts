/**
 * Membership roles, weakest first. A `viewer` looks; `finance` also pays and changes payout details, and writes nothing else. Each of the others may do
 * everything that the roles before it may, but that a `member` does not pay.
 */
export const ROLES = ['viewer', 'finance', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];
/** The role of a session in an account: the role of the member, or `invitee` for a person who only has a pending invitation. */
export type SessionRole = Role | 'invitee';
export type Action = 'read' | 'write';

/**
 * For each resource, the weakest role whose sessions may read it, and the weakest role whose sessions may write it. What `finance` writes is beside it
 * (docs/rules/identity.md#roles).
 */
export const RESOURCES = {
  api_keys: { read: 'admin', write: 'admin' },
  affiliates: { read: 'viewer', write: 'member' },
  affiliate_coupons: { read: 'viewer', write: 'member' },
  campaigns: { read: 'viewer', write: 'admin' },
  links: { read: 'viewer', write: 'member' },
  referrals: { read: 'viewer', write: 'member' },
  sales: { read: 'viewer', write: 'admin' },
  commissions: { read: 'viewer', write: 'admin' },
  payouts: { read: 'viewer', write: 'admin' },
  payout_exports: { read: 'viewer', write: 'admin' },
  payout_runs: { read: 'viewer', write: 'admin' },
  payout_outcomes: { read: 'viewer', write: 'admin' },
  invitations: { read: 'viewer', write: 'admin' },
  portal_tokens: { read: 'viewer', write: 'member' },
  webhooks: { read: 'admin', write: 'admin' },
  connectors: { read: 'admin', write: 'admin' },
  psp: { read: 'admin', write: 'admin' },
  members: { read: 'admin', write: 'admin' },
  imports: { read: 'admin', write: 'admin' },
} as const satisfies Record<string, Record<Action, Role>>;

export type Resource = keyof typeof RESOURCES;

/** Resources that `finance` writes. */
const OF_FINANCE: ReadonlySet<Resource> = new Set<Resource>(['payouts', 'payout_exports', 'payout_runs', 'payout_outcomes']);

/** True if sessions with the role may do the action. Pages, keys and connectors follow this table (docs/rules/identity.md#roles). */
export function roleMay(role: SessionRole, resource: Resource, action: Action): boolean {
  if (role === 'finance' && action === 'write') return OF_FINANCE.has(resource);
  return roleAtLeast(role, RESOURCES[resource][action]);
}

/** True if a role may do everything that another may. */
export function roleCovers(role: Role, other: Role): boolean {
  return role === other || (roleAtLeast(role, other) && (other !== 'finance' || roleMay(role, 'payouts', 'write')));
}

const SETTINGS = ['webhooks', 'connectors', 'psp', 'members', 'imports'] as const satisfies readonly Resource[];
type SettingsResource = (typeof SETTINGS)[number];
/** The entry point of a call: REST and internal clients (`v1`), or a connector of an AI assistant (`mcp`). */
export type Surface = 'v1' | 'mcp';

/**
 * Resources that are only written, and the surfaces on which they are. No assistant opens portals of affiliates, because its model provider would read
 * the tokens. A payment whose outcome is decided is read with the payouts.
 */
const WRITTEN_ONLY = { portal_tokens: ['v1'], payout_outcomes: ['v1', 'mcp'] } as const satisfies Partial<
  Record<Resource, readonly Surface[]>
>;
type WrittenOnly = keyof typeof WRITTEN_ONLY;

/** A name that a permission map may hold. */
export type PermissionName =
  | 'all'
  | `settings.${SettingsResource}.${Action}`
  | `${Surface}.${Exclude<Resource, SettingsResource | WrittenOnly>}.${Action}`
  | { [Name in WrittenOnly]: `${(typeof WRITTEN_ONLY)[Name][number]}.${Name}.write` }[WrittenOnly];

function isOfSettings(resource: Resource): boolean {
  return (SETTINGS as readonly Resource[]).includes(resource);
}

/** True if a map can hold the permission. */
export function isNamed(surface: Surface, resource: Resource, action: Action): boolean {
  const written: readonly Surface[] | undefined = WRITTEN_ONLY[resource as WrittenOnly];
  return written === undefined || (action === 'write' && written.includes(surface));
}

/** Returns the name that a permission map must grant, e.g. `v1.affiliates.read` or `settings.webhooks.write`. */
export function permissionName(surface: Surface, resource: Resource, action: Action): string {
  return `${isOfSettings(resource) ? 'settings' : surface}.${resource}.${action}`;
}

interface Permission {
  name: PermissionName;
  resource: Resource;
  action: Action;
}

/** Returns the permissions that a map can grant on a surface, in the order of the resources. */
function namedOn(surface: Surface, resource: Resource): Permission[] {
  return (['read', 'write'] as const)
    .filter((action) => isNamed(surface, resource, action))
    .map((action) => ({ name: permissionName(surface, resource, action) as PermissionName, resource, action }));
}

/** Every name that a permission map may hold. */
export const PERMISSION_NAMES: readonly PermissionName[] = [
  'all',
  ...(Object.keys(RESOURCES) as Resource[]).flatMap((resource) =>
    (isOfSettings(resource) ? (['v1'] as const) : (['v1', 'mcp'] as const)).flatMap((surface) =>
      namedOn(surface, resource).map(({ name }) => name),
    ),
  ),
];

export type PermissionMap = Record<string, boolean>;

/** Reports whether a map grants the named permission: its entry is true, or `all` is true and its entry is not explicitly false. */
export function grants(map: PermissionMap, name: string): boolean {
  return map[name] ?? map['all'] ?? false;
}

/**
 * Reports whether `outer` allows everything that `inner` allows. Checked before a grant, because nobody may grant more
 * permissions than they have.
 */
export function covers(outer: PermissionMap, inner: PermissionMap): boolean {
  return PERMISSION_NAMES.every((name) => !grants(inner, name) || grants(outer, name));
}

const RANKS: readonly SessionRole[] = ['invitee', ...ROLES];

export function roleAtLeast(role: SessionRole, needed: SessionRole): boolean {
  return RANKS.indexOf(role) >= RANKS.indexOf(needed);
}

/** Returns the names of the permissions on a surface that pass a test. */
function namesOn(surface: Surface, passes: (permission: Permission) => boolean): string[] {
  return (Object.keys(RESOURCES) as Resource[]).flatMap((resource) =>
    namedOn(surface, resource)
      .filter(passes)
      .map(({ name }) => name),
  );
}

/** Returns the names of all permissions of a role on a surface. */
export function permissionsOn(surface: Surface, role: SessionRole): string[] {
  return namesOn(surface, ({ resource, action }) => roleMay(role, resource, action));
}

/** Returns the names of all permissions that a map grants on a surface. */
export function grantedOn(surface: Surface, map: PermissionMap): string[] {
  return namesOn(surface, ({ name }) => grants(map, name));
}

/** Returns all permissions that a session with this role can grant to a key. */
export function permissionsOfRole(role: SessionRole): PermissionMap {
  const names = [...permissionsOn('v1', role), ...permissionsOn('mcp', role)];
  return roleAtLeast(role, 'admin') ? { all: true } : Object.fromEntries(names.map((name) => [name, true]));
}
