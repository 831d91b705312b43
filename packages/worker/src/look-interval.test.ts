import { describe, expect, it } from 'vitest';
import { lookInterval } from './look-interval.ts';

describe('the interval at which a worker looks for due deliveries', () => {
  const look = { nextInMs: null, tookMs: 2, hasPeers: false };

  it('ends when the next delivery falls due', () => {
    expect(lookInterval({ ...look, nextInMs: 700 })).toBe(700);
    expect(lookInterval({ ...look, nextInMs: 1 })).toBe(50);
  });

  it('is shorter if another worker may die', () => {
    expect(lookInterval(look)).toBe(10_000);
    expect(lookInterval({ ...look, hasPeers: true })).toBe(1_500);
    expect(lookInterval({ ...look, nextInMs: 60_000, hasPeers: true })).toBe(1_500);
  });

  it('leaves the database most of its time when a look takes long', () => {
    expect(lookInterval({ nextInMs: 100, tookMs: 400, hasPeers: true })).toBe(1_600);
  });
});
