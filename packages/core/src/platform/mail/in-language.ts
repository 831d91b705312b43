import { decimalAmount, minorUnitDigits } from '../money/money.ts';
import type { Instant } from '../time/instant.ts';

/** Languages of emails (docs/rules/platform.md#languages-of-mails). */
export const MAIL_LANGUAGES = ['en', 'de'] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/** Locales for `Intl`. British English, because it marks US dollars (`US$`) and writes dates unambiguously (`22 November 2026`). */
const LOCALES: Record<MailLanguage, string> = { en: 'en-GB', de: 'de-DE' };

/** Singular and plural of a text. The value `count` decides which of them is used. */
interface Forms {
  one: string;
  other: string;
}

/** A text in every language. `{name}` is a placeholder for a value. */
export type MailText = Readonly<Record<MailLanguage, string | Forms>>;

/** The texts of several emails, by the name of the email and the name of the text. */
export type MailTexts = Readonly<Record<string, Readonly<Record<string, MailText>>>>;

type StringsOf<Text> = Text extends string ? Text : Text[keyof Text];
type PlacesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | PlacesIn<Rest> : never;
type PlacesOf<Text extends MailText> = PlacesIn<StringsOf<Text['en']>>;
type Values<Text extends MailText> = [PlacesOf<Text>] extends [never] ? [] : [Record<PlacesOf<Text>, string | number>];

/**
 * Returns a function that renders texts in a language and fills in values. Placeholders inside values are not filled in. Numbers are
 * formatted for the language.
 */
export function inLanguage(language: MailLanguage) {
  return <const Text extends MailText>(text: Text, ...[values]: Values<Text>): string => {
    const known = (values ?? {}) as Record<string, string | number>;
    const form = text[language];
    const chosen = typeof form === 'string' ? form : form[isOne(language, known['count']) ? 'one' : 'other'];
    return chosen.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = known[name] ?? '';
      return typeof value === 'number' ? value.toLocaleString(LOCALES[language]) : value;
    });
  };
}

function isOne(language: MailLanguage, count: string | number | undefined): boolean {
  return new Intl.PluralRules(language).select(Number(count)) === 'one';
}

/** Formats an amount that is in the minor unit of its currency, e.g. `US$1,234.50` and `1.234,50 $`. */
export function amountIn(language: MailLanguage, { amount_cents, currency }: { amount_cents: number; currency: string }): string {
  const digits = minorUnitDigits(currency);
  const format = new Intl.NumberFormat(LOCALES[language], {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(decimalAmount(amount_cents, currency) as Intl.StringNumericLiteral);
}

/** Formats a share of a whole, e.g. 0.125 as `12.5%` and `12,5 %`. */
export function shareIn(language: MailLanguage, share: number): string {
  return new Intl.NumberFormat(LOCALES[language], { style: 'percent', maximumFractionDigits: 2 }).format(share);
}

/** Formats a day in UTC, e.g. `22 November 2026`. `day` is an instant, or a date without a time. */
export function dayIn(language: MailLanguage, day: Instant): string {
  return new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
}

/** Formats the time of day of an instant, e.g. `14:05 UTC`. */
export function timeIn(language: MailLanguage, at: Instant): string {
  return `${new Intl.DateTimeFormat(LOCALES[language], { timeStyle: 'short', timeZone: 'UTC' }).format(new Date(at))} UTC`;
}

/** Lists several things in a sentence, e.g. `a, b and c`. */
export function listIn(language: MailLanguage, things: readonly string[]): string {
  return new Intl.ListFormat(LOCALES[language]).format(things);
}
