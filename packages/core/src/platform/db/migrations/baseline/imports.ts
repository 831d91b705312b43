import { MODE_OF_ACCOUNT, RECORD, TIMES, keepsUpdatedAt } from './platform.ts';

/** Tables of the room `imports`. */
export const IMPORTS = [
  `create table data_import (
    ${RECORD},
    ${MODE_OF_ACCOUNT},
    source text not null,
    state text not null check (state in ('draft', 'reading', 'ready', 'running', 'done', 'undoing', 'undone', 'failed')),
    sealed_input text,
    campaign_id text collate "C",
    currency text,
    cursor jsonb,
    expected_count integer,
    read_count integer not null default 0,
    phase_began_at timestamptz(3),
    phase_from integer not null default 0,
    read_at timestamptz(3),
    resume_at timestamptz(3),
    attempts integer not null default 0,
    failure text,
    failure_detail text,
    runs_when_read boolean not null default false,
    created_by text not null,
    done_at timestamptz(3),
    ${TIMES},
    check ((state = 'failed') = (failure is not null))
  )`,
  'create index import_list on data_import (account_id, id)',
  `create index import_working on data_import (id) where state in ('reading', 'running', 'undoing')`,
  keepsUpdatedAt('data_import'),
  // A record of the source. The kinds are made in the order of \`rank\`.
  `create table data_import_row (
    id text collate "C" primary key,
    import_id text collate "C" not null references data_import on delete cascade,
    account_id text collate "C" not null references account on delete cascade,
    kind text not null,
    rank smallint not null generated always as (array_position(array['campaign', 'affiliate', 'link', 'customer', 'code', 'commission', 'payout'], kind)) stored,
    source_id text not null,
    data jsonb not null,
    outcome text check (outcome in ('new', 'existing', 'skipped', 'problem')),
    reason text,
    detail text,
    record_id text collate "C",
    made_ids text[] not null default '{}',
    done_at timestamptz(3),
    unique (import_id, kind, source_id)
  )`,
  'create index import_row_account on data_import_row (account_id)',
  'create index import_row_order on data_import_row (import_id, rank, id)',
  'create index import_row_unchecked on data_import_row (import_id, rank, id) where outcome is null',
  'create index import_row_open on data_import_row (import_id, rank, id) where done_at is null',
  `create index import_row_commission on data_import_row (record_id) where kind = 'commission'`,
  `create index import_row_made on data_import_row (import_id, rank, id) where made_ids <> '{}'`,
  `create index import_row_payout on data_import_row (import_id, (data ->> 'payout')) where kind = 'commission' and data ->> 'payout' is not null`,
  // By what a record is the same as another one, e.g. its address. Belongs to the first row that has it, and is deleted when the import is done.
  `create table data_import_key (
    import_id text collate "C" not null references data_import on delete cascade,
    kind text not null,
    key text collate "C" not null,
    row_id text collate "C" not null,
    primary key (import_id, kind, key)
  )`,
];
