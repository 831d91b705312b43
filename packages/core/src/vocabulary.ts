/**
 * Rules for reading values, without the rest of the core. Loading the whole core takes a second, which reading a configuration or a command
 * line does not need.
 */
export { PERMISSION_NAMES, ROLES, type PermissionMap, type Role } from './platform/access/permissions.ts';
export * as scalars from './platform/wire/scalars.ts';
export { type AllowedNetworks, parseAllowedNetworks } from './webhooks/endpoints/public-address.ts';
