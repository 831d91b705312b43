import { type RawBuilder, sql } from 'kysely';
import type { Ctx, WriteCtx } from './context.ts';
import { takeTime } from './take-time.ts';

/** Rows that change under the lock of their affiliate. Their own locks therefore need no order among themselves. */
const ROWS_OF_AN_AFFILIATE = ['referral', 'sale', 'payout', 'commission'] as const;

/**
 * The order in which a transaction takes locks, so that transactions never wait for each other in a circle. A lock is an advisory lock of the
 * account or the locks on rows of a table, named after the table. A transaction may take a lock again, and may skip locks, but may not go back
 * (`LockLedger`).
 *
 * Advisory locks are for decisions that depend on rows which do not exist yet and therefore cannot be locked. PostgreSQL has one space of 64-bit
 * keys per database. The key of a lock in this file is the hash of the account id, the lock's name and what it is about. If two keys are equal,
 * their holders only wait for each other. Migrations (`platform/db/migrate.ts`) and the worker's endpoints use the same space, with locks that
 * belong to a session instead of a transaction.
 *
 * Release: at the end of the transaction, by commit, by rollback, or because the process or its connection died.
 */
const LOCK_ORDER = [
  'idempotency key',
  'psp operation key',
  'psp operation subject',
  'psp events',
  'account',
  'payout run',
  'payout_run',
  'payout_export',
  'charge',
  'customer of sale',
  'customer name',
  'customer',
  'claims on referral',
  'affiliate',
  'invitation',
  'campaign',
  ...ROWS_OF_AN_AFFILIATE,
  'affiliate_coupon',
  'promo_code',
  'psp_connection',
  'psp_operation',
  'api_key',
  'connector',
  'webhook endpoints',
  'webhook_endpoint',
  'webhook_delivery',
  'campaign slug',
  'link token',
  'link',
] as const;

export type LockName = (typeof LOCK_ORDER)[number];

const RANKS = new Map<string, number>(
  LOCK_ORDER.map((name, rank) => [name, isOfAffiliate(name) ? LOCK_ORDER.indexOf(ROWS_OF_AN_AFFILIATE[0]) : rank]),
);

function isOfAffiliate(name: LockName): boolean {
  return (ROWS_OF_AN_AFFILIATE as readonly LockName[]).includes(name);
}

declare const HELD: unique symbol;

/**
 * Proof that the transaction holds a lock. Functions that need a lock take such a value, and only the functions that take the lock return one.
 * It is valid until the transaction ends.
 */
export interface Held<Name extends LockName> {
  readonly [HELD]: Name;
  /** What the lock is about: ids of rows, or the subject of an advisory lock. */
  readonly of: ReadonlySet<string>;
}

declare const LOCKED: unique symbol;

/** A record whose row this transaction has locked or created, so that nobody else changes it until the transaction ends. */
export type Locked<Row> = Row & { readonly [LOCKED]: true };

/**
 * Marks a record that a lock protects although its row is not locked: nobody changes the record without holding that lock, e.g. a sale of a locked
 * affiliate.
 */
export function protectedBy<Row>(_held: Held<LockName>, row: Row): Locked<Row> {
  return row as Locked<Row>;
}

/** The locks that a transaction has taken. */
export class LockLedger {
  readonly #onWrongOrder: (message: string) => void;
  readonly #taken = new Set<string>();
  #highest: { name: string; rank: number } | null = null;

  /** @param onWrongOrder called if a lock is taken after one that comes later in the order. The lock is taken nevertheless: at worst, PostgreSQL ends a deadlock. */
  constructor(onWrongOrder: (message: string) => void) {
    this.#onWrongOrder = onWrongOrder;
  }

  /**
   * Starts the order anew, for a transaction that works on several subjects one after the other and cannot know their locks in advance. At worst
   * this causes a deadlock, and the transaction is repeated.
   */
  startRound(): void {
    this.#taken.clear();
    this.#highest = null;
  }

