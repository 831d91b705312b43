import { type Forms, type PlacesOf, type Text, render } from '@affiliate/core/browser';
import { LOCALE, language } from './language.ts';

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
 * Returns an area's texts in the page's language: a string for a text without placeholders, a function of its values for a text with
 * placeholders, and a function of the count for a text with plural forms.
 */
export function texts<const Texts extends Area>(defined: Texts): { readonly [Key in keyof Texts]: Shown<Texts[Key]> } {
  const shown = Object.entries(defined).map(([key, text]) => [key, show(text[language] ?? text.en)]);
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
