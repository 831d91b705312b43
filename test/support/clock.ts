import type { Clock } from '@affiliate/core';

const UNITS = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;

/** A clock that stands still until it is moved. It starts at the real time, because receivers compare the timestamps of signed webhooks with it. */
export class TestClock implements Clock {
  #now = new Date();

  now(): Date {
    return new Date(this.#now);
  }

  /** Returns this clock's current time in the format of records. */
  instant(): string {
    return this.#now.toISOString();
  }

  set(at: string): void {
    this.#now = new Date(at);
  }

  /** Moves the clock forward, e.g. `advance(30, 'days')`. */
  advance(amount: number, unit: keyof typeof UNITS): void {
    this.#now = new Date(this.#now.getTime() + amount * UNITS[unit]);
  }
}
