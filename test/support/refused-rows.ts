import { onTestFinished } from 'vitest';
import { onServer } from './postgres.ts';

/** Rows that the database refuses to change. */
interface Refused {
  table: string;
  event: 'insert' | 'update' | 'delete';
  /** SQL condition on `old` or `new`. */
  when: string;
  /** The code of the error. Default: that of `raise`. */
  code?: string;
}

/**
 * Makes the database refuse a change of some rows, with the error `broken`, until the returned function is called or the test ends. At most one
 * refusal at a time.
 */
export async function refuseRows(
  databaseUrl: string,
  { table, event, when, code = 'P0001' }: Refused,
): Promise<() => Promise<void>> {
  await onServer(
    databaseUrl,
    `create function refuse_row() returns trigger language plpgsql as $$ begin raise 'broken' using errcode = '${code}'; end $$;
     create trigger refuse_row before ${event} on ${table} for each row when (${when}) execute function refuse_row()`,
  );
  const lift = () => onServer(databaseUrl, 'drop function if exists refuse_row cascade');
  onTestFinished(lift);
  return lift;
}
