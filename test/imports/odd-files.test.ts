import { NotText, piecesOf } from '@affiliate/core/browser';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '../support/http.ts';
import { must } from '../support/program.ts';
import { useAccount, useService } from '../support/suite.ts';
import { THOROUGH } from '../support/thorough.ts';
import { type Moved, Mover, outcomesOf } from './moving.ts';

const service = useService({ writesRows: true, checksIndexes: true });
const account = useAccount(service);
const mover = () => new Mover(service, account);

beforeAll(() => {
  // The job of these tests reads at once.
  service.services.imports = { pauseMs: 0 };
});

interface Choices {
  kind?: string;
  columns?: Record<string, string>;
  date_order?: string;
  decimal_mark?: string;
}

/** Sends a file as the page and the command line do, lets it be read, and returns the import. */
async function moved(file: string | Uint8Array, { kind = 'affiliates', ...choices }: Choices = {}): Promise<Moved> {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  const local = { size: bytes.length, read: (from: number, to: number) => Promise.resolve(bytes.subarray(from, to)) };
  const { body: begun } = await mover().begin({ source: 'csv', draft: true, files: [{ kind, ...choices }] });
  for await (const piece of piecesOf(local)) {
    const { status, text } = await mover().add(begun.id, { file: 0, ...piece });
    if (status !== 200) throw new Error(text);
  }
  await mover().act(begun.id, 'run');
  await mover().advance();
  return mover().get(begun.id);
}

it('a small file does not wait for a large one of another account', async () => {
  const other = await service.createAccount();
  const small = new Mover(service, other);
  const lines = Array.from({ length: 40_000 }, (_, i) => `ada${i}@example.com,Ada`);
  const { body: large } = await mover().begin({
    source: 'csv',
    files: [{ kind: 'affiliates', content: `email,first_name\n${lines.join('\n')}` }],
  });
  const { body: begun } = await small.begin({ source: 'csv', files: [{ kind: 'affiliates', content: PARTNERS }] });
  let parts = 8;
  await mover().advance(() => (parts -= 1) < 0);
  expect([(await mover().get(large.id)).state, (await small.get(begun.id)).state]).toEqual(['reading', 'ready']);
  await mover().act(large.id, 'stop');
  await mover().act(large.id, 'undo');
  await mover().advance();
});

/** Returns what an import tells of a file: why it cannot be read, or each record with its name or amount, and what is wrong. */
async function reportOf(file: string | Uint8Array, choices?: Choices): Promise<string[]> {
  try {
    const { id, state, failure_detail } = await moved(file, choices);
    if (state === 'failed') return [`unreadable ${String(failure_detail)}`];
    return (await mover().rows(id)).map(({ data, outcome, reason, detail }) => {
      const { email, first_name, amount_cents, created_at, ...rest } = data as Record<string, string | number | null>;
      const told = [email ?? rest['affiliate'], first_name, amount_cents, created_at].map((each) =>
        String(each ?? '').slice(0, 30),
      );
      const wrong = outcome === 'new' ? [] : [reason, detail];
      return [...told, ...wrong].filter(Boolean).join(' | ');
    });
  } catch (error) {
    if (error instanceof NotText) return ['no text'];
    throw error;
  }
}

const PARTNERS = 'email,first_name\nada@example.com,Zoë\n';
const utf16 = (text: string, mark: number[], swapped = false) => {
  const body = Buffer.from(text, 'utf16le');
  return Buffer.from([...mark, ...(swapped ? body.swap16() : body)]);
};
const ADA = 'ada@example.com';
const ZOE = [`${ADA} | Zoë`];
const joined = (...days: string[]) => ['email,created_at', ...days.map((day, i) => `d${i}@example.com,"${day}"`)].join('\n');
const earned = (...amounts: string[]) =>
  ['affiliate;state;created_at;currency;amount', ...amounts.map((each) => `${ADA};due;2026-01-31;EUR;${each}`)].join('\n');
const NO_AFFILIATE = 'affiliate_missing';

