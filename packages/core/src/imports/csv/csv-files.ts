/** Reads affiliates, links, customers, commissions and payouts from files of comma-separated values. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { paymentNames } from '../../ledger/sales/wire-names.ts';
import { readIso8601 } from '../../platform/time/iso-8601.ts';
import { type ImportedFile, type ImportKind, SourceFailure, type SourceRecord } from '../port/import-kind.ts';
import { CSV_KINDS, type CsvKind, fieldOf } from './columns.ts';
import { readAmount } from './read-amount.ts';

const ROWS = 500;

const Cursor = z.object({ file: z.int(), row: z.int() });

/** A line of a file: its values by field. */
type Line = Readonly<Record<string, string>>;

export const CSV_FILES: ImportKind = {
  kind: 'csv',
  access: 'files',
  pauseMs: 0,

  async read({ files, currency }, at) {
    const { file, row } = at === null ? { file: 0, row: 0 } : Cursor.parse(at);
    const given = inOrder(files)[file];
    if (given === undefined) return { records: [], next: null };
    const lines = await linesOf(given);
    const earlier = new Map<string, number>();
    const records = lines.slice(0, row + ROWS).flatMap((line, i) => {
      const text = JSON.stringify([given.kind, line]);
      const repeated = earlier.get(text) ?? 0;
      earlier.set(text, repeated + 1);
      if (i < row) return [];
      const fingerprint = () => createHash('sha256').update(`${text} ${repeated}`).digest('hex').slice(0, 32);
      return RECORDS_OF[given.kind as CsvKind](line, `${given.kind} ${file + 1}/${i + 1}`, { currency, fingerprint });
    });
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
  // A decoder puts this character in the place of bytes that are not UTF-8.
  if (content.includes('\uFFFD')) throw new SourceFailure('file_unreadable', { detail: 'encoding' });
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
  codes: ['affiliate', 'code'],
  commissions: ['affiliate', 'state', 'created_at'],
  payouts: ['id', 'affiliate', 'paid_at'],
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

interface LineContext {
  /** Currency of amounts for which the line names none. */
  currency: string | null;
  /** Returns a text that identifies a line without an id: it is the same in every file that has the line. */
  fingerprint: () => string;
}

const RECORDS_OF: Readonly<Record<CsvKind, (line: Line, at: string, context: LineContext) => SourceRecord[]>> = {
  affiliates(line, at, context) {
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
    return token === undefined ? [affiliate] : [affiliate, ...RECORDS_OF.links({ affiliate: at, token }, at, context)];
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

  codes: (line, at) => [
    {
      kind: 'code',
      id: at,
      data: {
        affiliate: line['affiliate'] ?? '',
        code: line['code'] ?? '',
        psp_promotion_code_id: line['promotion_code_id'] || null,
        is_active: true,
        created_at: timeIn(line['created_at']),
      },
    },
  ],

  commissions(line, at, { currency, fingerprint }) {
    const unit = line['currency']?.toUpperCase() ?? currency;
    const created_at = timeIn(line['created_at']);
    const charge = amountIn(line, 'sale_amount', unit);
    const payment = paymentNames(line['stripe_charge_id']);
    const isSale = charge !== null || payment.names.length > 0;
    return [
      {
        kind: 'commission',
        id: line['id'] ?? at,
        data: {
          external_id: line['id'] ?? fingerprint(),
          affiliate: line['affiliate'] ?? '',
          campaign: null,
          customer: line['customer'] ?? null,
          state: stateIn(line['state']),
          is_money: true,
          flagged: isHeld(line['state']),
          amount_cents: amountIn(line, 'amount', unit),
          currency: unit,
          due_at: timeIn(line['due_at']),
          paid_at: timeIn(line['paid_at']),
          voided_at: null,
          sale:
            isSale && unit !== null
              ? {
                  ...payment,
                  charge_amount_cents: charge ?? 0,
                  tax_amount_cents: 0,
                  refund_amount_cents: 0,
                  currency: unit,
                  charged_at: created_at,
                }
              : null,
          payout: line['payout'] ?? null,
          created_at,
        },
      },
    ];
  },

  payouts(line, at, { currency }) {
    const unit = line['currency']?.toUpperCase() ?? currency;
    const paid_at = timeIn(line['paid_at']);
    return [
      {
        kind: 'payout',
        id: line['id'] ?? at,
        data: {
          external_id: line['id'] ?? null,
          affiliate: line['affiliate'] ?? '',
          state: line['state'] === undefined || stateIn(line['state']) === 'paid' ? 'paid' : 'open',
          amount_cents: amountIn(line, 'amount', unit),
          currency: unit,
          paid_at,
          reference: line['reference'] ?? null,
          commissions: null,
          created_at: timeIn(line['created_at']) ?? paid_at,
        },
      },
    ];
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
function amountIn(line: Line, column: string, currency: string | null): number | string | null {
  const cents = line[`${column}_cents`];
  if (cents !== undefined) return /^-?\d{1,12}$/.test(cents) ? Number(cents) : cents;
  const text = line[column];
  return text === undefined ? null : (readAmount(text, currency ?? 'USD') ?? text);
}

/** A day is its midnight in UTC. Other forms are left as they are, and refused by the check, because 01/02 has two readings. */
function timeIn(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return `${text}T00:00:00.000Z`;
  const spaced = text.replace(/^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?: ?(UTC|Z))?$/, '$1T$2Z');
  return readIso8601(spaced) === null ? text : spaced;
}
