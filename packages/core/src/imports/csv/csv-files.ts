/** Reads affiliates, links and customers from files of comma-separated values. */
import { z } from 'zod';
import { readIso8601 } from '../../platform/time/iso-8601.ts';
import { type ImportedFile, type ImportKind, SourceFailure, type SourceRecord } from '../port/import-kind.ts';
import { CSV_KINDS, type CsvKind, fieldOf } from './columns.ts';

const ROWS = 500;

const Cursor = z.object({ file: z.int(), row: z.int() });

/** A line of a file: its values by field. */
type Line = Readonly<Record<string, string>>;

export const CSV_FILES: ImportKind = {
  kind: 'csv',
  access: 'files',
  pauseMs: 0,

  async read({ files }, at) {
    const { file, row } = at === null ? { file: 0, row: 0 } : Cursor.parse(at);
    const given = inOrder(files)[file];
    if (given === undefined) return { records: [], next: null };
    const lines = await linesOf(given);
    const records = lines
      .slice(row, row + ROWS)
      .flatMap((line, i) => RECORDS_OF[given.kind as CsvKind](line, `${given.kind} ${file + 1}/${row + i + 1}`));
    const isOver = row + ROWS >= lines.length;
    const following = isOver ? { file: file + 1, row: 0 } : { file, row: row + ROWS };
    return { records, next: following.file >= files.length ? null : following, ...(row === 0 && { expected: lines.length }) };
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
 * Returns the lines of a file. Empty ones are left out.
 *
 * @throws SourceFailure `file_unreadable`
 */
async function linesOf({ kind, content, columns = {} }: ImportedFile): Promise<Line[]> {
  const { parse } = await import('csv-parse/sync');
  let rows: string[][];
  try {
    rows = parse(content, {
      bom: true,
      delimiter: delimiterOf(content),
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    throw new SourceFailure('file_unreadable', { detail: (error as { code?: string }).code ?? null });
  }
  const [headers = [], ...values] = rows;
  const fields = headers.map((header) => fieldOf(kind as CsvKind, header, columns));
  const repeated = fields.find((field, i) => field !== null && fields.indexOf(field) !== i);
  if (repeated !== undefined) throw new SourceFailure('file_unreadable', { detail: `repeated: ${repeated}` });
  const missing = REQUIRED[kind as CsvKind].filter((field) => !fields.includes(field));
  if (missing.length > 0) throw new SourceFailure('file_unreadable', { detail: `missing: ${missing.join(', ')}` });
  return values
    .filter((row) => row.some((value) => value !== ''))
    .map((row) =>
      Object.fromEntries(fields.flatMap((field, i) => (field !== null && row[i] ? [[field, withoutQuote(row[i])]] : []))),
    );
}

const REQUIRED: Readonly<Record<CsvKind, readonly string[]>> = {
  affiliates: ['email'],
  links: ['affiliate', 'token'],
  customers: ['affiliate'],
};

/** The separator that the line of headers has most of: a comma, semicolon or tab. */
function delimiterOf(content: string): string {
  const [headers = ''] = content.split(/\r?\n/, 1);
  const count = (delimiter: string) => headers.split(delimiter).length;
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0]!;
}

/** Spreadsheets keep a text from being a formula by a quote in front of it. */
function withoutQuote(value: string): string {
  return /^'[=+\-@\t\r]/.test(value) ? value.slice(1) : value;
}

const RECORDS_OF: Readonly<Record<CsvKind, (line: Line, at: string) => SourceRecord[]>> = {
  affiliates(line, at) {
    const { email = '', token } = line;
    const { first_name, last_name } = namesIn(line);
    const affiliate: SourceRecord = {
      kind: 'affiliate',
      id: at,
      data: {
        external_id: line['id'] ?? null,
        email,
        first_name,
        last_name,
        state: line['state']?.toLowerCase() ?? 'active',
        campaign: null,
        payout_emails: { paypal: line['paypal_email'] ?? null, wise: line['wise_email'] ?? null },
        created_at: timeIn(line['created_at']),
      },
    };
    return token === undefined ? [affiliate] : [affiliate, ...RECORDS_OF.links({ affiliate: at, token }, at)];
  },

  links: (line, at) => [
    {
      kind: 'link',
      id: at,
      data: {
        external_id: line['id'] ?? null,
        affiliate: line['affiliate'] ?? '',
        campaign: null,
        token: line['token'] ?? '',
        url: line['url'] ?? null,
        created_at: timeIn(line['created_at']),
      },
    },
  ],

  customers: (line, at) => [
    {
      kind: 'customer',
      id: at,
      data: {
        external_id: line['id'] ?? null,
        affiliate: line['affiliate'] ?? '',
        campaign: null,
        token: null,
        psp_customer_id: line['stripe_customer_id'] ?? null,
        external_customer_id: line['external_customer_id'] ?? null,
        email: line['email'] ?? null,
        name: line['name'] ?? null,
        created_at: timeIn(line['created_at']),
        converted_at: timeIn(line['converted_at']),
        expires_at: null,
      },
    },
  ],
};

function namesIn({ name, first_name, last_name }: Line): { first_name: string | null; last_name: string | null } {
  if (first_name !== undefined || last_name !== undefined || name === undefined)
    return { first_name: first_name ?? null, last_name: last_name ?? null };
  const at = name.lastIndexOf(' ');
  return at < 0 ? { first_name: name, last_name: null } : { first_name: name.slice(0, at), last_name: name.slice(at + 1) };
}

/** A day is its midnight in UTC. Other forms are left as they are, and refused by the check, because 01/02 has two readings. */
function timeIn(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return `${text}T00:00:00.000Z`;
  const spaced = text.replace(/^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?: ?(UTC|Z))?$/, '$1T$2Z');
  return readIso8601(spaced) === null ? text : spaced;
}
