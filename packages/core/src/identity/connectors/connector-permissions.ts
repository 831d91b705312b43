import type { PermissionMap } from '../../platform/access/permissions.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { PROMO_CODE_MANAGEMENT, READ_ONLY } from './grantable.ts';

/**
 * Returns the permission map of a new connector: `chosen`, or `READ_ONLY` by default. `allowPromoCodes` adds the permissions to manage promo
 * codes.
 *
 * @throws VALIDATION_ERROR when `chosen` denies a permission that `allowPromoCodes` adds
 */
export function connectorPermissions(chosen: PermissionMap | undefined, allowPromoCodes: boolean): PermissionMap {
  const map = chosen ?? granting(READ_ONLY);
  if (!allowPromoCodes) return map;
  const denied = PROMO_CODE_MANAGEMENT.find((name) => map[name] === false);
  if (denied !== undefined)
    throw invalid(
      'allow_promo_code_management',
      IDENTITY_REASONS.permission_contradicted({ permission: denied }),
      'contradiction',
    );
  return { ...map, ...granting(PROMO_CODE_MANAGEMENT) };
}

function granting(names: readonly string[]): PermissionMap {
  return Object.fromEntries(names.map((name) => [name, true]));
}
