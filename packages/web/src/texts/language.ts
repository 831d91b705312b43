/** Languages of the pages. English is in the code; the others are loaded when they are chosen. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

const NAME = 'language';

function isLanguage(value: string | null | undefined): value is Language {
  return value !== null && value !== undefined && Object.hasOwn(LANGUAGES, value);
}

/** The language of the person who was last signed in with this browser; null when the browser's own languages decide. */
function chosenLanguage(): Language | null {
  const chosen = stored();
  return isLanguage(chosen) ? chosen : null;
}

/** Keeps the language in this browser, and loads the page again, because its texts are fixed while it is open. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(NAME, chosen);
  window.location.reload();
}

/** Takes over the language of the person who has signed in. A browser that keeps nothing goes on with its own. */
export function followLanguage(ofPerson: Language | null): void {
  if (ofPerson === null || ofPerson === language) return;
  try {
    localStorage.setItem(NAME, ofPerson);
  } catch {
    return;
  }
  if (stored() === ofPerson) window.location.reload();
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
