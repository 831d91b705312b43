import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../packages');

/** Statements that only one file may contain. Other files call that file's functions. */
const OWNERS = [
  {
    what: 'the table of idempotency keys',
    file: 'core/src/platform/idempotency/key-store.ts',
    statement: accessTo('idempotency_key'),
  },
  {
    what: 'the table of operations',
    file: 'core/src/platform/operations/operation-ledger.ts',
    statement: accessTo('operation'),
  },
  {
    what: 'the advisory lock of a transaction',
    file: 'core/src/platform/call/locks.ts',
    statement: /pg_(try_)?advisory_xact_lock/,
  },
];

function accessTo(table: string): RegExp {
  const kysely = `(selectFrom|insertInto|updateTable|deleteFrom|[jJ]oin)\\('${table}['. ]`;
  const sql = `\\b(from|join|into|update) ${table}\\b`;
  return new RegExp(`${kysely}|${sql}`);
}

function contain(statement: RegExp, sources: ReadonlyMap<string, string>): string[] {
  return [...sources].flatMap(([file, source]) => (statement.test(source) ? [file] : []));
}

const sources = new Map(
  globSync('*/src/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.includes('/migrations/') && !file.endsWith('.test.ts'))
    .map((file) => [file, readFileSync(resolve(ROOT, file), 'utf8')]),
);

describe.each(OWNERS)('$what', ({ file, statement }) => {
  it('is used only in the file that owns it', () => {
    expect(contain(statement, sources)).toEqual([file]);
  });
});

/** Cuts a file at its top-level declarations. */
function declarationsOf(source: string): string[] {
  return source.split(/\n(?=(?:export |async |function |const |interface |type |\/\*\*))/);
}

/** Matches uses of a database connection in code for affiliates. */
const CONNECTION = /\b(ctx|tx)\.(db|em)\b|\bkysely\b(?!')|\bservices\.database\b|\{[^}]*\b(db|em)\b[^}]*\}: /;

describe('the code for affiliates', () => {
  // Of a file that also writes, each declaration that has the context of reads.
  const reads = [...sources]
    .filter(([file]) => /^core\/src\/portal\/(?!access\/)/.test(file))
    .flatMap(([file, source]): [string, string][] =>
      file.endsWith('.queries.ts') || !/\b(Affiliate)?WriteCtx\b/.test(source)
        ? [[file, source]]
        : declarationsOf(source).map((declaration) => [file, declaration]),
    )
    .filter(([file, source]) => file.endsWith('.queries.ts') || /\bAffiliateCtx\b/.test(source));

  it('reads only rows of the affiliate', () => {
    expect(reads.length).toBeGreaterThan(10);
    expect(reads.filter(([, source]) => CONNECTION.test(source)).map(([file]) => file)).toEqual([]);
  });

  it.each(['  const rows = await ctx.tx.db', 'await services.database.kysely', 'async function f({ db }: AffiliateCtx) {'])(
    'is reported if it uses a database connection: %s',
    (planted) => {
      expect(planted).toMatch(CONNECTION);
    },
  );
});

it.each([
  ["await db.selectFrom('idempotency_key').selectAll().execute()", 0],
  ["await sql`delete from operation where state = 'failed'`.execute(db)", 1],
  ['await sql`select pg_try_advisory_xact_lock(1)`.execute(db)', 2],
])('a second owner is reported: %s', (planted, owner) => {
  const { file, statement } = OWNERS[owner]!;
  expect(contain(statement, new Map([...sources, ['planted.ts', planted]]))).toEqual([file, 'planted.ts']);
});
