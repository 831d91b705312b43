/** The zone that this browser is set to. */
export const OWN_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Time zones to choose from. `present` is among them even if this browser does not list it. */
export function timeZoneChoices(present: string): string[] {
  return [...new Set([present, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted();
}
