/**
 * Returns the locale of a page for `Intl`. It includes the browser's region if the browser lists one for the page's language, e.g. en-GB or de-AT.
 *
 * @param tags the languages that the browser lists, preferred ones first
 */
export function localeFor(language: string, tags: readonly string[]): string {
  return tags.find((tag) => tag.split('-')[0] === language && isLocale(tag)) ?? language;
}

/** True if `Intl` takes a tag. It refuses e.g. `en-US@posix`, which browsers list where the system's language is one of POSIX. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
