import { Postgres, type PostgresOptions, Replica, type SessionLimits } from '@affiliate/postgres';
import type { MikroORM } from '@mikro-orm/postgresql';
import { type Kysely, sql } from 'kysely';
import type { Constraints } from '../errors/constraints.ts';
import { instantFromDatabase } from '../time/instant.ts';
import type { Announcer } from './announcer.ts';
import type { Entity } from './columns.ts';
import type { LockOrder } from './lock-order.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { PersonalTables, Tables } from './tables.ts';

export type Db = Kysely<Tables>;

export interface DatabaseOptions extends Omit<PostgresOptions, 'parseTimestamp'> {
  /**
   * Connection string of a streaming replica. The replica answers the reads of an account whenever it has replayed all of the account's
   * changes.
   */
  readUrl?: string | undefined;
}

type Entities = readonly Entity[];

/** Properties of tables that the catalog of the database does not show. */
export interface DeclaredTables {
  /** The tables of records that calls name by their ids, by kind of record. */
  named: Readonly<Record<string, keyof Tables>>;
  /** Tables that reference the account without a foreign key (`delete-account-rows.ts`). */
  unkeyed: readonly (keyof Tables)[];
  /** Tables with data about people. */
  people: PersonalTables;
}

/** The declarations of the rooms about the database. */
export interface Declared {
  entities: Entities;
  constraints: Constraints;
  announcer: Announcer;
  /** The tables of each room. */
  tables: readonly Partial<DeclaredTables>[];
  lockOrder: LockOrder;
}

/** Minimum size of a pool without limits (`withoutLimits`). */
const RESERVED = 4;

/** The database of the service: its connections, its replica, and the meaning of its constraints. */
export class Database extends Postgres<Tables> {
  /** The errors that callers get when a unique index is violated. */
  readonly constraints: Constraints;
  /** Null if no `readUrl` is configured. */
  readonly replica: Replica<Tables> | null;
  /** How the changes of a transaction become events. */
  readonly announcer: Announcer;
  /** The tables of records that calls name by their ids, of all rooms. */
  readonly namedTables: DeclaredTables['named'];
  /** Tables of all rooms that reference the account without a foreign key. */
  readonly unkeyedTables: DeclaredTables['unkeyed'];
  /** The tables with data about people, of all rooms. */
  readonly people: PersonalTables;
  /** The order in which transactions take locks. */
  readonly lockOrder: LockOrder;
  readonly #options: DatabaseOptions;
  readonly #declared: Declared;
  #orm: Promise<MikroORM> | undefined;

  /** Call `openDatabase` instead, which passes what the rooms declare. */
  constructor(options: DatabaseOptions, declared: Declared, limits?: SessionLimits) {
    super({ ...options, parseTimestamp: instantFromDatabase }, limits);
    this.#options = options;
    this.#declared = declared;
    this.constraints = declared.constraints;
    this.announcer = declared.announcer;
    this.namedTables = Object.assign({}, ...declared.tables.map(({ named }) => named)) as DeclaredTables['named'];
    this.people = Object.assign({}, ...declared.tables.map(({ people }) => people)) as PersonalTables;
    this.unkeyedTables = declared.tables.flatMap(({ unkeyed = [] }) => unkeyed);
    this.lockOrder = declared.lockOrder;
    const { readUrl } = options;
    this.replica =
      readUrl === undefined
        ? null
        : new Replica(this.kysely, new Database({ ...this.#direct(), url: readUrl }, declared, limits), {
            table: 'account_write',
            tenant: 'account_id',
          });
  }

  /** MikroORM on this pool, which declares the tables and applies migrations. Loaded at the first use, because requests do not need it. */
  orm(): Promise<MikroORM> {
    this.#orm ??= openOrm(this.kysely, this.#declared.entities).catch((error: unknown) => {
      // The next call asks the database again.
      this.#orm = undefined;
      throw error;
    });
    return this.#orm;
  }

  /** Runs `work` on a separate pool without time limits for statements and locks. For migrations. */
  async withoutLimits<T>(work: (database: Database) => Promise<T>): Promise<T> {
    // A migration needs a second connection, because the first holds the migration lock. In a small pool, fair sharing could refuse the second one.
    const options = { ...this.#direct(), poolSize: Math.max(this.#options.poolSize ?? RESERVED, RESERVED), isFair: false };
    const database = new Database(options, this.#declared, {});
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  override giveUpWhenSilent(): void {
    super.giveUpWhenSilent();
    this.replica?.giveUpWhenSilent();
  }

  override async close(): Promise<void> {
    await Promise.all([this.replica?.close(), super.close()]);
  }

  /** The options of a pool that bypasses the pooler and the replica. */
  #direct(): DatabaseOptions {
    const { directUrl, readUrl: _readUrl, ...others } = this.#options;
    return { ...others, url: directUrl ?? others.url };
  }
}

async function openOrm(kysely: Db, entities: Entities): Promise<MikroORM> {
  const [{ MikroORM: Orm }, { Migrator }, { rows }] = await Promise.all([
    import('@mikro-orm/postgresql'),
    import('@mikro-orm/migrations'),
    sql<{ name: string }>`select current_database() as name`.execute(kysely),
  ]);
  return Orm.init({
    driverOptions: kysely,
    // `kysely` has the connections. The migrator only looks up whether the server has a database of this name, and otherwise creates it.
    dbName: rows[0]!.name,
    entities: [...entities],
    ensureDatabase: false,
    extensions: [Migrator],
    migrations: {
      migrationsList: MIGRATIONS,
      tableName: 'schema_migration',
      snapshot: false,
      allOrNothing: false,
      silent: true,
    },
  });
}
