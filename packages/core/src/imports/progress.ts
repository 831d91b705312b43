import { sql } from 'kysely';
import type { WriteCtx } from '../platform/call/context.ts';
import type { Locked } from '../platform/call/locks.ts';
import { save } from '../platform/call/records.ts';
import type { ImportRecord } from './import.schema.ts';
import { Import } from './port/import.entity.ts';

export interface Counted {
  rows: number;
  checked: number;
  /** Rows of which a record may be made. */
  valid: number;
  done: number;
  /** Rows whose records can still be removed. */
  made: number;
}

/** SQL: the columns of `Counted`. */
export const COUNTED = sql`count(*)::int as rows, count(outcome)::int as checked, count(*) filter (where reason is distinct from 'invalid')::int as valid,
  count(done_at) filter (where reason is distinct from 'invalid')::int as done,
  count(*) filter (where made_ids <> '{}' and reason is distinct from 'in_use')::int as made`;

type Work = Pick<Import, 'id' | 'state' | 'read_at' | 'read_count'>;

/** Notes where the work of an import begins now, or goes on. */
export async function beginWork(ctx: WriteCtx, its: Locked<Import>): Promise<void> {
  const { rows } = await sql<Counted>`select ${COUNTED} from data_import_row where import_id = ${its.id}`.execute(ctx.db);
  const counted = rows[0]!;
  const phase_from = its.state === 'undoing' ? counted.made : doneOf(its, counted);
  save(ctx, Import, its, { phase_began_at: ctx.now, phase_from });
}

function doneOf({ state, read_at, read_count }: Work, { checked, done }: Counted): number {
  if (state === 'running') return done;
  return read_at === null ? read_count : checked;
}

/** Returns how far the work of an import has come; null if it has nothing to do. */
export function progressOf(
  its: Work & Pick<Import, 'expected_count' | 'phase_began_at' | 'phase_from'>,
  counted: Counted,
  now: Date,
): ImportRecord['progress'] {
  const { state, read_at, phase_began_at, phase_from, expected_count } = its;
  if (phase_began_at === null || (state !== 'reading' && state !== 'running' && state !== 'undoing')) return null;
  const isUndone = state === 'undoing';
  const done = isUndone ? phase_from - counted.made : doneOf(its, counted);
  const total = isUndone ? phase_from : state === 'running' ? counted.valid : read_at === null ? expected_count : counted.rows;
  const seconds = (now.getTime() - Date.parse(phase_began_at)) / 1_000;
  const rate = seconds <= 0 ? 0 : (done - (isUndone ? 0 : phase_from)) / seconds;
  return {
    phase: isUndone ? 'removing' : state === 'running' ? 'making' : read_at === null ? 'reading' : 'checking',
    done,
    total,
    per_minute: Math.round(rate * 60),
    seconds_left: total === null || rate <= 0 ? null : Math.max(0, Math.ceil((total - done) / rate)),
  };
}
