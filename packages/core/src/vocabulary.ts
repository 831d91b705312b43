/**
 * Values and rules that are needed to read a configuration or a command line. They are exported apart from the rest of the core, because
 * loading the whole core takes a second.
 */
export { PERMISSION_NAMES, ROLES, type PermissionMap, type Role } from './platform/access/permissions.ts';
export * as scalars from './platform/wire/scalars.ts';
export { type LocalFile, NotText, piecesOf } from './imports/csv/file-text.ts';
export { DATE_ORDERS, DECIMAL_MARKS } from './imports/port/file-format.ts';
export { TOOL_KINDS, type ToolKind, TOOLS } from './imports/tools.ts';
export { PROVIDER_KINDS, type ProviderKind } from './sources/kinds.ts';
export { type AllowedNetworks, parseAllowedNetworks } from './webhooks/endpoints/public-address.ts';
