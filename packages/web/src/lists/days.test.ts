import { expect, test } from 'vitest';
import { endOfDay, startOfDay } from './days.ts';

test.each([
  ['2026-11-20', 'UTC', '2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z'],
  ['2026-11-20', 'America/New_York', '2026-11-20T05:00:00.000Z', '2026-11-21T04:59:59.999Z'],
  ['2026-11-20', 'Asia/Kolkata', '2026-11-19T18:30:00.000Z', '2026-11-20T18:29:59.999Z'],
  // The clocks go back, so the day has 25 hours.
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
  // The clocks go forward, so the day has 23 hours.
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
])('the day %s in %s lasts from %s to %s', (day, timeZone, start, end) => {
  expect([startOfDay(day, timeZone), endOfDay(day, timeZone)]).toEqual([start, end]);
});
