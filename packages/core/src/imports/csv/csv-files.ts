/** Reads affiliates, links, customers, commissions and payouts from files of comma-separated values, a part of a file at a time. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { paymentNames } from '../../ledger/sales/wire-names.ts';
import { PART_BYTES } from '../../platform/files/file-parts.ts';
import { delimiterOf } from '../port/file-format.ts';
import { type ImportedFile, type ImportKind, type ReadInput, SourceFailure, type SourceRecord } from '../port/import-kind.ts';
import { recordOf, saleOf } from '../port/read-answers.ts';
import { CSV_KINDS, type CsvKind, fieldOf } from './columns.ts';
import { readAmount, readTime } from './read-values.ts';

/** Maximum size of a line, in bytes. */
const MAX_LINE = 1_048_576;
/** Maximum number of columns. All headers are looked at again with each part of a file. */
const MAX_COLUMNS = 1_000;

const Cursor = z.object({
  file: z.int(),
  /** Bytes of the file that were read. */
  offset: z.int(),
  /** Lines of the file that were read, headers and empty ones left out. */
  line: z.int(),
  /** Null at the beginning of a file. */
  format: z.object({ delimiter: z.string(), headers: z.array(z.string()) }).nullable(),
});
const BEGINNING: z.infer<typeof Cursor> = { file: 0, offset: 0, line: 0, format: null };

/** A line of a file: its values by field. */
type Line = Readonly<Record<string, string>>;

export const CSV_FILES: ImportKind = {
  pauseMs: 0,

  async read(input, at) {
    const { file, offset, line, format } = at === null ? BEGINNING : Cursor.parse(at);
    const given = inOrder(input.files)[file];
    if (given === undefined) return { records: [], next: null };
    const kind = given.kind as CsvKind;
    const { text, end } = await nextLines(given, offset, input);
    const delimiter = format?.delimiter ?? delimiterOf(text);
    const rows = await rowsIn(text, delimiter, line);
    const headers = format?.headers ?? rows.shift() ?? [];
    if (headers.length > MAX_COLUMNS) throw unreadable('too_many_columns');
    const fields = fieldsIn(given, headers);
    const headerLine = headers.join('\n');
    const lines = rows.flatMap((row): Line[] => {
      // Files that were joined have their headers again.
      if (row.every((value) => value === '') || row.join('\n') === headerLine) return [];
      const values = fields.flatMap((field, i) => (field !== null && row[i] ? [[field, withoutQuote(row[i])] as const] : []));
      return [Object.fromEntries(values)];
    });
    const records = lines.flatMap((each, i) => {
      const context: LineContext = { currency: input.currency, given, unclear: [] };
      const found = RECORDS_OF[kind](each, `${kind} ${file + 1}/${line + i + 1}`, context);
      const [unclear] = context.unclear;
      return unclear === undefined ? found : found.map((record) => ({ ...record, unclear }));
    });
    const following = { ...BEGINNING, file: file + 1 };
    const rest = { file, offset: end, line: line + lines.length, format: { delimiter, headers } };
    const next = end < given.bytes ? rest : following.file < input.files.length ? following : null;
    return { records, next, expected: lines.length };
  },
};

/** Files of affiliates come first, because the others refer to them. */
function inOrder(files: readonly ImportedFile[]): ImportedFile[] {
  return files.toSorted((one, other) => place(one) - place(other));
}

function place({ kind }: ImportedFile): number {
  return CSV_KINDS.indexOf(kind as CsvKind);
}

/**
 * Returns the next whole lines of a file, and where they end.
 *
 * @throws SourceFailure `file_unreadable`
 */
async function nextLines(file: ImportedFile, offset: number, { bytesOf }: ReadInput): Promise<{ text: string; end: number }> {
  for (let length = PART_BYTES; ; length *= 2) {
    const bytes = await bytesOf(file, offset, length);
    const { size, isQuoted } = offset + bytes.length < file.bytes ? wholeLines(bytes) : { size: bytes.length, isQuoted: false };
    if (size === 0 && length >= MAX_LINE) throw unreadable(isQuoted ? 'CSV_QUOTE_NOT_CLOSED' : 'line_too_long');
    if (size === 0 && bytes.length > 0) continue;
    const text = bytes.toString('utf8', 0, size);
    // A decoder puts this character in the place of bytes that are not UTF-8.
    if (text.includes('\uFFFD')) throw unreadable('encoding');
    return { text: offset === 0 ? text.replace(/^\uFEFF/, '').replace(/^sep=.\r?\n/i, '') : text, end: offset + size };
  }
}

