/**
 * Maximum number of records in a list that is sorted by amount. No index supports this order, because it would slow down every
 * sale.
 */
export const MAX_SORTED_BY_AMOUNT = 50_000;
