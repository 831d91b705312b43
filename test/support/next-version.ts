import { MIGRATIONS } from '../../packages/core/src/platform/db/migrations/index.ts';
import {
  BatchMigration,
  IndexMigration,
  OnlineMigration,
} from '../../packages/core/src/platform/db/migrations/online-migration.ts';

class AddColumns extends OnlineMigration {
  override readonly statements = [
    'alter table account add column next_setting text',
    `alter table commission add column next_mark text, add column next_count integer not null default 7`,
    'create table next_record (id text collate "C" primary key, account_id text collate "C" not null references account)',
  ];
}

class AddIndexes extends IndexMigration {
  override readonly indexes = {
    next_commission: 'on commission (account_id, amount_cents)',
    next_link: 'on link (account_id, created_at)',
  };
}

class FillColumn extends BatchMigration {
  override readonly batches = `do $$
    declare
      position text := '';
      batch text[];
    begin
      loop
        batch := array(select id from commission where id > position order by id limit 1000);
        exit when cardinality(batch) = 0;
        update commission set next_mark = 'filled' where id = any (batch);
        position := batch[cardinality(batch)];
        commit;
      end loop;
    end $$`;
}

/** Migrations of a next version of the service: one of each kind that can be applied while the service runs. */
export const NEXT = [
  { name: '20980101000000_next_columns', class: AddColumns },
  { name: '20980101000001_next_indexes', class: AddIndexes },
  { name: '20980101000002_next_marks', class: FillColumn },
];

/** Names of the migrations that only the next version has. */
export const NEXT_MIGRATIONS = NEXT.map(({ name }) => name);

/** Names of the migrations of this version. */
export const THIS_VERSION = MIGRATIONS.map(({ name }) => name);

/** Settings of a process that runs the next version. */
export const nextVersion = { NODE_OPTIONS: `--import=${new URL('become-next-version.ts', import.meta.url).href}` };
