import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Lap, lapAfter } from './laps.ts';

/** Returns the number of pages after which a list is noticed to go round; null if it is not noticed within a number of pages. */
function noticedAfter(pageAt: (index: number) => string, pages: number): number | null {
  let lap: Lap | null = null;
  for (let i = 0; i < pages; i += 1) {
    lap = lapAfter(lap, pageAt(i));
    if (lap === null) return i + 1;
  }
  return null;
}

test('a list that goes round is noticed within three rounds, after however many other pages, and no other list is', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.integer({ min: 1, max: 200 }), (before, round) => {
      const pageAt = (i: number) => String(i < before ? i : before + ((i - before) % round));
      const noticed = noticedAfter(pageAt, 5_000);
      expect(noticed).toBeGreaterThan(before + round);
      expect(noticed).toBeLessThanOrEqual(3 * (before + round) + 2);
      expect(noticedAfter(String, before + round)).toBeNull();
    }),
  );
});