describe('a file of people and of spreadsheets', () => {
  const MIDNIGHT = '2026-01-31T00:00:00.000Z';
  it.each<[name: string, file: string | Uint8Array, report: string[], choices?: Choices]>([
    ['in UTF-8', PARTNERS, ZOE],
    ['in UTF-8 with a byte order mark', `\uFEFF${PARTNERS}`, ZOE],
    ['in UTF-16, little end first', utf16(PARTNERS, [0xff, 0xfe]), ZOE],
    ['in UTF-16, big end first', utf16(PARTNERS, [0xfe, 0xff], true), ZOE],
    ['in UTF-16 without a mark', utf16(PARTNERS, []), ['no text']],
    ['in Windows-1252', Buffer.from(PARTNERS, 'latin1'), ZOE],
    ['that is a workbook', Buffer.from('PK\u0003\u0004\u0014\0\u0006\0'), ['no text']],
    ['with NUL among its text', 'email\nada\0@example.com\n', ['no text']],
    ['with other control characters', 'email,first_name\r\nada@example.com,Zo\u0007ë\r\n\u001A', ZOE],
    ['with semicolons', 'email;first_name\nada@example.com;Zoë', ZOE],
    ['with tabs', 'email\tfirst_name\nada@example.com\tZoë', ZOE],
    ['with commas in quoted headers', '"Email";"First name";"Note, private, long, old"\nada@example.com;Zoë;a', ZOE],
    ['that names its separator', 'sep=;\r\nemail;first_name\r\nada@example.com;Zoë', ZOE],
    ['with line ends of old Macs', 'email,first_name\rada@example.com,Zoë\r', ZOE],
    [
      'with a line end in quotes',
      'email,name\nada@example.com,"Zoë\r\nKing"',
      [`${ADA} | Zoë\r\nKing | invalid | first_name: custom`],
    ],
    ['with quotes in quotes', 'email,first_name\nada@example.com,"Zoë ""Z"""', [`${ADA} | Zoë "Z"`]],
    ['with a quote that does not end', 'email,first_name\nada@example.com,"Zoë', ['unreadable CSV_QUOTE_NOT_CLOSED: line 2']],
    ['with a quote in a value', 'email,first_name\nada@example.com,5" Zoë', ['unreadable INVALID_OPENING_QUOTE: line 2']],
    ['with a column twice', 'email,E-Mail,name\na@b.example,c@d.example,x', ['unreadable repeated: email']],
    ['without headers', 'ada@example.com,Zoë', ['unreadable missing: email']],
    ['of headers alone', 'email,first_name\n', []],
    ['that is empty', '', ['unreadable missing: email']],
    ['of files put together', `${PARTNERS}email,first_name\ngrace@example.com,Grace`, [...ZOE, 'grace@example.com | Grace']],
    ['with empty lines', '\n\nemail,first_name\n\n,\n  ,  \nada@example.com,Zoë\n\n', ZOE],
    [
      'with too few and too many values',
      'email,first_name\nada@example.com\nbo@example.com,Bo,x,y',
      [ADA, 'bo@example.com | Bo'],
    ],
    [
      'with formulas',
      `email,first_name\nada@example.com,"=HYPERLINK(""http://x"")"\nbo@example.com,'+1`,
      [`${ADA} | =HYPERLINK("http://x")`, 'bo@example.com | +1'],
    ],
    [
      'with a very long value',
      `email,first_name\nada@example.com,${'Z'.repeat(200_000)}`,
      [`${ADA} | ${'Z'.repeat(30)} | invalid | first_name: too_big`],
    ],
    [
      'with headers of its own',
      'Contact;Vorname\nada@example.com;Zoë',
      ZOE,
      { columns: { Contact: 'email', Vorname: 'first_name' } },
    ],
    ['with names of built-ins as headers', 'email,constructor,__proto__\nada@example.com,x,y', [ADA]],
    [
      'with days of five habits',
      joined('2026-01-31', '31.01.2026', '1/31/2026', '31/01/2026', 'Jan 31, 2026'),
      [0, 1, 2, 3, 4].map((i) => `d${i}@example.com | ${MIDNIGHT}`),
    ],
    [
      'with days of two readings',
      joined('02/01/2026', '31/01/26', 'soon'),
      [
        'd0@example.com | 02/01/2026 | invalid | created_at: two_readings',
        'd1@example.com | 31/01/26 | invalid | created_at: invalid_format',
        'd2@example.com | soon | invalid | created_at: invalid_format',
      ],
    ],
    [
      'with days whose order is told',
      joined('02/01/2026'),
      ['d0@example.com | 2026-01-02T00:00:00.000Z'],
      { date_order: 'day_first' },
    ],
    [
      'with amounts as people write them',
      earned('1.234,50', '1,234.50', '1 234,5 €', '-3', '=1+1', '1.234'),
      [
        ...[123_450, 123_450, 123_450, -300].map((cents) => `${ADA} | ${cents} | ${MIDNIGHT} | ${NO_AFFILIATE}`),
        `${ADA} | =1+1 | ${MIDNIGHT} | invalid | amount_cents: invalid_type`,
        `${ADA} | 1.234 | ${MIDNIGHT} | invalid | amount: two_readings`,
      ],
      { kind: 'commissions' },
    ],
    [
      'with amounts whose decimal mark is told',
      earned('1.234', '0,5'),
      [123_400, 50].map((cents) => `${ADA} | ${cents} | ${MIDNIGHT} | ${NO_AFFILIATE}`),
      { kind: 'commissions', decimal_mark: ',' },
    ],
  ])('%s', async (_, file, report, choices) => {
    expect(await reportOf(file, choices)).toEqual(report);
  });
});

it('lines that are equal are records of their own, and the same ones in another file', async () => {
  await must(account, '/campaigns', {
    name: 'Friends',
    url: 'https://shop.example.com/',
    reward_type: 'percent',
    commission_percent: 20,
    default: true,
  });
  await must(account, '/affiliates', { email: ADA });
  // More than a part of the file, so that equal lines are in several parts.
  const file = earned(...Array.from({ length: 3_000 }, (_, i) => String(i % 500)));
  const first = await moved(file, { kind: 'commissions' });
  expect(outcomesOf(first)).toEqual(['commission new 0/3000']);
  await mover().run(first.id);
  expect(outcomesOf(await moved(file, { kind: 'commissions' }))).toEqual(['commission existing 0/3000']);
  const { body } = await account.api.get<{ pagination: { total_count: number } }>('/commissions?limit=1');
  expect(body.pagination.total_count).toBe(3_000);
});

