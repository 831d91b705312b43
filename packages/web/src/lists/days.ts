/** Converts days and times of a time zone to instants. */

/** Returns the first instant of a day, e.g. `2026-11-20`, in a time zone. */
export function startOfDay(day: string, timeZone: string): string {
  return instantIn(`${day}T00:00`, timeZone);
}

/** Returns the instant of a time without an offset, e.g. `2026-11-20T12:00`, in a time zone. */
export function instantIn(time: string, timeZone: string): string {
  const wanted = Date.parse(`${time}Z`);
  // Computes the offset twice: if the clocks change near midnight, the offset at the first guess differs from the offset at the result.
  const guess = wanted - offsetAt(wanted, timeZone);
  return new Date(wanted - offsetAt(guess, timeZone)).toISOString();
}

/** Returns the last millisecond of a day in a time zone. */
export function endOfDay(day: string, timeZone: string): string {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return new Date(Date.parse(startOfDay(next, timeZone)) - 1).toISOString();
}

/** Returns a time zone's offset from UTC at an instant, in milliseconds. Positive east of Greenwich. */
export function offsetAt(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((each) => each.type === type)!.value);
  return (
    Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) -
    Math.floor(at / 1_000) * 1_000
  );
}
