import { type Surface, grants } from '../access/permissions.ts';
import type { Principal } from '../call/context.ts';
import { DomainError, missingPermission } from '../errors/errors.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import { ROLES_IN_WORDS } from '../texts/words.ts';
import { type Access, neededRole, permissionsNeeded, roleMayCall } from './meta.ts';

/** Throws FORBIDDEN unless the caller has the permissions, or the role, that the access requires. The service itself may do everything. */
export function assertAllowed(principal: Principal, surface: Surface, access: Access): void {
  if (principal.kind === 'system') return;
  if (principal.kind === 'session') {
    if (!roleMayCall(principal.role, access))
      throw new DomainError(
        'FORBIDDEN',
        PLATFORM_REASONS.role_needed({ role: ROLES_IN_WORDS[neededRole(access)], own: ROLES_IN_WORDS[principal.role] }),
      );
    return;
  }
  const missing = permissionsNeeded(surface, access).find((name) => !grants(principal.permissions, name));
  if (missing !== undefined) throw missingPermission(missing);
}
