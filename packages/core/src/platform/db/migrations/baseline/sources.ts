import { RECORD, TIMES } from './platform.ts';

/** Tables of the room `sources`. */
export const SOURCES = [
  // Merchants' accounts at payment providers. `settings` are those that only the source understands.
  `create table connection (
    ${RECORD},
    source text not null,
    mode text not null check (mode in ('live', 'test')),
    state text not null check (state in ('connected', 'disconnected')),
    psp_account_id text not null,
    psp_account_name text,
    settings jsonb not null,
    outside_payments text not null default 'count' check (outside_payments in ('count', 'exclude')),
    write_back boolean not null default false,
    write_back_since timestamptz(3),
    write_back_problem text,
    sealed_credentials text,
    key_expires_at timestamptz(3),
    endpoint_id text,
    endpoint_checked_at timestamptz(3),
    sealed_webhook_secret text,
    sealed_previous_webhook_secret text,
    previous_webhook_secret_expires_at timestamptz(3),
    looked_at timestamptz(3),
    complete_until timestamptz(3),
    history_since timestamptz(3),
    history_problem text,
    look_problem text,
    unfinished_look jsonb,
    ${TIMES},
    check (not write_back or write_back_since is not null),
    check ((state = 'connected') = (sealed_credentials is not null and sealed_webhook_secret is not null))
  )`,
  'create index connection_of_account on connection (account_id, id)',
  'create index connection_history on connection (id) where history_since is not null',
  `create index connection_write_back on connection (id) where write_back and state = 'connected'`,

  // Pieces of payments that providers tell in several events. Pieces with a common name belong together.
  `create table payment_pieces (
    id bigint generated always as identity primary key,
    account_id text collate "C" not null references account on delete cascade,
    connection_id text collate "C" not null,
    livemode boolean not null,
    names text[] not null,
    pieces jsonb not null,
    version integer not null,
    charged boolean not null,
    ${TIMES}
  )`,
  'create index payment_pieces_names on payment_pieces using gin (names)',
  'create index payment_pieces_account on payment_pieces (account_id)',
  // The newest versions that merchants have told of customers and codes.
  `create table told_state (
    account_id text collate "C" not null references account on delete cascade,
    connection_id text collate "C" not null,
    subject text collate "C" not null,
    version text collate "C" not null,
    code jsonb,
    primary key (connection_id, subject)
  )`,
  'create index told_state_account on told_state (account_id)',
  'create index payment_pieces_purge on payment_pieces (updated_at) where not charged',
];
