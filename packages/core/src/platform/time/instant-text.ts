/**
 * A moment as represented in the core, on the wire and in events: ISO-8601, UTC, milliseconds, `Z`. Instants have a fixed width, so they
 * compare as strings.
 */
export type Instant = string;
