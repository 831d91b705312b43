import { type Forms, type PlacesOf, type Text, render } from '@affiliate/core/browser';
import { type Language, LOCALE, language } from './language.ts';

type Value = string | number | null;
/** The values of a text besides the count. */
type OthersOf<Any extends Text> = Exclude<PlacesOf<Any>, 'count'>;
type Shown<Any extends Text> = Any['en'] extends string
  ? [PlacesOf<Any>] extends [never]
    ? string
    : (values: Record<PlacesOf<Any>, Value>) => string
  : (count: number, ...values: [OthersOf<Any>] extends [never] ? [] : [Record<OthersOf<Any>, Value>]) => string;

type Area = Readonly<Record<string, Text>>;

/**
 * The texts of the page's language, by area and key, unless the language is English. Only the build needs them: it takes the other languages out of
 * the areas (build/texts-by-language.ts), so that a browser loads one language.
 */
let translations: Readonly<Record<string, Readonly<Record<string, string | Forms>>>> = {};

type Loads = Partial<Record<Language, () => Promise<{ default: object }>>>;

let loadLater: () => Promise<void> = () => Promise.resolve();

/**
 * Loads the texts of the page's language, unless it is English. Must finish before any module with texts is loaded, because such a module
 * reads its texts only once.
 *
 * @param first the texts of the application and its first views, by language
 * @param later the texts of code that is loaded on demand, if `first` does not contain them
 */
export async function loadTexts(first: Loads, later: Loads = {}): Promise<void> {
  document.documentElement.lang = language;
  const add = async (load: Loads) => {
    const added = (await load[language]?.())?.default;
    if (added) translations = { ...translations, ...added };
  };
  let loading: Promise<void> | undefined;
  loadLater = () =>
    (loading ??= add(later).catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  await add(first);
}

/** Loads the texts of code that is loaded on demand, or waits for an earlier call to load them. Load such code afterwards. */
export function laterTexts(): Promise<void> {
  return loadLater();
}

/**
 * Returns an area's texts in the page's language: a string for a text without placeholders, a function of its values for a text with
 * placeholders, and a function of the count for a text with plural forms.
 */
export function texts<const Texts extends Area>(
  area: string,
  defined: Texts,
): { readonly [Key in keyof Texts]: Shown<Texts[Key]> } {
  const shown = {};
  for (const [key, text] of Object.entries(defined)) {
    // Read when it is used, because a file may contain texts of other pages, whose translations are not loaded yet.
    const read = () => {
      if (text[language] === undefined && translations[area] === undefined)
        reportError(new Error(`A text of ${area} is shown in English, because it was used before its translations were loaded.`));
      return show(text[language] ?? translations[area]?.[key] ?? text.en);
    };
    let value: ReturnType<typeof show> | undefined;
    Object.defineProperty(shown, key, { enumerable: true, get: () => (value ??= read()) });
  }
  return shown as { [Key in keyof Texts]: Shown<Texts[Key]> };
}

function show(form: string | Forms) {
  if (typeof form !== 'string')
    return (count: number, values: Record<string, Value> = {}) =>
      render(form, language, { ...values, count }, (number) =>
        number === count ? number.toLocaleString(LOCALE) : String(number),
      );
  return /\{\w+\}/.test(form) ? (values: Record<string, Value>) => render(form, language, values, String) : form;
}
