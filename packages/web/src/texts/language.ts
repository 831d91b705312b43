/** Languages of the pages. English is in the code; the others are loaded when they are chosen. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

const NAME = 'language';
const PROBE = 'language-probe';

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

/** Reports whether this page has to be loaded again to be in the person's language. A browser that keeps nothing goes on with its own. */
export function isOtherLanguage(ofPerson: Language | null): ofPerson is Language {
  return ofPerson !== null && ofPerson !== language && keepsValues();
}

function keepsValues(): boolean {
  try {
    localStorage.setItem(PROBE, PROBE);
    const isKept = localStorage.getItem(PROBE) === PROBE;
    localStorage.removeItem(PROBE);
    return isKept;
  } catch {
    return false;
  }
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