  /** Notes that the transaction is about to take a lock. */
  note(name: string): void {
    if (this.#taken.has(name)) return;
    const rank = RANKS.get(name);
    if (rank === undefined) this.#onWrongOrder(`The lock "${name}" has no place in the order of locks.`);
    else if (this.#highest && rank < this.#highest.rank)
      this.#onWrongOrder(`The lock "${name}" is taken after the lock "${this.#highest.name}".`);
    else this.#highest = { name, rank };
    this.#taken.add(name);
  }
}

type Scope = Pick<WriteCtx, 'db' | 'accountId' | 'locks'>;
type Timed = Scope & Pick<Ctx, 'now' | 'clock'>;

/** Makes the value that proves a lock. Only for functions that take locks. */
export function held<Name extends LockName>(of: Iterable<string>): Held<Name> {
  return { of: new Set(of) } as unknown as Held<Name>;
}

/**
 * Takes an advisory lock, waiting while another transaction holds it, then sets the time of the caller's change (`takeTime`).
 *
 * @param about what the lock protects, if the account has several locks of this name
 */
export async function advisoryLock<Name extends LockName>(ctx: Timed, name: Name, about = ''): Promise<Held<Name>> {
  ctx.locks.note(name);
  await sql`select pg_advisory_xact_lock(${keyOf(ctx, name, about)})`.execute(ctx.db);
  takeTime(ctx);
  return held([about]);
}

/**
 * Takes the lock in shared mode, then sets the time of the caller's change (`takeTime`). Waits while another transaction holds the lock exclusively,
 * or already waits for the exclusive lock.
 */
export async function sharedAdvisoryLock<Name extends LockName>(ctx: Timed, name: Name, about = ''): Promise<Held<Name>> {
  ctx.locks.note(name);
  await sql`select pg_advisory_xact_lock_shared(${keyOf(ctx, name, about)})`.execute(ctx.db);
  takeTime(ctx);
  return held([about]);
}

/** Takes several locks of one name in one statement, in a fixed order, so that two such calls cannot deadlock. */
export async function advisoryLocks<Name extends LockName>(
  ctx: Scope,
  name: Name,
  about: readonly string[],
): Promise<Held<Name>> {
  ctx.locks.note(name);
  const texts = about.map((each) => lockText(ctx, name, each)).toSorted();
  await sql`select pg_advisory_xact_lock(hashtextextended(text, 0)) from unnest(${texts}::text[]) text`.execute(ctx.db);
  return held(about);
}

/** Takes the lock if it is free, without waiting. Returns null if another transaction holds it. */
export async function tryAdvisoryLock<Name extends LockName>(
  ctx: Scope,
  name: Name,
  about = '',
): Promise<Held<Name> | null> {
  ctx.locks.note(name);
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${keyOf(ctx, name, about)}) as locked`.execute(ctx.db);
  return rows[0]?.locked === true ? held([about]) : null;
}

function lockText({ accountId }: Pick<Scope, 'accountId'>, name: LockName, about: string): string {
  return `${accountId} ${name} ${about}`;
}

function keyOf(scope: Scope, name: LockName, about: string): RawBuilder<unknown> {
  return sql`hashtextextended(${lockText(scope, name, about)}, 0)`;
}

/** A Kysely query that can lock the rows that it finds. */
export interface Lockable<Row> {
  forNoKeyUpdate(): { execute(): Promise<Row[]> };
}

/** Locks the row that a query of one table finds, until the transaction ends, and returns it as it is under the lock. Null if there is none. */
export async function lockRow<Row>(ctx: Pick<Scope, 'locks'>, table: string, query: Lockable<Row>): Promise<Locked<Row> | null> {
  const [row] = await lockRows(ctx, table, query);
  return row ?? null;
}

/** Locks the rows that a query of one table finds, in the order of the query, which must be fixed. */
export function lockRows<Row>(ctx: Pick<Scope, 'locks'>, table: string, query: Lockable<Row>): Promise<Locked<Row>[]> {
  ctx.locks.note(table);
  return query.forNoKeyUpdate().execute() as Promise<Locked<Row>[]>;
}
