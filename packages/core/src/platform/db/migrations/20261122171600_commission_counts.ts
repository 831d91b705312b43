import { Migration } from '@mikro-orm/migrations';
import { OnlineMigration } from './online-migration.ts';

const KEY = `account_id, (updated_at at time zone 'UTC')::date, state, livemode`;

/** Placeholder for an id in the text of the functions. */
const REACHED = '@reached@';

/**
 * Returns the SQL of trigger functions that record how the numbers of commissions change. If `reached` is given, only commissions with an id up to
 * `reached` count, because later ones have not been counted yet.
 */
function countingFunctions(reached?: string): string[] {
  const counted = reached === undefined ? '' : `where id <= '${reached}'`;
  const record = (changes: string) => `begin
      insert into commission_count_change (account_id, day, state, livemode, n) ${changes};
      return null;
    end`;
  const changes = {
    insert: `select ${KEY}, count(*) from new_rows ${counted} group by 1, 2, 3, 4`,
    delete: `select ${KEY}, -count(*) from old_rows ${counted} group by 1, 2, 3, 4`,
    update: `select ${KEY}, sum(sign) from (select *, 1 as sign from new_rows union all select *, -1 from old_rows) changed ${counted}
      group by 1, 2, 3, 4 having sum(sign) <> 0`,
  };
  return Object.entries(changes).map(
    ([event, text]) =>
      `create or replace function count_commissions_after_${event}() returns trigger language plpgsql as $$ ${record(text)} $$`,
  );
}

const ROWS = {
  insert: 'new table as new_rows',
  delete: 'old table as old_rows',
  update: 'old table as old_rows new table as new_rows',
};

/**
 * Adds counts of commissions by account, state, mode and day of their last change, so that lists need not count commissions.
 * `commission_count_change` holds changes that have not been added to these counts yet.
 */
export class CommissionCounts extends OnlineMigration {
  override readonly statements = [
    `create table commission_count (
      account_id text collate "C" not null references account on delete cascade,
      day date not null,
      state text not null,
      livemode boolean not null,
      n bigint not null,
      primary key (account_id, state, livemode, day) include (n)
    )`,
    `create table commission_count_change (
      account_id text collate "C" not null references account on delete cascade,
      day date not null,
      state text not null,
      livemode boolean not null,
      n bigint not null
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
    'create index commission_count_change_account on commission_count_change (account_id)',
    ...countingFunctions(''),
    ...Object.entries(ROWS).map(
      ([event, rows]) => `create trigger commission_counted_after_${event} after ${event} on commission referencing ${rows}
        for each statement execute function count_commissions_after_${event}()`,
    ),
  ];
}

/**
 * Counts existing commissions in batches of ids. Writers of commissions are blocked while a batch is counted. Once a batch has been counted,
 * every change to a commission in it is recorded. Retries when writers hold the lock, and starts again after an interruption.
 */
export class CountCommissions extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(COUNT_COMMISSIONS);
  }
}

const LOCK = `tries := 60;
    loop
      begin
        perform set_config('lock_timeout', '1s', true);
        lock table commission in share row exclusive mode;
        exit;
      exception when lock_not_available then
        tries := tries - 1;
        if tries = 0 then raise; end if;
      end;
    end loop`;

const replaceFunctions = (texts: readonly string[]) =>
  texts.map((text) => `execute replace($text$${text}$text$, '${REACHED}', coalesce(next, ''));`).join('\n');

const COUNT_COMMISSIONS = `do $do$
declare
  reached text := '';
  next text;
  tries int;
begin
  ${LOCK};
  delete from commission_count;
  delete from commission_count_change;
  ${replaceFunctions(countingFunctions(''))}
  commit;
  loop
    select id into next from commission where id > reached order by id offset 19999 limit 1;
    commit;
    ${LOCK};
    insert into commission_count_change (account_id, day, state, livemode, n)
    select ${KEY}, count(*) from commission where id > reached and (next is null or id <= next) group by 1, 2, 3, 4;
    if next is null then
      ${replaceFunctions(countingFunctions())}
    else
      ${replaceFunctions(countingFunctions(REACHED))}
    end if;
    commit;
    exit when next is null;
    reached := next;
  end loop;
end $do$`;
