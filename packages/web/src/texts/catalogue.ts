import { type ComponentsJSON, type I18n, type TranslationFunction, createI18n, strings, transform } from '@nanostores/i18n';
import { atom } from 'nanostores';
import { type Language, LOCALE, language } from './language.ts';

/** The values for the placeholders of a text: `name` and `amount` for 'Pay {name} {amount}'. */
type Values<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? { [key in Name]: string | number | null } & Values<Rest>
  : unknown;
type Others<Text extends string> = keyof Omit<Values<Text>, 'count'> extends never ? [] : [Omit<Values<Text>, 'count'>];

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
type Definition = Record<string, string | TranslationFunction>;

/** The translation of an area's texts. A text with a count is translated into the plural forms of the language, and any other text into one text. */
export type TranslationOf<Texts> = {
  [Key in keyof Texts]: Texts[Key] extends string ? string : Texts[Key] extends Counted ? Forms : string;
};

interface Counted {
  (count: number, ...values: never[]): string;
}

/** Fills in the placeholders in one pass, so that braces and dollar signs in a value are not interpreted. */
function fill(text: string, values: Record<string, string | number | null>): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? String(values[name] ?? '') : place,
  );
}

/** Defines a text with placeholders: `params('Pay {name}')` is called as `t.pay({ name })`. */
export const params = transform((_locale, text: string, values: Record<string, string | number | null>) =>
  strings(text, (string) => fill(string, values)),
) as unknown as <Text extends string>(text: Text) => (values: Values<Text>) => string;

/** Defines the plural forms of a text: `count({ one: '{count} sale', other: '{count} sales' })` is called as `t.sales(5)`. */
export const count = transform(
  (locale: string, forms: Forms, number: number, values: Record<string, string | number | null> = {}) =>
    fill(forms[new Intl.PluralRules(locale).select(number)] ?? forms.other, { ...values, count: number.toLocaleString(LOCALE) }),
) as unknown as <const Input extends Forms>(
  forms: Input,
) => (count: number, ...values: Others<Input[keyof Input] & string>) => string;

let translations: ComponentsJSON = {};
let define: I18n | undefined;

/**
 * Loads the texts of the page's language, unless it is English. Must finish before any module with texts is loaded, because such a module
 * reads its texts only once.
 *
 * @param load the texts, by language
 */
export async function loadTexts(load: Partial<Record<Language, () => Promise<{ default: object }>>>): Promise<void> {
  document.documentElement.lang = language;
  const other = load[language];
  if (other) translations = (await other()).default as ComponentsJSON;
}

/** Returns an area's texts in the page's language. Each area has a file in `en` and in the folder of every other language. */
export function texts<Texts extends Definition>(area: string, english: Texts): Texts {
  define ??= createI18n<string, 'en'>(atom(language), {
    baseLocale: 'en',
    // `loadTexts` has already loaded all texts of the language.
    cache: { [language]: translations } as never,
    get: () => Promise.resolve({}),
    // Without this, the library drops an area's translations when the development server reloads its module.
    isSSR: true,
  });
  return define(area, english).get();
}
