/**
 * Maximum number of records in a list that is sorted by amount. No index supports this order, because it would slow down every
 * sale.
 */
export const MAX_SORTED_BY_AMOUNT = 50_000;

/** Maximum size of a file for affiliates (docs/rules/portal.md#assets). */
export const MAX_ASSET_BYTES = 5 * 1024 * 1024;
/** Maximum size of a logo, small enough for a request body that holds it in base64. */
export const MAX_LOGO_BYTES = 512 * 1024;
