/** The most records that are sorted by amount. No index serves that order: it would slow down every sale. */
export const MAX_SORTED_BY_AMOUNT = 50_000;
