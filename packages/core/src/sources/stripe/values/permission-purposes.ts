/** The purpose of a permission of a restricted key. */
export const PERMISSION_PURPOSES = ['endpoint', 'events', 'lines', 'codes', 'write_back'] as const;
export type PermissionPurpose = (typeof PERMISSION_PURPOSES)[number];

/** A permission of a restricted key, in the words of the provider's dashboard. */
export interface ProviderPermission {
  resource: string;
  access: 'read' | 'write';
  purpose: PermissionPurpose;
}
