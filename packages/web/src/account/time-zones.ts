/** The browser's time zone. */
export const OWN_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the time zones to choose from. Includes the current one, `present`, even if the browser does not list it. */
export function timeZoneChoices(present: string): string[] {
  return [...new Set([present, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted();
}
