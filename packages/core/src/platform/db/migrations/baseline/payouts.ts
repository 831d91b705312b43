import { keepsUpdatedAt } from './platform.ts';

/** Tables of the room `payouts`. Exports and runs are batches of attempts to pay payouts. An unfinished attempt holds its payout. */
export const PAYOUTS = [
  `create table payout_batch (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    kind text not null check (kind in ('export', 'run', 'payment')),
    prepared_by text not null,
    created_at timestamptz(3) not null
  )`,

  // Exports pay payouts in batches. `paid_count` and `paid_through` are the progress of an export that is being paid in steps.
  `create table payout_export (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    state text not null check (state in ('processing', 'paying', 'paid', 'released')),
    method text not null,
    notes text,
    payouts_count integer not null,
    totals jsonb not null,
    payment_reference text,
    paid_at timestamptz(3),
    released_at timestamptz(3),
    livemode boolean not null default true,
    returned_count integer not null default 0,
    paid_count integer not null default 0,
    paid_through text collate "C",
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    check ((state = 'paid') = (paid_at is not null)),
    check ((state = 'released') = (released_at is not null))
  )`,
  'create index payout_export_list on payout_export (account_id, id) where released_at is null',
  'create index payout_export_updated on payout_export (account_id, updated_at, id)',
  `create index payout_export_paying on payout_export (id) where state = 'paying'`,
  keepsUpdatedAt('payout_export'),

  // `working` is true while a process has work to do for the run. The kind of work follows from the run's state and items.
  `create table payout_run (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    idempotency_key text not null,
    request_fingerprint text not null,
    state text not null check (state in ('planned', 'executing', 'completed', 'partially_completed', 'canceled')),
    working boolean not null,
    affiliate_ids text[],
    payment_reference text,
    items_total integer not null,
    items_done integer not null,
    executed_at timestamptz(3),
    completed_at timestamptz(3),
    canceled_at timestamptz(3),
    livemode boolean not null default true,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    constraint payout_run_idempotency_key unique (account_id, idempotency_key)
  )`,
  'create index payout_run_list on payout_run (account_id, id)',
  'create index payout_run_updated on payout_run (account_id, updated_at, id)',
  'create index payout_run_working on payout_run (id) where working',
  keepsUpdatedAt('payout_run'),

  // Tries to pay payouts. The receiver and the versions of the addresses are those of the preparation. `payout_id` is not a foreign key, because a
  // released payout may be merged into another payout.
  `create table payout_attempt (
    id text collate "C" not null,
    account_id text collate "C" not null references account on delete cascade,
    payout_id text collate "C" not null,
    affiliate_id text collate "C" not null,
    batch_id text collate "C" references payout_batch on delete cascade,
    method text not null,
    livemode boolean not null,
    amount_cents bigint not null,
    currency text not null,
    commissions_count integer not null,
    state text not null check (state in ('candidate', 'prepared', 'approved', 'sent', 'unknown', 'in_transit', 'unclaimed', 'arrived', 'returned',
      'failed', 'withdrawn')),
    reason text,
    superseded boolean not null default false,
    sealed_receiver text,
    method_versions jsonb,
    prepared_at timestamptz(3),
    sent_at timestamptz(3),
    arrived_at timestamptz(3),
    returned_at timestamptz(3),
    ended_at timestamptz(3),
    first_posted_at timestamptz(3),
    lease_until timestamptz(3),
    raw_state text,
    provider_item_id text,
    receiver_name text,
    expires_at timestamptz(3),
    debited_cents bigint,
    debited_currency text,
    credited_cents bigint,
    credited_currency text,
    fee_cents bigint,
    fee_currency text,
    returned_cents bigint,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (account_id, id),
    check (state not in ('failed', 'withdrawn') or (reason is not null and ended_at is not null))
  ) with (fillfactor = 70)`,
  // At most one attempt holds a payout. Attempts that hold nothing differ by their ids.
  `create unique index payout_attempt_holds on payout_attempt (payout_id, (case
    when state in ('candidate', 'failed', 'withdrawn') or (state = 'returned' and arrived_at is null) then id end)) nulls not distinct`,
  'create unique index payout_attempt_of_batch on payout_attempt (batch_id, payout_id) where not superseded',
  `create index payout_attempt_to_do on payout_attempt (batch_id, affiliate_id, payout_id)
    where state in ('candidate', 'prepared') and reason is null`,
  'create index payout_attempt_due on payout_attempt (lease_until) where lease_until is not null',
];
