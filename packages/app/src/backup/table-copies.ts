import { once } from 'node:events';
import type { Client } from 'pg';
import * as copies from 'pg-copy-streams';

/** Least size of the pieces in which a table is read. */
const PIECE_BYTES = 1 << 20;

/** Both sides of a copy read and write values in the same form, whatever the server's settings are. */
const FORM = `set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set extra_float_digits = 1; set bytea_output = 'hex'; set client_encoding = 'UTF8';
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`;

export interface CopiedTable {
  name: string;
  columns: string[];
}

/** Not copied: triggers fill these tables when those that they summarize are restored. */
const DERIVED = ['commission_count', 'commission_count_change', 'analytics_fact', 'analytics_stale_day'];

/** Exists while a restore is under way. */
export const RESTORE_MARK = 'restore_in_progress';

export async function prepareCopies(client: Client): Promise<void> {
  await client.query(FORM);
}

/**
 * The service's tables with their stored columns, by name; a partitioned one as a whole, because the restored database has other partitions.
 * The job queue's schema is not among them: workers create it at start. Unlogged tables are about this server only.
 */
export async function tablesToCopy(client: Client): Promise<CopiedTable[]> {
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

export async function sequencesToCopy(client: Client): Promise<{ name: string; value: string; is_called: boolean }[]> {
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

/** Reads a table in pieces of about a megabyte. Returns the number of rows at the end. */
export async function* readTable(client: Client, table: CopiedTable): AsyncGenerator<Buffer, number> {
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

/** Writes the pieces of one table, in their order. */
export class TableWriter {
  readonly #stream: ReturnType<typeof copies.from>;
  readonly #failed: Promise<never>;

  constructor(client: Client, table: CopiedTable) {
    this.#stream = client.query(copies.from(`copy ${target(client, table)} from stdin`));
    this.#failed = new Promise((_, reject) => this.#stream.once('error', reject));
    this.#failed.catch(() => undefined);
  }

  async write(piece: Buffer): Promise<void> {
    if (!this.#stream.write(piece)) await Promise.race([once(this.#stream, 'drain'), this.#failed]);
  }

  /** Returns the number of rows. */
  async end(): Promise<number> {
    const finished = once(this.#stream, 'finish');
    this.#stream.end();
    await Promise.race([finished, this.#failed]);
    return this.#stream.rowCount;
  }
}

function target(client: Client, table: CopiedTable): string {
  return `${client.escapeIdentifier(table.name)} (${columnsOf(client, table)})`;
}

function columnsOf(client: Client, { columns }: CopiedTable): string {
  return columns.map((column) => client.escapeIdentifier(column)).join(', ');
}
