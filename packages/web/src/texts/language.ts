/** Languages of the pages. English is in the code; the others are loaded when they are chosen. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

const NAME = 'language';

function isLanguage(value: string | null | undefined): value is Language {
  return value !== null && value !== undefined && Object.hasOwn(LANGUAGES, value);
}

/** The language that was chosen in this browser; null when the browser's own languages decide. */
export function chosenLanguage(): Language | null {
  const chosen = stored();
  return isLanguage(chosen) ? chosen : null;
}

/** Null decides by the browser's languages. Loads the page again, because its texts are fixed while it is open. */
export function chooseLanguage(chosen: Language | null): void {
  if (chosen === null) localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, chosen);
  window.location.reload();
}

function stored(): string | null {
  try {
    return globalThis.localStorage.getItem(NAME);
  } catch {
    // Outside a browser, or in one that keeps nothing.
    return null;
  }
}

function firstKnown(tags: readonly string[]): Language {
  return tags.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en';
}

/** The language of this page, fixed while it is open. */
export const language: Language = chosenLanguage() ?? firstKnown(navigator.languages);

/** For `Intl`: the browser's region counts as long as it belongs to the language, e.g. en-GB or de-AT. */
export const LOCALE: string = navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;
