import { type EntityManager, type EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import type { Kysely } from 'kysely';
import { TypeOverrides } from 'pg';
import type { Constraints } from '../errors/constraints.ts';
import { instantFromDatabase } from '../time/instant.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { preparingClient } from './prepared-statements.ts';
import type { Tables } from './tables.ts';

export type Em = EntityManager;
export type Db = Kysely<Tables>;

const INT8 = 20;
const NUMERIC = 1700;
const TIMESTAMPTZ = 1184;
const DATE = 1082;

export interface DatabaseOptions {
  url: string;
  /** Maximum number of connections. More than four per processor core slow PostgreSQL down. */
  poolSize?: number;
  /** Whether connections keep statements prepared. Default: true. A pooler in transaction mode may not allow it. */
  prepareStatements?: boolean;
  /** Called with every statement; for tests and debugging. */
  onQuery?: (sql: string) => void;
}

type Entities = EntitySchema[];

/** Connection pool of a process: the ORM for writes, and Kysely for reads and set-based statements. */
export class Database {
  readonly orm: MikroORM;
  /** Kysely over the pool, outside any transaction. */
  readonly kysely: Db;
  /** The errors that violations of unique indexes stand for. */
  readonly constraints: Constraints;

  private constructor(orm: MikroORM, constraints: Constraints) {
    this.orm = orm;
    this.constraints = constraints;
    this.kysely = orm.em.fork().getKysely<Tables>();
  }

  /** Use `openDatabase`, which knows the entities and constraints of every room. */
  static async open(options: DatabaseOptions, entities: Entities, constraints: Constraints): Promise<Database> {
    const types = new TypeOverrides();
    // Money is bounded far below 2^53 (wire/scalars.ts), so int8 and the sums of int8 columns are exact as numbers.
    types.setTypeParser(INT8, Number);
    types.setTypeParser(NUMERIC, Number);
    types.setTypeParser(TIMESTAMPTZ, instantFromDatabase);
    types.setTypeParser(DATE, String);
    const orm = await MikroORM.init({
      clientUrl: options.url,
      entities,
      ensureDatabase: false,
      pool: { min: 0, max: options.poolSize ?? 8 },
      driverOptions: {
        types,
        options: '-c timezone=UTC -c plan_cache_mode=force_generic_plan',
        application_name: 'affiliate',
        ...(options.prepareStatements === false ? {} : { Client: preparingClient() }),
      },
      extensions: [Migrator],
      migrations: {
        migrationsList: MIGRATIONS,
        tableName: 'schema_migration',
        snapshot: false,
        allOrNothing: false,
        silent: true,
      },
      ...(options.onQuery ? { debug: ['query'], logger: options.onQuery, highlighter: undefined } : {}),
    });
    return new Database(orm, constraints);
  }

  /** Runs `work` in one transaction with its own entity manager. Commits when it returns, rolls back when it throws. */
  transaction<T>(work: (em: Em, db: Db) => Promise<T>): Promise<T> {
    return this.orm.em.fork().transactional((em) => work(em as Em, em.getKysely<Tables>()));
  }

  close(): Promise<void> {
    return this.orm.close(true);
  }
}
