import { type Language, type PlacesOf, type Text, render } from './texts.ts';

/** A value in a reason: a number, a word that is the same in every language, or a reason, which is not. */
type Value = string | number | Reason;
type Values = Readonly<Record<string, Value>>;

/**
 * A text for a person that is not in a language yet: the text of a catalogue with its values. As a string and in JSON it is English. A check of zod
 * takes it as its parameter, and its issue then keeps it (`zodDetails`).
 */
export class Reason<Code extends string = string> {
  readonly #code: Code;
  readonly #text: Text;
  readonly #values: Values;
  readonly error = (issue: object): string => {
    Object.assign(issue, this.issue);
    return this.in('en');
  };

  constructor(code: Code, text: Text, values: Values = {}) {
    this.#code = code;
    this.#text = text;
    this.#values = values;
  }

  get code(): Code {
    return this.#code;
  }

  /** The parts of a custom issue of zod with this reason. */
  get issue(): { message: string; reason: Reason } {
    return { message: this.in('en'), reason: this };
  }

  /** The code with the values, for a column (`storedReason`). */
  get stored(): string {
    return Object.keys(this.#values).length === 0 ? this.#code : `${this.#code} ${JSON.stringify(this.#values)}`;
  }

  in(language: Language = 'en'): string {
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
type Entry<Code extends string, Any extends Text> = [PlacesOf<Any>] extends [never]
  ? Reason<Code>
  : (values: Readonly<Record<PlacesOf<Any>, Value>>) => Reason<Code>;

type Reasons<Catalogue extends Readonly<Record<string, Text>>> = {
  readonly [Code in keyof Catalogue & string]: Entry<Code, Catalogue[Code]>;
};

/** Demands of every language that it has no placeholder that the English text lacks. */
type Agreeing<Any extends Text> = {
  [Name in Language]: PlacesOf<{ en: Any[Name] }> extends PlacesOf<Any> ? Any[Name] : never;
};

/**
 * Declares the reasons of a room, by their codes. Each has its text in every language.
 *
 * @example
 * const LINK_REASONS = reasons({ expired: { en: 'This link has expired.', de: 'Dieser Link ist abgelaufen.' } });
 * throw new DomainError('CONFLICT', LINK_REASONS.expired);
 */
export function reasons<const Catalogue extends Readonly<Record<string, Text>>>(
  catalogue: Catalogue & { [Code in keyof Catalogue]: Agreeing<Catalogue[Code]> },
): Reasons<Catalogue> {
  const entries = Object.entries<Text>(catalogue).map(([code, text]) => [code, entryOf(code, text)]);
  return Object.fromEntries(entries) as Reasons<Catalogue>;
}

function entryOf(code: string, text: Text): Reason | ((values: Values) => Reason) {
  const hasPlaces = /\{\w+\}/.test(JSON.stringify(text.en));
  return hasPlaces ? (values) => new Reason(code, text, values) : new Reason(code, text);
}

/** Returns the reason of a catalogue that a column holds (`stored`). A code that the catalogue does not have stands for itself. */
export function storedReason(catalogue: Readonly<Record<string, Reason | ((values: never) => Reason)>>, stored: string): Reason {
  const [, code = '', values = '{}'] = /^(\w+)(?: (\{.*\}))?$/s.exec(stored) ?? [];
  const entry = Object.hasOwn(catalogue, code) ? catalogue[code] : undefined;
  if (entry instanceof Reason) return entry;
  return entry ? entry(JSON.parse(values) as never) : new Reason(code, { en: '{stored}', de: '{stored}' }, { stored });
}
