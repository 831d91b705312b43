import { frameLanguage } from '../api/frame-options.ts';
import { localeFor } from './locale.ts';

/** Languages of the pages. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

const NAME = 'language';
const PROBE = 'language-probe';

function isLanguage(value: string | null | undefined): value is Language {
  return value !== null && value !== undefined && Object.hasOwn(LANGUAGES, value);
}

/** Returns the language that the page around a frame asks for, or that of the person who was last signed in with this browser. Null means that the browser's languages decide. */
function chosenLanguage(): Language | null {
  if (isLanguage(frameLanguage)) return frameLanguage;
  const value = stored();
  return isLanguage(value) ? value : null;
}

/** Stores the language in this browser and reloads the page, because the texts of a loaded page cannot change. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(NAME, chosen);
  window.location.reload();
}

/** Returns whether the page must be reloaded to show the person's language. Returns false if the browser cannot store the language. */
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
    // There is no storage outside a browser, and browsers may block it.
    return null;
  }
}

function firstKnown(tags: readonly string[]): Language {
  return tags.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en';
}

const chosen = chosenLanguage();

/** The language of this page. It does not change until the page is reloaded. */
export const language: Language = chosen ?? firstKnown(navigator.languages);

/** Header of every call, so that the service answers in the language of the page. Without a chosen language, the browser sends its own. */
export const IN_LANGUAGE: Readonly<Record<string, string>> = chosen === null ? {} : { 'Accept-Language': chosen };
if (typeof document !== 'undefined') document.documentElement.lang = language;

/** The locale for `Intl`. */
export const LOCALE: string = localeFor(language, navigator.languages);
