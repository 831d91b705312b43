const NAME = /^[A-Z]\w+\/[\w/+-]+$/;

/** Also the former names of zones, which some browsers report. Offsets are not time zones: they have no daylight saving time. */
export function isTimeZone(name: string): boolean {
  return name === 'UTC' || (NAME.test(name) && Intl.supportedValuesOf('timeZone').includes(principalName(name) ?? ''));
}

/** The name among `known` of the zone that is called `name`, which has several: Asia/Kolkata for Asia/Calcutta. Null when there is none. */
export function findSameZone(name: string, known: readonly string[]): string | null {
  if (known.includes(name)) return name;
  const principal = NAME.test(name) ? principalName(name) : null;
  if (principal === null) return null;
  if (known.includes(principal)) return principal;
  return known.find((other) => NAME.test(other) && principalName(other) === principal) ?? null;
}

/** The one name under which Node knows a zone; null for an unknown zone. */
function principalName(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
