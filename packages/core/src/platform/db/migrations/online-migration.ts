import { Migration } from '@mikro-orm/migrations';

/** How long a statement waits for a table that others use, before the migration gives way and is tried again (`migrate`). */
const LOCK_TIMEOUT = '3s';

/**
 * Changes of tables that a running service uses, in one transaction: only statements that neither rewrite nor scan a table, such as adding
 * a nullable column or one with a constant default. While such a statement waits for its lock, everybody behind it waits, too; hence
 * the short time-out.
 */
export abstract class OnlineMigration extends Migration {
  abstract readonly statements: readonly string[];

  override up(): void {
    this.addSql(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
    for (const statement of this.statements) this.addSql(statement);
  }
}

/**
 * Builds indexes on tables of any size without blocking writes. Runs outside a transaction: a build that was interrupted leaves an
 * invalid index, which is dropped and built again.
 */
export abstract class IndexMigration extends Migration {
  /** Name of each index, with its definition from `on` onward. */
  abstract readonly indexes: Readonly<Record<string, string>>;

  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    const names = Object.keys(this.indexes);
    const invalid = (await this.execute(
      `select relname from pg_index join pg_class on pg_class.oid = indexrelid
        where not indisvalid and pg_table_is_visible(pg_class.oid) and relname in (${names.map((name) => `'${name}'`).join(', ')})`,
    )) as { relname: string }[];
    for (const { relname } of invalid) this.addSql(`drop index concurrently ${relname}`);
    for (const name of names) {
      const unique = this.indexes[name]!.startsWith('unique ');
      const definition = this.indexes[name]!.replace(/^unique /, '');
      this.addSql(`create ${unique ? 'unique ' : ''}index concurrently if not exists ${name} ${definition}`);
    }
  }
}