it(`a file of ${THOROUGH ? '50 MB and 100,000' : '4 MB and 8,000'} lines is read in parts`, async () => {
  const lines = THOROUGH ? 100_000 : 8_000;
  const note = 'x'.repeat(480);
  const text = Array.from({ length: lines }, (_, i) => `partner.${i}@example.com,Partner ${i},"${note}"`).join('\n');
  const { state, expected_count, counts, files } = await moved(`email,first_name,note\n${text}`);
  expect({ state, expected_count, files }).toEqual({ state: 'ready', expected_count: lines, files: [] });
  expect(counts).toEqual([{ kind: 'affiliate', outcome: 'new', count: lines, done: 0 }]);
}, 600_000);

describe('a file in parts', () => {
  const draft = async (files: object[] = [{ kind: 'affiliates' }]) => {
    const { body } = await mover().begin({ source: 'csv', draft: true, files });
    return body.id;
  };
  const text = `${PARTNERS}grace@example.com,Grace\n`;
  const size = Buffer.byteLength(text);

  it('goes on where it was cut off, and is not read before it is complete', async () => {
    const id = await draft();
    const add = (offset: number, until: number, rest: object = {}) =>
      mover().add(id, { file: 0, offset, content: Buffer.from(text).subarray(offset, until).toString(), ...rest });
    expect((await add(0, 20)).body).toMatchObject({
      state: 'draft',
      files: [{ kind: 'affiliates', bytes: 20, is_complete: false }],
    });
    expect((await add(0, 20)).body).toMatchObject({ files: [{ bytes: 20 }] });
    expect(await add(30, 40)).toMatchObject({ status: 409, text: expect.stringContaining('20 bytes') });
    expect((await mover().act(id, 'run')).status).toBe(409);
    expect((await add(20, size, { is_last: true })).body).toMatchObject({ files: [{ bytes: size, is_complete: true }] });
    // The answer was lost.
    expect((await add(20, size, { is_last: true })).status).toBe(200);
    expect((await add(size, size + 1)).status).toBe(200);
    expect((await mover().add(id, { file: 0, offset: size, content: 'more' })).status).toBe(409);
    expect((await mover().act(id, 'run')).body).toMatchObject({ state: 'reading' });
    await mover().advance();
    expect(await mover().get(id)).toMatchObject({ state: 'ready', files: [], expected_count: 2 });
    expect((await mover().add(id, { file: 0, offset: 0, content: 'more' })).status).toBe(422);
  });

  it('is refused beyond 50 MiB, for a file that is not there, and for an import of somebody else', async () => {
    const id = await draft();
    const content = 'x'.repeat(1_048_576);
    for (let i = 0; i < 50; i += 1)
      expect((await mover().add(id, { file: 0, offset: i * content.length, content })).status).toBe(200);
    expect(await mover().add<ErrorBody>(id, { file: 0, offset: 50 * content.length, content: 'x' })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'content', code: 'too_big' }] },
    });
    expect(await mover().add<ErrorBody>(id, { file: 1, offset: 0, content: 'x' })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'file', code: 'not_found' }] },
    });
    const stranger = new Mover(service, await service.createAccount());
    expect((await stranger.add(id, { file: 0, offset: 0, content: 'x' })).status).toBe(404);
    // A line that never ends is not held in memory.
    await mover().add(id, { file: 0, offset: 50 * content.length, content: '', is_last: true });
    await mover().act(id, 'run');
    await mover().advance();
    expect(await mover().get(id)).toMatchObject({ failure: 'file_unreadable', failure_detail: 'line_too_long', files: [] });
    expect((await mover().act(id, 'run')).status).toBe(409);
  });

  it('is deleted when nobody has gone on for a week, and when the import is undone', async () => {
    const ids = [await draft(), await draft()];
    for (const id of ids) await mover().add(id, { file: 0, offset: 0, content: text });
    const parts = async () =>
      (
        await service.services.database.kysely
          .selectFrom('file_part')
          .select('file_id')
          .where('account_id', '=', account.id)
          .execute()
      ).length;
    expect(await parts()).toBe(2);
    await mover().act(ids[0]!, 'undo');
    expect(await parts()).toBe(1);
    service.clock.advance(8, 'days');
    await mover().advance();
    expect(await parts()).toBe(0);
    expect(await mover().get(ids[1]!)).toMatchObject({ state: 'undone', files: [] });
  });

  it('waits with at most four others', async () => {
    const begin = () => mover().begin({ source: 'csv', draft: true, files: [{ kind: 'affiliates' }] });
    const statuses = (await Promise.all(Array.from({ length: 8 }, begin))).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([201, 201, 201, 201, 201, 409, 409, 409]);
  });
});
