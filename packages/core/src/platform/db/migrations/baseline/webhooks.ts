import { RECORD, TIMES, deletedWithAccount, refusesRows, wordType } from './platform.ts';

/** Tables of the room `webhooks`: events and their deliveries. */
export const WEBHOOKS = [
  `create table webhook_endpoint (
    ${RECORD},
    name text not null,
    url text not null,
    event_types text[] not null,
    active boolean not null,
    livemode boolean,
    clock_ahead_ms bigint not null default 0,
    sealed_secret text not null,
    secret_header_names text[] not null default '{}',
    sealed_headers text,
    sealed_previous_secret text,
    previous_secret_expires_at timestamptz(3),
    disabled_reason text,
    disabled_at timestamptz(3),
    failing_since timestamptz(3),
    last_success_at timestamptz(3),
    deleted_at timestamptz(3),
    ${TIMES}
  )`,
  'create index webhook_endpoint_list on webhook_endpoint (account_id, id) where deleted_at is null',

  // Events have no foreign key to their account, because checking it for each event takes up to a tenth of the time of a sweep. A trigger deletes an
  // account's events instead. Events are purged by id, which begins with the time.
  `create table event (
    id text collate "C" primary key,
    account_id text collate "C" not null,
    sequence bigint not null,
    type text not null,
    subject_id text collate "C" not null,
    body text not null,
    is_test boolean not null default false,
    occurred_at timestamptz(3) not null,
    livemode boolean not null default true
  )`,
  'create unique index event_sequence on event (account_id, sequence) where not is_test',
  'create index event_list on event (account_id, occurred_at)',
  'create index event_type on event (account_id, type, occurred_at)',
  'create index event_subject on event (subject_id)',
  ...deletedWithAccount('event'),

  // One row per account. It holds the sequence number of the account's latest event, and the part of its id that is the time. Transactions
  // that write events lock this row to put their events in order.
  `create table event_order (
    account_id text collate "C" primary key references account,
    last_time text collate "C" not null,
    last_sequence bigint not null
  ) with (fillfactor = 50)`,

  // The durable queue of deliveries. They have no foreign key to their account, because those to the endpoint and the event suffice. `schedule_step` counts automatic attempts only. `attempts` also counts attempts requested by hand. A manual retry
  // never changes the automatic schedule.
  wordType('delivery_status', ['pending', 'succeeded', 'failed', 'canceled']),
  `create table webhook_delivery (
    id text collate "C" primary key,
    account_id text collate "C" not null,
    endpoint_id text collate "C" not null references webhook_endpoint,
    event_id text collate "C" not null references event on delete cascade,
    status delivery_status not null default 'pending',
    attempts integer not null default 0,
    schedule_step integer not null default 0,
    next_attempt_at timestamptz(3),
    retry_requested_at timestamptz(3),
    completed_at timestamptz(3),
    created_at timestamptz(3) not null
  ) with (fillfactor = 70)`,
  ...refusesRows('webhook_delivery', { webhook_delivery_scheduled: `@next_attempt_at is null or @status = 'pending'` }),
  'create index webhook_delivery_due on webhook_delivery (endpoint_id, next_attempt_at) where next_attempt_at is not null',
  'create index webhook_delivery_retry on webhook_delivery (endpoint_id, retry_requested_at) where retry_requested_at is not null',
  'create index webhook_delivery_list on webhook_delivery (account_id, id)',
  'create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, id)',
  'create index webhook_delivery_event on webhook_delivery (event_id)',

  `create table webhook_attempt (
    id text collate "C" primary key,
    delivery_id text collate "C" not null references webhook_delivery on delete cascade,
    attempt integer not null,
    trigger text not null check (trigger in ('schedule', 'manual')),
    started_at timestamptz(3) not null,
    duration_ms integer not null,
    request_headers jsonb not null,
    response_status integer,
    response_headers jsonb,
    response_excerpt text,
    error_code text
  )`,
  'create index webhook_attempt_delivery on webhook_attempt (delivery_id, attempt)',
  'create index webhook_attempt_age on webhook_attempt (started_at)',
];
