import type { Database } from './database.ts';
import { schemaState } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { BatchMigration, IndexMigration, OnlineMigration } from './migrations/online-migration.ts';

/**
 * Patterns for the beginning of a migration's statement, each with the lock that the statement takes. The first match
 * counts.
 */
const LOCKS: readonly [RegExp, (match: RegExpExecArray) => string][] = [
  [/^(?:create (?:unique )?index|drop index) concurrently/, () => 'share update exclusive: reads and writes go on'],
  [
    /^alter table (\S+) validate constraint/,
    ([, table]) => `share update exclusive on ${table}: reads and writes go on while it is scanned`,
  ],
  [/^alter table (?:if exists )?(\S+)/, ([, table]) => `access exclusive on ${table}, for a moment`],
  [/^drop index (?:if exists )?(\S+)/, ([, index]) => `access exclusive on the table of ${index}, for a moment`],
  [/^lock table (.+) in access exclusive mode/, ([, tables]) => `access exclusive on ${tables}, for a moment`],
  [/^drop (?:table|trigger|function)/, () => 'access exclusive, for a moment'],
  [/^create trigger [\s\S]*? on (\S+)/, ([, table]) => `share row exclusive on ${table}, for a moment: writes wait`],
  [/^create (?:unique )?index \S+ on (\S+)/, ([, table]) => `share on ${table} while it is built: writes wait`],
  [
    /^create (?:unlogged )?table[\s\S]*? references /,
    () => 'share row exclusive on the referenced tables, until the migration is committed: writes wait',
  ],
  [/^(?:create (?:or replace )?(?:(?:unlogged )?table|function|sequence|domain)|alter function)/, () => 'none'],
  [
    /^do [\s\S]*? lock table (\S+) in share row exclusive/,
    ([, table]) => `share row exclusive on ${table}, for a moment in each batch: writes wait`,
  ],
  [/^(?:do|insert|update|delete|with|select)\b/, () => 'row locks, until each batch is committed'],
];

/**
 * Describes the lock that a statement takes. Returns `unknown` for a kind of statement that no migration has used yet.
 */
function lockOf(statement: string): string {
  const text = statement.trim().toLowerCase();
  for (const [pattern, describe] of LOCKS) {
    const match = pattern.exec(text);
    if (match) return describe(match);
  }
  return 'unknown';
}

export interface PlannedMigration {
  name: string;
  /** True if the service can keep running while the migration is applied, however large the tables are. */
  online: boolean;
  /**
   * How the migration is applied. `short transaction`: in one transaction, which is rolled back and retried if it waits more than a few
   * seconds for a lock. `transaction`: in one ordinary transaction. `beside writes`: outside a transaction, without blocking writes.
   * `batches`: in batches that commit separately.
   */
  way: 'short transaction' | 'transaction' | 'beside writes' | 'batches';
  statements: { sql: string; lock: string }[];
}

/**
 * Lists the pending migrations in order of application, with the locks of their statements. Changes nothing.
 *
 * @throws Error if the schema is older than the first migration
 */
export async function planMigrations(database: Database): Promise<PlannedMigration[]> {
  return describeMigrations(database, (await schemaState(database)).pending);
}

/** Lists the SQL and locks of the named migrations, whether or not they have been applied. */
export async function describeMigrations(database: Database, names: readonly string[]): Promise<PlannedMigration[]> {
  const orm = await database.orm();
  const described: PlannedMigration[] = [];
  for (const name of names) {
    const { class: Migration } = MIGRATIONS.find((each) => each.name === name)!;
    const migration = new Migration(orm.em.getDriver(), orm.config);
    // `up` only collects statements here. The only query it executes looks for invalid indexes, in an index migration.
    await Promise.resolve(migration.up());
    const statements = migration
      .getQueries()
      .filter((query) => typeof query === 'string')
      .filter((text) => !text.startsWith('set local lock_timeout'))
      .map((text) => ({ sql: text, lock: lockOf(text) }));
    const way = wayOf(migration);
    const online = way !== 'transaction' || statements.every(({ lock }) => lock === 'none');
    described.push({ name, online, way, statements });
  }
  return described;
}

function wayOf(migration: object): PlannedMigration['way'] {
  if (migration instanceof OnlineMigration) return 'short transaction';
  if (migration instanceof IndexMigration) return 'beside writes';
  return migration instanceof BatchMigration ? 'batches' : 'transaction';
}
