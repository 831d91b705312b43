/** Languages of emails and pages (docs/rules/platform.md#languages-of-mails). */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Returns a value for each language. */
export function inEachLanguage<Value>(valueIn: (language: Language) => Value): Record<Language, Value> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, valueIn(language)])) as Record<Language, Value>;
}

/** Singular and plural of a text. The value `count` decides which of them is used. */
export interface Forms {
  one: string;
  other: string;
}

/** A text in every language. `{name}` is a placeholder for a value. */
export type Text = Readonly<Record<Language, string | Forms>>;

/** The texts of several emails, by the name of the email and the name of the text. */
export type Texts = Readonly<Record<string, Readonly<Record<string, Text>>>>;

type StringsOf<Form> = Form extends string ? Form : Form[keyof Form];
type PlacesIn<Form> = Form extends `${string}{${infer Name}}${infer Rest}` ? Name | PlacesIn<Rest> : never;

/** Names of the placeholders of a text. */
export type PlacesOf<Any extends Pick<Text, 'en'>> = PlacesIn<StringsOf<Any['en']>>;

/**
 * Renders a text in a language: chooses the form for `count`, and fills in the values in one pass, so that placeholders and dollar signs inside
 * values stay as they are. A value that is missing or null is left out.
 *
 * @param number formats numbers
 */
export function render(
  form: string | Forms,
  language: string,
  values: Readonly<Record<string, string | number | null | undefined>>,
  number: (value: number) => string,
): string {
  const chosen = typeof form === 'string' ? form : form[isOne(language, values['count']) ? 'one' : 'other'];
  return chosen.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? number(value) : value;
  });
}

function isOne(language: string, count: string | number | null | undefined): boolean {
  return new Intl.PluralRules(language).select(Number(count)) === 'one';
}