/** Returns the size of the lines that end in these bytes, and whether the rest begins within quotes. Line ends within quotes do not end a line. */
function wholeLines(bytes: Buffer): { size: number; isQuoted: boolean } {
  let size = 0;
  let isQuoted = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (!isQuoted && (byte === LINE_FEED || byte === CARRIAGE_RETURN)) size = i + 1;
  }
  return { size, isQuoted };
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

async function rowsIn(text: string, delimiter: string, line: number): Promise<string[][]> {
  const { parse } = await import('csv-parse/sync');
  try {
    return parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    const { code, records = 0 } = error as { code?: string; records?: number };
    throw unreadable(`${code}: line ${line + records + 1}`);
  }
}

/** Returns the field of each header, null for those that are not read. */
function fieldsIn({ kind, columns }: ImportedFile, headers: readonly string[]): (string | null)[] {
  const fields = headers.map((header) => fieldOf(kind as CsvKind, header, columns));
  const repeated = fields.find((field, i) => field !== null && fields.indexOf(field) !== i);
  if (repeated !== undefined) throw unreadable(`repeated: ${repeated}`);
  const missing = REQUIRED[kind as CsvKind].filter((field) => !fields.includes(field));
  if (missing.length > 0) throw unreadable(`missing: ${missing.join(', ')}`);
  return fields;
}

function unreadable(detail: string): SourceFailure {
  return new SourceFailure('file_unreadable', { detail });
}

const REQUIRED: Readonly<Record<CsvKind, readonly string[]>> = {
  affiliates: ['email'],
  links: ['affiliate', 'token'],
  customers: ['affiliate'],
  codes: ['affiliate', 'code'],
  commissions: ['affiliate', 'state', 'created_at'],
  payouts: ['id', 'affiliate', 'paid_at'],
};

/** Spreadsheets keep a text from being a formula by a quote in front of it. */
function withoutQuote(value: string): string {
  return /^'[=+\-@\t\r]/.test(value) ? value.slice(1) : value;
}

interface LineContext {
  /** Currency of amounts for which the line names none. */
  currency: string | null;
  given: ImportedFile;
  /** The fields whose values have two readings. */
  unclear: string[];
}

