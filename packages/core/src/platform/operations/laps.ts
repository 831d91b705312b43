import { z } from 'zod';

/** The page of a list that is remembered to notice a list that goes round, the pages since, and the number of pages after which another one is remembered. */
export const Lap = z.object({ page: z.string(), passed: z.int(), until: z.int() });
export type Lap = z.infer<typeof Lap>;

/**
 * Returns what is remembered after a further page of a list; null if the list goes round, because this page was remembered. One page is remembered at a
 * time, each for twice as many pages as the one before, so that a circle of any length is noticed within three rounds (Brent).
 *
 * @param page what identifies the page
 */
export function lapAfter(lap: Lap | null, page: string): Lap | null {
  if (lap === null) return { page, passed: 0, until: 1 };
  if (page === lap.page) return null;
  if (lap.passed + 1 < lap.until) return { ...lap, passed: lap.passed + 1 };
  return { page, passed: 0, until: lap.until * 2 };
}
