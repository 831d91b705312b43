import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantFromDatabase } from './instant.ts';

test('instants are read from the two forms in which PostgreSQL writes them, with and without zeros at the end', () => {
  const times = fc.date({
    min: new Date('1970-01-01T00:00:00Z'),
    max: new Date('2999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(times, (time) => {
      const instant = time.toISOString();
      // PostgreSQL leaves out zeros at the end of the fraction, and an empty fraction.
      const written = instant.slice(0, -1).replace(/\.?0+$/, (zeros, at: number) => (at > 18 ? '' : zeros));
      expect(instantFromDatabase(`${written.replace('T', ' ')}+00`)).toBe(instant);
      expect(instantFromDatabase(`${written}+00:00`)).toBe(instant);
    }),
    {
      numRuns: 1000,
      examples: [
        [new Date('2026-11-20T23:42:50.000Z')],
        [new Date('2026-11-20T00:00:00.000Z')],
        [new Date('2026-11-20T23:42:57.120Z')],
      ],
    },
  );
});
