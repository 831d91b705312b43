/** Converts a value of `MomentInput` to an instant. Returns undefined for an empty value. */
export function instantOf(value: string): string | undefined {
  return value === '' ? undefined : new Date(value).toISOString();
}

/** Returns the value of `MomentInput` for an instant, to the minute. */
export function localTimeOf(instant: string): string {
  const time = new Date(instant);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
