import { once } from 'node:events';
import type { PgClient } from '@affiliate/postgres';
import * as copies from 'pg-copy-streams';

/** Minimum size of the pieces in which a table is read. */
const PIECE_BYTES = 1 << 20;

/** Session settings for both sides of a copy, so that values are written and read in the same form whatever the servers' own settings are. */
const FORM = `set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set extra_float_digits = 1; set bytea_output = 'hex'; set client_encoding = 'UTF8';
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`;

export interface CopiedTable {
  name: string;
  columns: string[];
}

/** Tables that are not copied. Triggers fill them when the tables that they summarize are restored. */
const DERIVED = ['commission_count', 'commission_count_change', 'analytics_fact', 'analytics_stale_day'];

/** Table that exists only while a restore is running. */
export const RESTORE_MARK = 'restore_in_progress';

export async function prepareCopies(client: PgClient): Promise<void> {
  await client.query(FORM);
}

/**
 * Returns the service's tables with their stored columns, ordered by name. A partitioned table is copied as a whole, because the restored
 * database has other partitions. The job queue's schema is not copied, because workers create it when they start. Unlogged tables are not
 * copied, because they contain only the state of this server.
 */
export async function tablesToCopy(client: PgClient): Promise<CopiedTable[]> {
  const { rows } = await client.query<CopiedTable>(
    `select class.relname as name, array_agg(attribute.attname::text order by attribute.attnum) as columns
     from pg_class class
     join pg_attribute attribute on attribute.attrelid = class.oid and attribute.attnum > 0
       and not attribute.attisdropped and attribute.attgenerated = ''
     where class.relnamespace = current_schema()::regnamespace and class.relkind in ('r', 'p') and not class.relispartition
       and class.relpersistence = 'p'
       and class.relname <> all ($1)
     group by class.relname order by class.relname`,
    [[RESTORE_MARK, ...DERIVED]],
  );
  return rows;
}

export async function sequencesToCopy(client: PgClient): Promise<{ name: string; value: string; is_called: boolean }[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S' order by 1`,
  );
  const sequences = [];
  for (const { name } of rows) {
    const state = await client.query<{ value: string; is_called: boolean }>(
      `select last_value::text as value, is_called from ${client.escapeIdentifier(name)}`,
    );
    sequences.push({ name, ...state.rows[0]! });
  }
  return sequences;
}

/** Reads a table in pieces of about 1 MB. The generator returns the number of rows. */
export async function* readTable(client: PgClient, table: CopiedTable): AsyncGenerator<Buffer, number> {
  const stream = client.query(
    copies.to(`copy (select ${columnsOf(client, table)} from ${client.escapeIdentifier(table.name)}) to stdout`),
  );
  let parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    parts.push(part as Buffer);
    size += (part as Buffer).length;
    if (size < PIECE_BYTES) continue;
    yield Buffer.concat(parts);
    parts = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(parts);
  return stream.rowCount;
}

/** Writes the pieces of one table. They must be written in order. */
export class TableWriter {
  readonly #stream: ReturnType<typeof copies.from>;
  readonly #failed: Promise<never>;

  constructor(client: PgClient, table: CopiedTable) {
    this.#stream = client.query(copies.from(`copy ${target(client, table)} from stdin`));
    this.#failed = new Promise((_, reject) => this.#stream.once('error', reject));
    this.#failed.catch(() => undefined);
  }

  async write(piece: Buffer): Promise<void> {
    if (!this.#stream.write(piece)) await Promise.race([once(this.#stream, 'drain'), this.#failed]);
  }

  /** Completes the table. Returns the number of rows written. */
  async end(): Promise<number> {
    const finished = once(this.#stream, 'finish');
    this.#stream.end();
    await Promise.race([finished, this.#failed]);
    return this.#stream.rowCount;
  }
}

function target(client: PgClient, table: CopiedTable): string {
  return `${client.escapeIdentifier(table.name)} (${columnsOf(client, table)})`;
}

function columnsOf(client: PgClient, { columns }: CopiedTable): string {
  return columns.map((column) => client.escapeIdentifier(column)).join(', ');
}
