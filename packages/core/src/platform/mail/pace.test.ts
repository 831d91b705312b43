import { expect, it } from 'vitest';
import { MOST_AT_ONCE, Pace } from './pace.ts';

/** Simulates a server that handles `capacity` messages at a time, each in 100 ms, and queues the others. Returns the pace after many messages. */
function after(messages: number, capacity: number): Pace {
  const pace = new Pace();
  for (let sent = 0; sent < messages; sent += 1) pace.accepted((100 * Math.max(pace.limit, capacity)) / capacity);
  return pace;
}

it('sends one message at a time at first', () => {
  expect(new Pace().limit).toBe(1);
});

it('sends more at a time while the server keeps up', () => {
  expect(after(200, 100).limit).toBe(MOST_AT_ONCE);
});

it.each([1, 2])('sends at most three times as many at a time as a server handles: %i', (capacity) => {
  for (let messages = 50; messages < 80; messages += 1) expect(after(messages, capacity).limit).toBeLessThanOrEqual(3 * capacity);
});

it('begins again after a failure', () => {
  const pace = after(200, 100);
  pace.failed();
  expect(pace.limit).toBe(1);
});

it('accepts that a server has become slower for good', () => {
  const pace = after(200, 100);
  for (let sent = 0; sent < 2_000; sent += 1) pace.accepted(1_000);
  expect(pace.limit).toBe(MOST_AT_ONCE);
});
