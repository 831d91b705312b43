/** The only source of time in the core. Tests set it by hand. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/**
 * A moment as represented in the core, on the wire and in events: ISO-8601, UTC, milliseconds, `Z`. Instants have a fixed width, so they
 * compare as strings.
 */
export type Instant = string;