const RECORDS_OF: Readonly<Record<CsvKind, (line: Line, at: string, context: LineContext) => SourceRecord[]>> = {
  affiliates(line, at, context) {
    const { token } = line;
    const affiliate = recordOf('affiliate', at, {
      external_id: line['id'] ?? null,
      email: line['email'] ?? '',
      ...namesIn(line),
      state: line['state']?.toLowerCase() ?? 'active',
      payout_emails: { paypal: line['paypal_email'] ?? null, wise: line['wise_email'] ?? null },
      created_at: timeIn(line, 'created_at', context),
    });
    return token === undefined ? [affiliate] : [affiliate, ...RECORDS_OF.links({ affiliate: at, token }, at, context)];
  },

  links: (line, at, context) => [
    recordOf('link', at, {
      external_id: line['id'] ?? null,
      affiliate: line['affiliate'] ?? '',
      token: line['token'] ?? '',
      url: line['url'],
      created_at: timeIn(line, 'created_at', context),
    }),
  ],

  customers: (line, at, context) => [
    recordOf('customer', at, {
      external_id: line['id'] ?? null,
      affiliate: line['affiliate'] ?? '',
      psp_customer_id: line['stripe_customer_id'],
      external_customer_id: line['external_customer_id'],
      email: line['email'],
      name: line['name'],
      created_at: timeIn(line, 'created_at', context),
      converted_at: timeIn(line, 'converted_at', context),
    }),
  ],

  codes: (line, at, context) => [
    recordOf('code', at, {
      affiliate: line['affiliate'] ?? '',
      code: line['code'] ?? '',
      psp_promotion_code_id: line['promotion_code_id'] || null,
      created_at: timeIn(line, 'created_at', context),
    }),
  ],

  commissions(line, at, context) {
    const currency = line['currency']?.toUpperCase() ?? context.currency;
    const created_at = timeIn(line, 'created_at', context);
    const charge = amountIn(line, 'sale_amount', currency, context);
    const payment = paymentNames(line['stripe_charge_id']);
    const isSale = charge !== null || payment.names.length > 0;
    const commission = recordOf('commission', line['id'] ?? at, {
      external_id: line['id'] ?? fingerprintOf(line),
      affiliate: line['affiliate'] ?? '',
      customer: line['customer'],
      state: stateIn(line['state']),
      flagged: isHeld(line['state']),
      amount_cents: amountIn(line, 'amount', currency, context),
      currency,
      due_at: timeIn(line, 'due_at', context),
      paid_at: timeIn(line, 'paid_at', context),
      sale: isSale && currency !== null ? saleOf(payment, charge ?? 0, currency, created_at) : null,
      payout: line['payout'],
      created_at,
    });
    return [{ ...commission, repeats: line['id'] === undefined }];
  },

  payouts(line, at, context) {
    const currency = line['currency']?.toUpperCase() ?? context.currency;
    const paid_at = timeIn(line, 'paid_at', context);
    const data = {
      external_id: line['id'] ?? null,
      affiliate: line['affiliate'] ?? '',
      state: line['state'] === undefined || stateIn(line['state']) === 'paid' ? 'paid' : 'open',
      amount_cents: amountIn(line, 'amount', currency, context),
      currency,
      paid_at,
      reference: line['reference'],
      created_at: timeIn(line, 'created_at', context) ?? paid_at,
    };
    return [recordOf('payout', line['id'] ?? at, data)];
  },
};

function namesIn({ name, first_name, last_name }: Line): { first_name: string | null; last_name: string | null } {
  if (first_name !== undefined || last_name !== undefined || name === undefined)
    return { first_name: first_name ?? null, last_name: last_name ?? null };
  const at = name.lastIndexOf(' ');
  return at < 0 ? { first_name: name, last_name: null } : { first_name: name.slice(0, at), last_name: name.slice(at + 1) };
}

/** The words of other tools and spreadsheets for the states of a commission. */
const STATES: ReadonlyMap<string, string> = new Map([
  ['approved', 'due'],
  ['unpaid', 'due'],
  ['open', 'due'],
  ['hold', 'due'],
  ['held', 'due'],
  ['flagged', 'due'],
  ['scheduled', 'pending'],
  ['completed', 'paid'],
  ['void', 'voided'],
  ['denied', 'voided'],
  ['declined', 'voided'],
  ['rejected', 'voided'],
  ['refunded', 'voided'],
  ['canceled', 'voided'],
  ['cancelled', 'voided'],
]);

function stateIn(text = ''): string {
  return STATES.get(text.toLowerCase()) ?? text.toLowerCase();
}

function isHeld(text = ''): boolean {
  return ['hold', 'held', 'flagged'].includes(text.toLowerCase());
}

/** Returns an amount in the minor unit: that of the column in cents, otherwise that of the column in major units. Null if the line has neither. */
function amountIn(line: Line, column: string, currency: string | null, { given, unclear }: LineContext): number | string | null {
  const cents = line[`${column}_cents`];
  if (cents !== undefined) return /^-?\d{1,12}$/.test(cents) ? Number(cents) : cents;
  const text = line[column];
  if (text === undefined) return null;
  const read = readAmount(text, currency, given.decimal_mark);
  if (read === 'two_readings') unclear.push(column);
  return typeof read === 'number' ? read : text;
}

/** A day is its midnight in UTC. What cannot be read is left as it is, and refused by the check. */
function timeIn(line: Line, column: string, { given, unclear }: LineContext): string | null {
  const text = line[column];
  if (text === undefined) return null;
  const read = readTime(text, given.date_order);
  if (read === 'two_readings') unclear.push(column);
  return read instanceof Date ? read.toISOString() : text;
}

/** Returns what identifies a line without an id: it is the same in every file that has the line. */
function fingerprintOf(line: Line): string {
  return createHash('sha256').update(JSON.stringify(line)).digest('hex').slice(0, 32);
}
