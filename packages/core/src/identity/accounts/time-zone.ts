const NAME = /^[A-Z]\w+\/[\w/+-]+$/;

/**
 * True for the name of an IANA time zone, including former names, which some browsers report. False for an offset such as `+01:00`, because
 * offsets do not follow daylight saving time.
 */
export function isTimeZone(name: string): boolean {
  return name === 'UTC' || (NAME.test(name) && Intl.supportedValuesOf('timeZone').includes(principalName(name) ?? ''));
}

/**
 * Returns the name in `known` that denotes the same zone as `name`, e.g. Asia/Kolkata for Asia/Calcutta. Null when `known` does not contain the
 * zone.
 */
export function findSameZone(name: string, known: readonly string[]): string | null {
  if (known.includes(name)) return name;
  const principal = NAME.test(name) ? principalName(name) : null;
  if (principal === null) return null;
  if (known.includes(principal)) return principal;
  return known.find((other) => NAME.test(other) && principalName(other) === principal) ?? null;
}

/** Returns Node's canonical name of a time zone, or null if Node does not know the zone. */
function principalName(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
