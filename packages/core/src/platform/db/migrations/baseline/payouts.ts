import { keepsUpdatedAt } from './platform.ts';

/** Tables of the room `payouts`. Exports and runs pay payouts in batches. A claim assigns a payout to one export or run. */
export const PAYOUTS = [
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

  // Payouts in an export's files, with the values that they had when the export was created. `payout_id` is not a foreign key, because a released payout
  // may be merged into another payout.
  `create table payout_export_item (
    export_id text collate "C" not null references payout_export on delete cascade,
    payout_id text collate "C" not null,
    affiliate_id text collate "C" not null,
    amount_cents bigint not null,
    currency text not null,
    commissions_count integer not null,
    sealed_receiver text not null,
    method_versions jsonb,
    primary key (export_id, payout_id)
  )`,

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

  `create table payout_run_item (
    run_id text collate "C" not null references payout_run on delete cascade,
    payout_id text collate "C" not null,
    affiliate_id text collate "C" not null,
    currency text not null,
    amount_cents bigint not null,
    commissions_count integer not null,
    state text not null check (state in ('candidate', 'planned', 'paid', 'returned', 'failed', 'excluded', 'canceled')),
    issue_code text,
    primary key (run_id, payout_id),
    check ((state = 'failed') <= (issue_code is not null))
  ) with (fillfactor = 70)`,
  `create index payout_run_item_to_do on payout_run_item (run_id, affiliate_id, payout_id) where state in ('candidate', 'planned')`,

  // The export or run that holds a processing or paid payout. Releasing the payout deletes this row, but not the item of the export or run.
  `create table payout_claim (
    payout_id text collate "C" primary key references payout,
    export_id text collate "C" references payout_export,
    run_id text collate "C" references payout_run,
    claimed_at timestamptz(3) not null,
    check (num_nonnulls(export_id, run_id) = 1)
  )`,
];
