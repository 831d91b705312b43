/** The declaration of a procedure. */
import {
  type Action,
  ROLES,
  type Resource,
  type SessionRole,
  type Surface,
  permissionName,
  roleAtLeast,
  roleMay,
  grants,
} from '../access/permissions.ts';
import type { Principal, Visitor } from '../call/context.ts';
import { DomainError, missingPermission } from '../errors/errors.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import { ROLES_IN_WORDS } from '../texts/refusal-words.ts';
import type { RestMeta } from './rest-route.ts';

/** Requirements on the caller. Declared by `read`, `write` and `operate`, and enforced before anything else happens. */
interface Access {
  resource: Resource;
  action: Action;
  /** The weakest role whose sessions may call the procedure, if it differs from the role that the resource requires. */
  role?: SessionRole;
  /** Other resources that the output reveals. The caller must be allowed the same action on them. */
  also?: readonly Resource[];
}

/** True if sessions with the role may call a procedure. */
function roleMayCall(caller: SessionRole, { resource, action, role, also = [] }: Access): boolean {
  return role === undefined ? [resource, ...also].every((each) => roleMay(caller, each, action)) : roleAtLeast(caller, role);
}

/** Returns the weakest role whose sessions may call a procedure. */
export function neededRole(access: Access): SessionRole {
  return access.role ?? ROLES.find((role) => roleMayCall(role, access))!;
}

/** Returns the names that a permission map must grant on a surface to call a procedure. */
export function permissionsNeeded(surface: Surface, { resource, action, also = [] }: Access): string[] {
  return [resource, ...also].map((each) => permissionName(surface, each, action));
}

/** The properties of a procedure that the doors need. */
export interface Meta extends RestMeta {
  access?: Access;
  /** The write checks the precondition of a call about the record that it names (`platform/call/precondition.ts`). */
  conditional?: true;
  /** The write moves money: an assistant that a person connected by consent must repeat a preview. */
  confirmed?: true;
  /** The write reports facts, which programs do all the time, so calls by API keys are not in the audit log. */
  facts?: true;
  /**
   * Present instead of `access` for procedures about a person rather than an account, for procedures of the portal (`portal/access`), and, as `account`,
   * for procedures that every caller with access to an account may call.
   */
  audience?: 'anyone' | 'signed_in' | 'account' | 'affiliate';
  /** The procedure is also served on merchants' own host names, as all procedures for affiliates are (docs/rules/portal.md#portal-hosts). */
  onPortalHosts?: true;
  /** Maximum size of a request's body, if it differs from the default of the procedure's audience (docs/rules/platform.md#bodies). */
  maxBodyBytes?: number;
  /** The REST operation takes a file of at most this size as its body, and its input from the query (docs/rules/platform.md#uploads). */
  maxUploadBytes?: number;
}

/** Throws FORBIDDEN unless the caller has the permissions, or the role, that the access requires. The service itself may do everything. */
export function assertAllowed(principal: Principal, surface: Surface, access: Access): void {
  const refusal = refusalOf(principal, surface, access);
  if (refusal) throw refusal;
}

function refusalOf(principal: Principal, surface: Surface, access: Access): DomainError | undefined {
  if (principal.kind === 'system') return undefined;
  if (principal.kind === 'session')
    return roleMayCall(principal.role, access)
      ? undefined
      : new DomainError(
          'FORBIDDEN',
          PLATFORM_REASONS.role_needed({ role: ROLES_IN_WORDS[neededRole(access)], own: ROLES_IN_WORDS[principal.role] }),
        );
  const missing = permissionsNeeded(surface, access).find((name) => !grants(principal.permissions, name));
  return missing === undefined ? undefined : missingPermission(missing);
}

/** Returns the size of a body that a procedure declares, for callers who may call it. Others cannot make the service read more than usual. */
export function declaredBodyBytes(
  caller: Principal | Visitor,
  surface: Surface,
  { access, audience, maxBodyBytes }: Meta,
): number | undefined {
  if (audience === 'anyone') return maxBodyBytes;
  return access && caller.kind !== 'visitor' && !refusalOf(caller, surface, access) ? maxBodyBytes : undefined;
}
