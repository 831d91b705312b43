import { reasons } from './reason.ts';

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
  untranslated: { en: '{words}', de: 'Das wurde nicht angenommen.' },
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
  sign_in_first: { en: 'Sign in first.', de: 'Bitte melden Sie sich zuerst an.' },
  in_future: { en: 'Must not be in the future.', de: 'Darf nicht in der Zukunft liegen.' },
  test_account_in_live_mode: {
    en: 'The request names a test account and live mode. Name the live account.',
    de: 'Die Anfrage passt nicht zum Modus (Live oder Test). Laden Sie die Seite neu.',
  },
  sent_twice: { en: 'Must be sent only once.', de: 'Darf nur einmal vorkommen.' },
  not_boolean: { en: 'Must be true or false.', de: 'Muss wahr oder falsch sein.' },
  credential_of_live_mode_only: {
    en: 'This credential is of live mode only. Use a key without a mode, or sign in.',
    de: 'Dieser Zugang gilt nur für den Live-Modus. Verwenden Sie einen Schlüssel ohne Modus, oder melden Sie sich an.',
  },
  key_of_live_mode: {
    en: 'This API key is of live mode. Use a key of test mode, or a key without a mode.',
    de: 'Dieser API-Schlüssel gehört zum Livemodus. Verwenden Sie einen des Testmodus oder einen ohne Modus.',
  },
  other_mode: {
    en: 'In {mode} mode, livemode can only be {livemode}.',
    de: 'Dieser Wert gehört zum anderen Modus (Live oder Test).',
  },
  exists_already: {
    en: 'This record exists already, so it was not created.',
    de: 'Diesen Eintrag gibt es schon. Er wurde nicht noch einmal angelegt.',
  },
  too_many_pairs_in_record: {
    en: 'The record would have more than {max} pairs. Remove pairs by setting them to null.',
    de: 'Es wären mehr als {max} Paare. Entfernen Sie zuerst einige.',
  },
  no_bytes_of_file: {
    en: 'Send the bytes of the file as the body of the REST operation.',
    de: 'Die Datei kam nicht an. Versuchen Sie es noch einmal.',
  },
  malformed_idempotency_key: {
    en: 'Must be 1 to 255 printable ASCII characters.',
    de: 'Muss aus 1 bis 255 druckbaren ASCII-Zeichen bestehen.',
  },
  key_of_other_request: {
    en: 'This key was already used with another request. Use a new key.',
    de: 'Diese Anfrage wurde schon mit anderen Angaben gesendet. Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
  },
  outcome_still_unknown: {
    en: 'The outcome of this operation is still unknown. Send the same request again, with the same Idempotency-Key.',
    de: 'Wie dieser Vorgang ausging, ist noch unbekannt. Versuchen Sie es gleich noch einmal.',
  },
  preview_first: {
    en: 'Preview this call first, and repeat it with the token that the preview returns.',
    de: 'Sehen Sie sich zuerst die Vorschau an, und bestätigen Sie dann.',
  },
  preview_token_invalid: {
    en: 'This token was used, has expired, or belongs to a call with other arguments. Preview this call again.',
    de: 'Die Vorschau gilt nicht mehr. Sehen Sie sich die Vorschau noch einmal an.',
  },
  preview_outdated: {
    en: 'This call would now do something else than its preview showed. Preview it again.',
    de: 'Inzwischen würde etwas anderes geschehen, als die Vorschau zeigte. Sehen Sie sich die Vorschau noch einmal an.',
  },
  role_needed: {
    en: 'This requires the role {role}, but your role is {own}. Ask a member with that role.',
    de: 'Das erfordert die Rolle „{role}“, aber Ihre Rolle ist „{own}“. Bitten Sie ein Mitglied mit dieser Rolle.',
  },
  answer_too_large: {
    en: 'The answer would have more than 32 MiB. Ask for fewer records at a time, e.g. by filters, or download the list as CSV.',
    de: 'Die Antwort hätte mehr als 32 MiB. Fragen Sie weniger Einträge auf einmal ab, z. B. mit Filtern, oder laden Sie die Liste als CSV herunter.',
  },
  several_currencies: {
    en: 'Amounts in several currencies cannot be compared. Filter by one currency, e.g. currency={currency}.',
    de: 'Beträge in verschiedenen Währungen lassen sich nicht vergleichen. Filtern Sie nach einer Währung, z. B. {currency}.',
  },
  too_many_to_sort: {
    en: 'Only lists of up to {max} records can be sorted by amount. Narrow the list by time, state or amount.',
    de: 'Nur Listen mit bis zu {max} Einträgen lassen sich nach Betrag sortieren. Grenzen Sie die Liste nach Zeit, Status oder Betrag ein.',
  },
  unknown_cursor: {
    en: 'Must be a cursor of this list. Send a cursor from an earlier response unchanged, with the same `sort` as in that request.',
    de: 'Diese Stelle der Liste gibt es nicht mehr. Beginnen Sie auf der ersten Seite.',
  },
  too_many_pairs: { en: 'Must have at most {max} pairs.', de: 'Darf höchstens {max} Paare haben.' },
  no_pairs: { en: 'Must have at least one pair.', de: 'Muss mindestens ein Paar haben.' },
  two_cursors: {
    en: 'Send either `starting_after` or `ending_before`.',
    de: 'Diese Stelle der Liste ist nicht eindeutig. Beginnen Sie auf der ersten Seite.',
  },
  page_and_cursor: {
    en: 'Send either `page` or `{cursor}`.',
    de: 'Diese Stelle der Liste ist nicht eindeutig. Beginnen Sie auf der ersten Seite.',
  },
  several_lines: { en: 'Must be one line.', de: 'Muss aus einer einzigen Zeile bestehen.' },
  no_base64: { en: 'Must be base64.', de: 'Muss in Base64 kodiert sein.' },
  unknown_currency: {
    en: 'Must be an ISO 4217 currency code, e.g. USD.',
    de: 'Muss ein Währungscode nach ISO 4217 sein, z. B. EUR.',
  },
  too_many_decimals: { en: 'Must have at most two decimals.', de: 'Darf höchstens zwei Nachkommastellen haben.' },
  no_instant: {
    en: 'Must be an ISO 8601 time with an offset, e.g. 2026-11-20T12:00:00Z (in a query string, write + as %2B).',
    de: 'Muss ein Zeitpunkt nach ISO 8601 sein, z. B. 2026-11-20T12:00:00Z.',
  },
  year_out_of_range: { en: 'Must be between the years 1970 and 2999.', de: 'Muss zwischen den Jahren 1970 und 2999 liegen.' },
  nested_too_deep: {
    en: 'Must be nested at most {max} levels deep.',
    de: 'Darf höchstens {max} Ebenen tief verschachtelt sein.',
  },
  control_characters: { en: 'Must not contain control characters.', de: 'Darf keine Steuerzeichen enthalten.' },
  malformed_unicode: { en: 'Must be well-formed Unicode.', de: 'Enthält ungültige Zeichen.' },
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
