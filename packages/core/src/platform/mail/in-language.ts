import { decimalAmount, minorUnitDigits } from '../money/money.ts';
import { type Language, type PlacesOf, type Text, render } from '../texts/texts.ts';
import type { Instant } from '../time/clock.ts';

/** Locales for `Intl`. British English, because it marks US dollars (`US$`) and writes dates unambiguously (`22 November 2026`). */
const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE' };

/** Formatters by what they format. Making one takes ten times as long as using it, and thousands of emails may be written at once. */
const formatters = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

/** Returns the formatter with this key, which is made at its first use. */
function formatterOf<Formatter extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, make: () => Formatter): Formatter {
  const known = formatters.get(key) as Formatter | undefined;
  const formatter = known ?? make();
  if (!known) formatters.set(key, formatter);
  return formatter;
}

type Values<Any extends Text> = [PlacesOf<Any>] extends [never] ? [] : [Record<PlacesOf<Any>, string | number>];

/** Returns a function that renders texts in a language. Numbers are formatted for the language. */
export function inLanguage(language: Language) {
  return <const Any extends Text>(text: Any, ...[values]: Values<Any>): string =>
    render(text[language], language, values ?? {}, (number) => number.toLocaleString(LOCALES[language]));
}

/** Formats an amount that is in the minor unit of its currency, e.g. `US$1,234.50` and `1.234,50 $`. */
export function amountIn(language: Language, { amount_cents, currency }: { amount_cents: number; currency: string }): string {
  const format = formatterOf(`${language} ${currency}`, () => {
    const digits = minorUnitDigits(currency);
    return new Intl.NumberFormat(LOCALES[language], {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  });
  return format.format(decimalAmount(amount_cents, currency) as Intl.StringNumericLiteral);
}

/** Formats a share of a whole, e.g. 0.125 as `12.5%` and `12,5 %`. */
export function shareIn(language: Language, share: number): string {
  const format = formatterOf(
    `${language} share`,
    () => new Intl.NumberFormat(LOCALES[language], { style: 'percent', maximumFractionDigits: 2 }),
  );
  return format.format(share);
}

/** Formats the day of an instant in a time zone, e.g. `22 November 2026`. A date without a time is a day in UTC. */
export function dayIn(language: Language, day: Instant, timeZone: string): string {
  const format = formatterOf(
    `${language} day ${timeZone}`,
    () => new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone }),
  );
  return format.format(new Date(day));
}

/** Formats the time of day of an instant in a time zone, e.g. `14:05 UTC`. */
export function timeIn(language: Language, at: Instant, timeZone: string): string {
  const format = { hour: '2-digit', minute: '2-digit', timeZone, timeZoneName: 'short' } as const;
  return new Intl.DateTimeFormat(LOCALES[language], format).format(new Date(at));
}

/** Lists several things in a sentence, e.g. `a, b and c`, or `a, b or c` as a disjunction. */
export function listIn(
  language: Language,
  things: readonly string[],
  type: 'conjunction' | 'disjunction' = 'conjunction',
): string {
  return new Intl.ListFormat(LOCALES[language], { type }).format(things);
}
