/** Rows per statement: a short statement does not hold up calls that write the same table meanwhile. */
const BATCH = 1_000;

/** Reports whether a long piece of work should end at its next safe point. */
export type MustStop = () => boolean;

/**
 * Deletes rows batch by batch until none is left.
 *
 * @param deleteBatch deletes at most `limit` rows in one statement and returns how many
 * @param mustStop checked between batches; the next purge continues
 * @returns how many rows were deleted
 */
export async function purgeInBatches(
  deleteBatch: (limit: number) => Promise<number>,
  mustStop: MustStop = () => false,
): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await deleteBatch(BATCH);
    total += deleted;
    if (deleted < BATCH || mustStop()) return total;
  }
}
