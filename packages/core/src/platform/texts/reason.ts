import { type Language, type PlacesOf, type Text, render } from './texts.ts';

/** A value in a reason: a number, a word that is the same in every language, or a reason, which is not. */
type Value = string | number | Reason;

/**
 * A text for a person that is not in a language yet: the text of a catalogue with its values. In JSON and in templates it is English. A check of zod
 * takes it as its parameter, and its issue then keeps it (`zodDetails`).
 */
export class Reason {
  readonly #text: Text;
  readonly #values: Readonly<Record<string, Value>>;
  readonly error = (issue: object): string => {
    Object.assign(issue, { reason: this });
    return this.in('en');
  };

  constructor(text: Text, values: Readonly<Record<string, Value>> = {}) {
    this.#text = text;
    this.#values = values;
  }

  in(language: Language): string {
    const entries = Object.entries(this.#values);
    const values = entries.map(([name, value]) => [name, value instanceof Reason ? value.in(language) : value]);
    return render(this.#text[language], language, Object.fromEntries(values) as Record<string, string | number>, String);
  }

  toString(): string {
    return this.in('en');
  }

  toJSON(): string {
    return this.in('en');
  }
}

/** A reason without placeholders, or a function that makes the reason from the values of its placeholders. */
type Entry<Any extends Text> = [PlacesOf<Any>] extends [never]
  ? Reason
  : (values: Readonly<Record<PlacesOf<Any>, Value>>) => Reason;

/** Demands of every language that it has no placeholder that the English text lacks. */
type Agreeing<Any extends Text> = {
  [Name in Language]: PlacesOf<{ en: Any[Name] }> extends PlacesOf<Any>
    ? Any[Name]
    : 'has a placeholder that the English text lacks';
};

/**
 * Declares the reasons of a room, by their codes. Each has its text in every language.
 *
 * @example
 * const REASONS = reasons({ expired: { en: 'This link has expired.', de: 'Dieser Link ist abgelaufen.' } });
 * throw new DomainError('CONFLICT', REASONS.expired);
 */
export function reasons<const Catalogue extends Readonly<Record<string, Text>>>(
  catalogue: Catalogue & { [Code in keyof Catalogue]: Agreeing<Catalogue[Code]> },
): { readonly [Code in keyof Catalogue]: Entry<Catalogue[Code]> } {
  const entries = Object.entries<Text>(catalogue).map(([code, text]) => [code, entryOf(text)]);
  return Object.fromEntries(entries) as { [Code in keyof Catalogue]: Entry<Catalogue[Code]> };
}

function entryOf(text: Text): Reason | ((values: Readonly<Record<string, Value>>) => Reason) {
  const hasPlaces = /\{\w+\}/.test(JSON.stringify(text.en));
  return hasPlaces ? (values) => new Reason(text, values) : new Reason(text);
}
