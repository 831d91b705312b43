import { RECORD } from './platform.ts';

/** Tables of the rooms `intake` and `attribution`. */
export const INTAKE = [
  // Claims: facts that tie customers to affiliates. Because they are stored, attribution does not depend on the order in which they arrive.
  `create table attribution_claim (
    ${RECORD},
    customer_id text collate "C" not null references customer,
    kind text not null check (kind in ('link', 'code')),
    referral_id text collate "C" references referral,
    affiliate_id text collate "C" not null references affiliate,
    campaign_id text collate "C" not null references campaign,
    code text,
    psp_promotion_code_id text,
    sale_id text collate "C" references sale,
    claimed_from timestamptz(3) not null,
    made_at timestamptz(3) not null,
    source text not null,
    proven boolean not null,
    lead_at timestamptz(3),
    crowded boolean not null default false,
    named_by text[] not null default '{}',
    created_at timestamptz(3) not null,
    unique (customer_id, source),
    check (kind = 'code' or referral_id is not null)
  )`,
  'create index attribution_claim_referral on attribution_claim (referral_id) where referral_id is not null',
  'create index attribution_claim_sale on attribution_claim (sale_id) where sale_id is not null',

  // Networks of public leads that made a claim, by a hash with a secret key. Many leads from one network are crowded.
  `create table lead_network (
    referral_id text collate "C" primary key references referral,
    account_id text collate "C" not null references account on delete cascade,
    network text not null,
    crowded boolean not null,
    flagged boolean not null,
    reported_at timestamptz(3) not null,
    expires_at timestamptz(3) not null
  )`,
  'create index lead_network_recent on lead_network (account_id, network, reported_at)',
  'create index lead_network_due on lead_network (reported_at) where crowded and not flagged',
  'create index lead_network_expires on lead_network (expires_at)',

  // Events of the payment provider. `payload` is text, because JSON can contain characters that jsonb cannot store.
  `create table psp_event (
    account_id text collate "C" not null references account on delete cascade,
    connection_id text collate "C" not null,
    psp_event_id text not null,
    is_hint boolean not null default false,
    livemode boolean not null,
    type text not null,
    occurred_at timestamptz(3) not null,
    state text not null check (state in ('pending', 'processed', 'ignored')),
    problem text,
    payload text not null,
    received_at timestamptz(3) not null,
    processed_at timestamptz(3),
    attempts integer not null default 0,
    next_attempt_at timestamptz(3),
    gave_up_at timestamptz(3),
    primary key (connection_id, psp_event_id),
    check ((state = 'pending') = (processed_at is null))
  )`,
  `create index psp_event_pending on psp_event (account_id, occurred_at) where state = 'pending'`,
  `create index psp_event_age on psp_event (received_at) where state <> 'pending'`,
  `create index psp_event_due on psp_event (next_attempt_at) where state = 'pending' and gave_up_at is null`,
  // Finds the time of the payment provider's last event. An index entry per event is cheaper than updating a row with each event.
  'create index psp_event_received on psp_event (account_id, livemode, received_at)',
  // Finds the last event of each type.
  'create index psp_event_type on psp_event (account_id, livemode, type, received_at)',
  `create index psp_event_kept on psp_event (account_id, received_at) where state = 'ignored' and problem is not null`,
];
