import { Migration } from '@mikro-orm/migrations';

/** Maximum wait of a statement for a table lock. After that, the migration is rolled back and retried (`migrate`). */
const LOCK_TIMEOUT = '3s';

/**
 * Changes tables of a running service in one transaction. Only for statements that neither rewrite nor scan a table, e.g. adding a column
 * that is nullable or has a constant default. While such a statement waits for its lock, all later statements on the table queue behind it,
 * so the wait is limited to a few seconds.
 */
export abstract class OnlineMigration extends Migration {
  abstract readonly statements: readonly string[];

  override up(): void {
    this.addSql(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
    for (const statement of this.statements) this.addSql(statement);
  }
}

/**
 * Builds indexes on tables of any size without blocking writes. Runs outside a transaction. If a build is interrupted, its invalid index is
 * dropped and built again.
 */
export abstract class IndexMigration extends Migration {
  /** Definitions of the indexes, by index name. A definition is the part of the statement from `on`, after `unique` for a unique index. */
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

/** Changes rows of tables of any size in batches that commit separately, so that no batch blocks writes for long. Can be repeated after an interruption. */
export abstract class BatchMigration extends Migration {
  /** A `do` block that commits after each batch. */
  abstract readonly batches: string;

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(this.batches);
  }
}
