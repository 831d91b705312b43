import { keepsUpdatedAt } from './platform.ts';

/** Tables of the room `payouts`. Exports and runs are batches of attempts to pay payouts. An unfinished attempt holds its payout. */
export const PAYOUTS = [
  // `working` is true while a process has work to do for the batch. The kind of work follows from the stage and the attempts.
  `create table payout_batch (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    kind text not null check (kind in ('export', 'run', 'payment')),
    method text not null,
    livemode boolean not null default true,
    stage text not null check (stage in ('prepared', 'paying', 'paid', 'partly_paid', 'withdrawn')),
    working boolean not null,
    payouts_count integer not null,
    prepared_by text not null,
    notes text,
    affiliate_ids text[],
    payment_reference text,
    idempotency_key text,
    request_fingerprint text,
    started_at timestamptz(3),
    paid_at timestamptz(3),
    withdrawn_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    constraint payout_batch_idempotency_key unique (account_id, idempotency_key),
    check (stage not in ('paid', 'partly_paid') or paid_at is not null),
    check ((stage = 'withdrawn') = (withdrawn_at is not null))
  )`,
  'create index payout_batch_list on payout_batch (account_id, kind, id)',
  'create index payout_batch_updated on payout_batch (account_id, kind, updated_at, id)',
  'create index payout_batch_working on payout_batch (id) where working',
  keepsUpdatedAt('payout_batch'),

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
    where state in ('candidate', 'prepared')`,
  'create index payout_attempt_due on payout_attempt (lease_until) where lease_until is not null',
];
