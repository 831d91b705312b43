/**
 * By which rules values are read, without what is done with them: loading the whole core costs a second that whoever only reads a
 * configuration or a command line need not spend.
 */
export { PERMISSION_NAMES, ROLES, type PermissionMap, type Role } from './platform/access/permissions.ts';
export * as scalars from './platform/wire/scalars.ts';
export { type AllowedNetworks, parseAllowedNetworks } from './webhooks/endpoints/public-address.ts';
