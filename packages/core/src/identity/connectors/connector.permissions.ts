import { invalid } from '../../platform/errors/errors.ts';
import { PERMISSION_NAMES, type PermissionMap } from '../../platform/access/permissions.ts';

/** Permission names that a connector's map may hold. Without `all`: a connector must not gain permissions that are added later. */
export const CONNECTOR_PERMISSION_NAMES = PERMISSION_NAMES.filter((name) => name.startsWith('mcp.'));

const PROMO_CODE_MANAGEMENT = ['mcp.affiliate_coupons.read', 'mcp.affiliate_coupons.write'];

/** Permissions to read the program: no credentials, no promo codes, no writing (docs/domain-rules.md#assistants). */
const READ_ONLY: PermissionMap = Object.fromEntries(
  CONNECTOR_PERMISSION_NAMES.filter(
    (name) => name.endsWith('.read') && name !== 'mcp.api_keys.read' && !PROMO_CODE_MANAGEMENT.includes(name),
  ).map((name) => [name, true]),
);

/**
 * Permission map of a new connector: the chosen one, by default reading only. `allowPromoCodes` adds the management of promo codes.
 *
 * @throws VALIDATION_ERROR when the chosen map denies what the option allows
 */
export function connectorPermissions(chosen: PermissionMap | undefined, allowPromoCodes: boolean): PermissionMap {
  const map = chosen ?? READ_ONLY;
  if (!allowPromoCodes) return map;
  const denied = PROMO_CODE_MANAGEMENT.find((name) => map[name] === false);
  if (denied !== undefined) {
    throw invalid('allow_promo_code_management', `Contradicts permissions, which sets ${denied} to false.`, 'contradiction');
  }
  return { ...map, ...Object.fromEntries(PROMO_CODE_MANAGEMENT.map((name) => [name, true])) };
}
