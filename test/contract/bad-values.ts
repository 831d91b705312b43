import { createHash } from 'node:crypto';

/** A value for a field, as written in JSON. */
export interface BadValue {
  /** A short name, for failure messages. */
  name: string;
  value: unknown;
  /** True if every field refuses the value, although no schema says so, e.g. text that the database cannot store, or deep nesting. */
  refused?: true;
}

const nested = (depth: number): BadValue['value'] => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
const rawNumber = (digits: string) => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits);

/** Text that does not compress. */
export const LONG = Array.from({ length: 150 }, (_, i) => createHash('sha256').update(String(i)).digest('hex').slice(0, 60)).join(
  '',
);

const OF_ANY_TYPE: BadValue[] = [
  { name: 'null', value: null },
  { name: 'true', value: true },
  { name: '-1', value: -1 },
  { name: 'empty text', value: '' },
  { name: '[]', value: [] },
  { name: '[null]', value: [null] },
  { name: '{}', value: {} },
  { name: 'NUL', value: 'a\0b', refused: true },
  { name: 'a control character', value: 'a\u0007b', refused: true },
  { name: 'a control character of ISO 8859', value: 'a\u009bb', refused: true },
  { name: 'lone surrogate', value: '\ud800', refused: true },
];

const NUMBERS: BadValue[] = [
  { name: '1.5', value: 1.5 },
  { name: '2^53', value: 2 ** 53 },
  { name: '2^63', value: rawNumber('9223372036854775808') },
  { name: '2^31', value: 2 ** 31 },
  { name: '1e308', value: 1e308 },
  { name: '1e400', value: rawNumber('1e400') },
  { name: '"1"', value: '1' },
];

const DATES: BadValue[] = [
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-01T24:00:01Z',
  '+275760-09-13T00:00:00.001Z',
  '275761-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '0000',
  '-000001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2026-01-01',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00+99:99',
  '1969-12-31T23:59:59.999Z',
  'infinity',
].map((value) => ({ name: value, value }));

const CONTAINERS: BadValue[] = [
  { name: '{"a":1}', value: { a: 1 } },
  { name: '{"__proto__":{}}', value: JSON.parse('{"__proto__":{}}') },
  { name: '[["a"]]', value: [['a']] },
  { name: '[NUL]', value: ['\0'], refused: true },
];

const TEXTS: BadValue[] = [
  { name: 'white space', value: ' \t\u00a0\u2003' },
  { name: 'constructor', value: 'constructor' },
  {
    name: 'what has a meaning elsewhere',
    value: `=1+1'; drop table account; -- " \\ $1 \${x} %00%s\r\nX-Injected: 1\u2028𝕬😀é`,
  },
  { name: '300 characters', value: 'é'.repeat(300) },
  { name: '9,000 characters', value: LONG },
];

/** Large values, sent in one field of each operation. A megabyte of text is below the body limit, so it reaches the schema. */
export const LARGE_VALUES: BadValue[] = [
  { name: '1 MB', value: 'x'.repeat(1_000_000) },
  { name: 'arrays 2000 deep', value: nested(2_000), refused: true },
];

export type Kind = 'number' | 'date' | 'text' | 'other';

/** Returns the bad values for a field of this kind. */
export function badValuesFor(kind: Kind): BadValue[] {
  return [...OF_ANY_TYPE, ...{ number: NUMBERS, date: DATES, text: TEXTS, other: CONTAINERS }[kind]];
}

/** Names of fields that no input has. Some exist on every JavaScript object. */
export const FOREIGN_NAMES = ['no_such_field', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'x'.repeat(3_000)];

/** A bad query parameter or path segment, already encoded. */
export interface BadParameter {
  name: string;
  encoded: string;
  refused?: true;
}

const PARAMETERS: BadParameter[] = [
  { name: 'empty', encoded: '' },
  { name: 'white space', encoded: '%20%09' },
  { name: 'null', encoded: 'null' },
  { name: '-1', encoded: '-1' },
  { name: '1.5', encoded: '1.5' },
  { name: '2^53', encoded: String(2 ** 53) },
  { name: '2^63', encoded: '9223372036854775808' },
  { name: 'true', encoded: 'true' },
  { name: '__proto__', encoded: '__proto__' },
  { name: 'constructor', encoded: 'constructor' },
  { name: 'NUL', encoded: 'a%00b', refused: true },
  { name: 'quote', encoded: '%27%20or%20%271%27%3D%271' },
  { name: 'line break', encoded: 'a%0d%0aX-Injected:%201' },
  { name: 'dots', encoded: '%2e%2e%2f' },
  { name: 'commas', encoded: ',,,' },
  { name: 'surrogate in UTF-8', encoded: '%ED%A0%80' },
  { name: 'invalid UTF-8', encoded: '%C3%28%FF' },
  { name: 'invalid escape', encoded: '%zz%' },
  { name: '201 characters', encoded: 'x'.repeat(201) },
  { name: '9,000 characters', encoded: 'x'.repeat(9_000) },
];

const DATE_PARAMETERS: BadParameter[] = DATES.map(({ name }) => ({ name, encoded: encodeURIComponent(name) }));

export function badParametersFor(kind: Kind): BadParameter[] {
  return kind === 'date' ? [...PARAMETERS, ...DATE_PARAMETERS] : PARAMETERS;
}

/** Path segments with a special meaning. */
const PATH_NAMES = [
  '-1',
  'null',
  '__proto__',
  'NUL',
  'quote',
  'line break',
  'dots',
  'surrogate in UTF-8',
  'invalid UTF-8',
  'invalid escape',
  '201 characters',
  '9,000 characters',
];
export const BAD_SEGMENTS = PARAMETERS.filter(({ name }) => PATH_NAMES.includes(name));
