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

/**
 * Loads the texts of the page's language, unless it is English. Must finish before any module with texts is loaded, because such a module
 * reads its texts only once.
 *
 * @param load the texts, by language
 */
export async function loadTexts(load: Partial<Record<Language, () => Promise<{ default: object }>>>): Promise<void> {
  document.documentElement.lang = language;
  const other = load[language];
  if (other) translations = (await other()).default as typeof translations;
}

/**
 * Returns an area's texts in the page's language: a string for a text without placeholders, a function of its values for a text with
 * placeholders, and a function of the count for a text with plural forms.
 */
export function texts<const Texts extends Area>(
  area: string,
  defined: Texts,
): { readonly [Key in keyof Texts]: Shown<Texts[Key]> } {
  const shown = Object.entries(defined).map(([key, text]) => [key, show(text[language] ?? translations[area]?.[key] ?? text.en)]);
  return Object.fromEntries(shown) as { [Key in keyof Texts]: Shown<Texts[Key]> };
}

function show(form: string | Forms) {
  if (typeof form !== 'string')
    return (count: number, values: Record<string, Value> = {}) =>
      render(form, language, { ...values, count }, (number) =>
        number === count ? number.toLocaleString(LOCALE) : String(number),
      );
  return /\{\w+\}/.test(form) ? (values: Record<string, Value>) => render(form, language, values, String) : form;
}
