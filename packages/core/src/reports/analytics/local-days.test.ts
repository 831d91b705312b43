import { expect, it } from 'vitest';
import { beginsWithHours } from './local-days.ts';

it.each([
  ['Europe/Berlin', '2027-03-28', '2027-10-31', true],
  ['Asia/Kolkata', '2027-03-01', '2027-03-01', false],
  // Clocks go forward by half an hour at 2:00 on 3 October: this day begins at 13:30Z, the next at 13:00Z. They go back on 4 April.
  ['Australia/Lord_Howe', '2027-10-03', '2027-10-03', false],
  ['Australia/Lord_Howe', '2027-10-05', '2027-10-06', true],
  ['Australia/Lord_Howe', '2027-04-03', '2027-04-04', false],
] as const)('in %s, all days from %s to %s begin on a full hour of UTC: %s', (timeZone, since, until, expected) => {
  expect(beginsWithHours(timeZone, since, until)).toBe(expected);
});
