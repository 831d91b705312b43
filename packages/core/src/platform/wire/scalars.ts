import { z } from 'zod';
import { CURRENCIES } from '../money/money.ts';
import type { Reason } from '../texts/reason.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import { inEachLanguage, type Language } from '../texts/texts.ts';
import { readIso8601 } from '../time/iso-8601.ts';
import { type RecordKind, ID_PREFIXES, MAX_ID_LENGTH } from './ids.ts';
import { isOneLine, trimEnds, typedEmail } from './typed-text.ts';

/** Amounts stay below ten billion major units, so sums of millions of amounts stay exact as JavaScript numbers. */
export const MAX_CENTS = 999_999_999_999;
const KNOWN_CURRENCIES = new Set(CURRENCIES);
export const EARLIEST = Date.parse('1970-01-01T00:00:00Z');
export const LATEST = Date.parse('3000-01-01T00:00:00Z');
const EXAMPLE_SUFFIX = '01k9v7m3q8e2t4r6w8y0a1b2c3';

/** Schemas of strings that need no escaping in JSON: ids of this service and currencies. Ids of other systems may contain any character. */
export const WORDS = z.registry<{ isWord: true }>();

const KINDS = z.registry<{ kind: RecordKind }>();

/** Returns the kind of record whose id a schema describes. */
export function kindOfId(schema: z.ZodType): RecordKind | undefined {
  return KINDS.get(schema)?.kind;
}

/** A record's id. Its form is not checked, because a malformed id is treated like an unknown id (404, 422 or an empty list). */
export function id(kind: RecordKind) {
  return z
    .string()
    .overwrite(trimEnds)
    .max(MAX_ID_LENGTH)
    .meta({
      description: `ID of the ${kind.replaceAll('_', ' ').replace('api ', 'API ')}.`,
      example: `${ID_PREFIXES[kind]}_${EXAMPLE_SUFFIX}`,
    })
    .register(WORDS, { isWord: true })
    .register(KINDS, { kind });
}

/** Text with at least one visible character, without blanks at its ends. */
export function text(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .refine((value) => trimEnds(value) !== '', PLATFORM_REASONS.blank)
    .overwrite(trimEnds);
}

const ONE_LINE = PLATFORM_REASONS.several_lines;

/** A name: `text` of one line. Names are shown in lists, in subjects of emails and in files. */
export function nameText(max: number) {
  return text(max).refine(isOneLine, ONE_LINE);
}

/** The name of a person, as forms and other tools state it: it may be empty, or have blanks at its ends. Other names are `nameText`. */
export function looseName(max: number) {
  return z.string().max(max).refine(isOneLine, ONE_LINE);
}

/** True for text that is base64 and nothing else. Decoding the text is much faster than matching it with a pattern. */
function isBase64(text: string): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  // The decoder skips other characters, and stops at padding, but accepts the characters of base64url.
  const isDecoded = Buffer.from(text, 'base64').length === (text.length / 4) * 3 - padding;
  return text.length % 4 === 0 && isDecoded && !text.includes('-') && !text.includes('_');
}

/** Bytes in base64. */
export function base64(maxBytes: number, tooBig: Reason) {
  return z
    .string()
    .min(4)
    .max(Math.ceil(maxBytes / 3) * 4, tooBig)
    .refine(isBase64, PLATFORM_REASONS.no_base64)
    .meta({ contentEncoding: 'base64' });
}

/** An email address, in the form of `typedEmail`. */
export const email = () => z.string().overwrite(typedEmail).check(z.email()).max(254).meta({ example: 'ada@example.com' });

/** An http or https URL, escaped to a valid URI where necessary. */
export const httpUrl = () =>
  z
    .url({ protocol: /^https?$/, hostname: /.+/, abort: true })
    .overwrite(asUri)
    .max(2048)
    .meta({ example: 'https://shop.example.com' });

/**
 * An http or https URL in a response. It is not checked again, because it was checked before it was stored, and checking it takes longer
 * than checking all other fields of a record.
 */
export const storedUrl = () => z.string().meta({ format: 'uri', maxLength: 2048, example: 'https://shop.example.com' });

/** Non-negative amount in the currency's minor unit. */
export const cents = () => z.int().min(0).max(MAX_CENTS).meta({ example: 2500 });
/** Amount in the currency's minor unit; can be negative. */
export const signedCents = () => z.int().meta({ example: 2500 });

/** ISO 4217 code; converted to upper case. */
export const currency = () =>
  z
    .string()
    .length(3)
    .toUpperCase()
    .refine((code) => KNOWN_CURRENCIES.has(code), PLATFORM_REASONS.unknown_currency)
    .meta({ example: 'USD' })
    .register(WORDS, { isWord: true });

/** A percentage from 0 to 100 with up to two decimals. Calculations use basis points. */
export const percent = () =>
  z
    .number()
    .min(0)
    .max(100)
    .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, PLATFORM_REASONS.too_many_decimals)
    .meta({ example: 12.5 });

/** ISO 8601 time with offset, in any precision; converted to an instant (UTC, milliseconds). */
export const timestamp = () =>
  z
    .stringFormat('date-time', (text) => readIso8601(text) !== null, {
      error: PLATFORM_REASONS.no_instant.error,
      // Stops here, because the checks below need a valid date.
      abort: true,
    })
    .refine((text) => millisecondsOf(text) >= EARLIEST && millisecondsOf(text) < LATEST, {
      error: PLATFORM_REASONS.year_out_of_range.error,
      abort: true,
    })
    .overwrite((text) => new Date(millisecondsOf(text)).toISOString())
    .meta({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' });

function millisecondsOf(text: string): number {
  return readIso8601(text) ?? Number.NaN;
}

/** A currency in a response. */
export const currencyCode = () =>
  z.string().meta({ description: 'ISO 4217 currency code.', example: 'USD' }).register(WORDS, { isWord: true });

/** The mode of a record in a response. */
export const livemode = () => z.boolean().meta({ description: '`false` for records of test mode.' });

/** An instant in a response. */
export const instant = () =>
  z
    .string()
    .meta({ description: 'ISO 8601 time in UTC with milliseconds.', format: 'date-time', example: '2026-11-20T12:00:00.000Z' });

const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'German' };

/** A text in each language of the service, in a response. */
export const textInEachLanguage = () =>
  z.object(inEachLanguage((language) => z.string().describe(`The text in ${LANGUAGE_NAMES[language]}.`)));

/** Characters that must be escaped in the path, query and fragment of a URI (RFC 3986). */
const UNESCAPED = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]/gu;
const IPV6_HOST = /^(https?:\/\/(?:[^/?#@]*@)?)\[[0-9A-Fa-f:.]+\]/i;

/**
 * Escapes the characters in an address that are not allowed in a URI, e.g. spaces, brackets and non-ASCII letters. The escaped
 * address opens the same page in browsers. A valid URI is returned unchanged.
 *
 * @param address an http or https address that `URL` can parse
 */
export function asUri(address: string): string {
  if (address.replace(IPV6_HOST, '$1').replace('#', '').search(UNESCAPED) === -1) return address;
  const { protocol, username, password, host, pathname, search, hash } = new URL(address);
  const credentials = username ? `${escape(username)}${password ? `:${escape(password)}` : ''}@` : '';
  const fragment = hash ? `#${escape(hash.slice(1))}` : '';
  return `${protocol}//${credentials}${host}${escape(pathname)}${escape(search)}${fragment}`;
}

function escape(text: string): string {
  return text.replaceAll(UNESCAPED, encodeURIComponent);
}
