import { expect, it } from 'vitest';
import { findSameZone, isTimeZone } from './time-zone.ts';

const PRESENT_NAMES = [
  'America/Argentina/Buenos_Aires',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Europe/Berlin',
  'Europe/Kyiv',
  'UTC',
];

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['US/Pacific-New', 'America/Los_Angeles'],
  ['UTC', 'UTC'],
  ['Asia/Tokyo', null],
  ['Atlantis/Centre', null],
])('resolves the time zone %s to %s where only current names are known', (name, found) => {
  expect(findSameZone(name, PRESENT_NAMES)).toBe(found);
});

it.each([
  ['Europe/Kiev', true],
  ['Europe/Kyiv', true],
  ['UTC', true],
  ['CET', false],
  ['+02:00', false],
  ['posix/Europe/Berlin', false],
])('%s is a time zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});
