/**
 * The room `platform` names no table and no job of another room: the rooms declare their tables and jobs (`platform/room.ts`).
 */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { JOB_KINDS } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import { PLATFORM } from '../../packages/core/src/platform/declarations.ts';

const ROOT = resolve(import.meta.dirname, '../../packages/core/src');

/** The account is the tenant to which all rows belong, so the platform reads its clock and its name. */
const TENANT = 'account';

/** Names of tables that are quoted in the platform with another meaning. */
const OTHER_MEANINGS: Readonly<Record<string, readonly string[]>> = {
  'a kind of caller': ['affiliate', 'api_key', 'connector'],
  'a word of emails and of reports about them': ['event', 'invitation'],
};
const WORDS = new Set(Object.values(OTHER_MEANINGS).flat());

/** Files that are about all rooms: migrations, and the names and the prefix of the ids of each kind of record. */
const OF_ALL_ROOMS = /^platform\/(db\/migrations\/|wire\/ids\.ts$|texts\/refusal-words\.ts$)/;

const sources = globSync('**/*.ts', { cwd: ROOT })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, source: readFileSync(resolve(ROOT, file), 'utf8') }));

const tables = sources
  .filter(({ file }) => !file.startsWith('platform/'))
  .flatMap(({ source }) => source.match(/(?<=interface Tables \{\n)[\s\S]*?(?=\n  \}\n)/g) ?? [])
  .flatMap((body) => [...body.matchAll(/^ {4}(\w+): /gm)].map(([, table]) => table!))
  .filter((table) => table !== TENANT);

/** Lists the tables of other rooms that a source of the platform names, in SQL, in a query or as a word in quotes. */
function tablesNamedIn(source: string): string[] {
  const inSql = (table: string) => new RegExp(`\\b(from|join|into|update) "?${table}\\b`).test(source);
  const inQuery = (table: string) => new RegExp(`(From|Into|Table|[jJ]oin)\\(\\s*'${table}['. ]`).test(source);
  const inQuotes = (table: string) => !WORDS.has(table) && source.includes(`'${table}'`);
  return tables.filter((table) => inSql(table) || inQuery(table) || inQuotes(table));
}

describe('the platform', () => {
  it('names no table of another room', () => {
    expect(tables.length).toBeGreaterThan(80);
    const named = sources
      .filter(({ file }) => file.startsWith('platform/') && !OF_ALL_ROOMS.test(file))
      .flatMap(({ file, source }) => tablesNamedIn(source).map((table) => `${file}: ${table}`));
    expect(named).toEqual([]);
  });

  it('names no job of another room', () => {
    const kinds = Object.keys(JOB_KINDS).filter((kind) => !(kind in PLATFORM.jobs));
    const names = (file: string, source: string, kind: string) =>
      source.includes(`send('${kind}'`) || (file.startsWith('platform/jobs/') && source.includes(kind));
    const named = sources
      .filter(({ file }) => file.startsWith('platform/'))
      .flatMap(({ file, source }) => kinds.filter((kind) => names(file, source, kind)).map((kind) => `${file}: ${kind}`));
    expect(kinds).toContain('webhooks');
    expect(named).toEqual([]);
  });

  it.each([
    ["const TABLES = { sale: 'sale' };", 'sale'],
    ["await db.selectFrom('affiliate').selectAll().execute()", 'affiliate'],
    ["await db.selectFrom('audit_log').innerJoin('api_key as caller', 'caller.id', 'caller_id')", 'api_key'],
    ['await sql`select account_id from membership where user_id = 1`.execute(db)', 'membership'],
  ])('is reported if it does: %s', (planted, table) => {
    expect(tablesNamedIn(planted)).toEqual([table]);
  });
});
