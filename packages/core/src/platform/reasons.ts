import { reasons } from './texts/reason.ts';

/** Reasons of the platform, and of every room. */
export const PLATFORM_REASONS = reasons({
  // Every refusal
  no_such: { en: 'No such {record}.', de: '{record} nicht gefunden.' },
  missing_permission: { en: 'This credential lacks the permission {permission}.', de: 'Dazu fehlt Ihnen das Recht.' },
  method_not_allowed: {
    en: 'This path does not accept {method}. Use {accepted}.',
    de: 'Diese Adresse nimmt die Anfrage nicht an.',
  },
  rate_limited: {
    en: 'Too many requests. Try again in {seconds} seconds.',
    de: 'Zu viele Anfragen. Versuchen Sie es in {seconds} Sekunden noch einmal.',
  },
  unknown_field: { en: 'Unknown field or parameter.', de: 'Diese Angabe gibt es nicht.' },
  one_problem: { en: '{field}{problem}', de: '{problem}' },
  several_problems: { en: '{field}{problem} (and {more} more)', de: '{problem} (und {more} weitere)' },

  // Input of any operation
  required: { en: 'Required.', de: 'Bitte ausfüllen.' },
  empty: { en: 'Must not be empty.', de: 'Bitte ausfüllen.' },
  blank: { en: 'Must not be blank.', de: 'Bitte ausfüllen.' },
  other_type: { en: 'Must be {type}.', de: 'Muss {type} sein.' },
  at_least: { en: 'Must be at least {bound}.', de: 'Muss mindestens {bound} sein.' },
  greater_than: { en: 'Must be greater than {bound}.', de: 'Muss größer als {bound} sein.' },
  at_most: { en: 'Must be at most {bound}.', de: 'Muss höchstens {bound} sein.' },
  less_than: { en: 'Must be less than {bound}.', de: 'Muss kleiner als {bound} sein.' },
  other_size: { en: 'Must have exactly {size}.', de: 'Muss genau {size} haben.' },
  too_small: { en: 'Must have at least {size}.', de: 'Muss mindestens {size} haben.' },
  too_big: { en: 'Must have at most {size}.', de: 'Darf höchstens {size} haben.' },
  no_multiple: { en: 'Must be a multiple of {divisor}.', de: 'Muss ein Vielfaches von {divisor} sein.' },
  other_format: { en: 'Has the wrong format.', de: 'Hat das falsche Format.' },
  not_accepted: { en: 'Must be one of the accepted values.', de: 'Bitte wählen Sie einen der möglichen Werte.' },
  not_one_of: { en: 'Must be one of: {values}.', de: 'Bitte wählen Sie einen der möglichen Werte.' },
  no_format: { en: 'Does not match any of the accepted formats.', de: 'Passt zu keinem der möglichen Formate.' },
  wrong_name: {
    en: 'The name is empty, too long or has the wrong form.',
    de: 'Der Name ist leer, zu lang oder hat die falsche Form.',
  },
});

/** Types and formats of input, as values of a reason. */
export const TYPES = reasons({
  string: { en: 'text', de: 'ein Text' },
  number: { en: 'a number', de: 'eine Zahl' },
  int: { en: 'a whole number', de: 'eine ganze Zahl' },
  boolean: { en: 'true or false', de: 'wahr oder falsch' },
  array: { en: 'a list', de: 'eine Liste' },
  object: { en: 'an object', de: 'ein Objekt' },
  record: { en: 'an object', de: 'ein Objekt' },
  date: { en: 'a date', de: 'ein Datum' },
  null: { en: 'null', de: 'null' },
});

export const FORMATS = reasons({
  email: { en: 'an email address', de: 'eine E-Mail-Adresse' },
  url: { en: 'a URL', de: 'eine Webadresse' },
  datetime: {
    en: 'a date and time in ISO 8601 format, e.g. 2026-11-22T09:30:00Z',
    de: 'ein Zeitpunkt, z. B. 2026-11-22T09:30:00Z',
  },
  date: { en: 'a date, e.g. 2026-11-22', de: 'ein Datum, z. B. 2026-11-22' },
  json_string: { en: 'JSON', de: 'JSON' },
  safeint: { en: 'a whole number of at most 9007199254740991', de: 'eine ganze Zahl' },
});

export const SIZES = reasons({
  characters: { en: { one: '{count} character', other: '{count} characters' }, de: '{count} Zeichen' },
  items: {
    en: { one: '{count} item', other: '{count} items' },
    de: { one: '{count} Eintrag', other: '{count} Einträge' },
  },
  fields: { en: { one: '{count} field', other: '{count} fields' }, de: { one: '{count} Feld', other: '{count} Felder' } },
  bytes: { en: { one: '{count} byte', other: '{count} bytes' }, de: { one: '{count} Byte', other: '{count} Bytes' } },
});
