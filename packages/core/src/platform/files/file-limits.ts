/** Maximum size of a file for affiliates (docs/rules/portal.md#assets). */
export const MAX_ASSET_BYTES = 5 * 1024 * 1024;
/** Maximum size of a logo, small enough for a request body that holds it in base64. */
export const MAX_LOGO_BYTES = 512 * 1024;
