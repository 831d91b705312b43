import { invalid } from '../../platform/errors/errors.ts';
import { PERMISSION_NAMES, type PermissionMap } from '../../platform/access/permissions.ts';

/** Permission names that a connector's map may hold. `all` is excluded, because a connector must not gain permissions that are added later. */
export const CONNECTOR_PERMISSION_NAMES = PERMISSION_NAMES.filter((name) => name.startsWith('mcp.'));

const PROMO_CODE_MANAGEMENT = ['mcp.affiliate_coupons.read', 'mcp.affiliate_coupons.write'];

/** Permissions to read the program, except API keys and promo codes (docs/rules/assistants.md#assistants). */
const READ_ONLY: PermissionMap = Object.fromEntries(
  CONNECTOR_PERMISSION_NAMES.filter(
    (name) => name.endsWith('.read') && name !== 'mcp.api_keys.read' && !PROMO_CODE_MANAGEMENT.includes(name),
  ).map((name) => [name, true]),
);

/**
 * Returns the permission map of a new connector: `chosen`, or `READ_ONLY` by default. `allowPromoCodes` adds the permissions to manage promo
 * codes.
 *
 * @throws VALIDATION_ERROR when `chosen` denies a permission that `allowPromoCodes` adds
 */
export function connectorPermissions(chosen: PermissionMap | undefined, allowPromoCodes: boolean): PermissionMap {
  const map = chosen ?? READ_ONLY;
  if (!allowPromoCodes) return map;
  const denied = PROMO_CODE_MANAGEMENT.find((name) => map[name] === false);
  if (denied !== undefined) {
    throw invalid(
      'allow_promo_code_management',
      `This field needs the permission ${denied}, but the field \`permissions\` sets that permission to false. Change one of these two fields.`,
      'contradiction',
    );
  }
  return { ...map, ...Object.fromEntries(PROMO_CODE_MANAGEMENT.map((name) => [name, true])) };
}
