import { OWN_TIME_ZONE } from '../account/time-zones.ts';
import { shownTimeZone } from '../api/shown-zone.ts';
import { instantIn, offsetAt } from '../lists/days.ts';

/** Converts a value of `MomentInput` to an instant. Returns undefined for an empty value. */
export function instantOf(value: string): string | undefined {
  return value === '' ? undefined : instantIn(value, shownTimeZone() ?? OWN_TIME_ZONE);
}

/** Returns the value of `MomentInput` for an instant, to the minute. */
export function localTimeOf(instant: string): string {
  const at = Date.parse(instant);
  return new Date(at + offsetAt(at, shownTimeZone() ?? OWN_TIME_ZONE)).toISOString().slice(0, 16);
}
