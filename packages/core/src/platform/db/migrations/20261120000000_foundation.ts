import { Migration } from '@mikro-orm/migrations';

/**
 * Creates the first schema: accounts, people, the program's records, money and outbound webhooks.
 *
 * Conventions: ids are TypeIDs in `text collate "C"`, so that their order is the order of creation; money is `bigint` in the
 * currency's minor unit; instants are `timestamptz(3)`. Indexes for lists hold `(account_id, …, id)`. They contain no column that
 * bulk work changes, unless a list is filtered by that column.
 */
export class Foundation extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

/** Returns SQL for the base32 character of a 5-bit number, for use in `new_id`. */
function base32(number: string): string {
  return `substr(alphabet, (${number}) + 1, 1)`;
}

const STATEMENTS = [
  // `new_id` makes a TypeID from a UUIDv7 for rows that set-based statements create. Layout as in wire/ids.ts: 10 characters of
  // milliseconds, version, 12-bit counter, variant and 62 random bits. The counter keeps ids of one millisecond in the order of
  // their creation.
  `create sequence id_counter minvalue 0 maxvalue 4095 cycle`,
  // The body is one expression, because a loop in PL/pgSQL takes ten times as long. It skips bytes 6 and 8 of the random UUID, which
  // hold version and variant.
  `create function new_id(prefix text, at timestamptz) returns text language plpgsql volatile as $$
  declare
    alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
    ms bigint := floor(extract(epoch from at) * 1000);
    counter int := nextval('id_counter');
    noise bytea := uuid_send(gen_random_uuid());
  begin
    return prefix || '_'
      || ${[9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((digit) => base32(`((ms >> ${5 * digit}) & 31)::int`)).join(' || ')}
      || ${base32('14 + (counter >> 11)')} || ${base32('(counter >> 6) & 31')} || ${base32('(counter >> 1) & 31')}
      || ${base32('((counter & 1) << 4) + 8 + (get_byte(noise, 0) & 3)')}
      || ${[1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14].map((byte) => base32(`get_byte(noise, ${byte}) & 31`)).join(' || ')};
  end $$`,

  // An instant in wire format.
  `create function wire_time(at timestamptz) returns text language sql immutable parallel safe as
   $$ select to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$`,

  `create table account (
    id text collate "C" primary key,
    name text not null,
    currency text not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,

  // Users. The authentication library defines the tables auth_*. They have this prefix, because the library calls a credential
  // "account".
  `create table auth_user (
    id text collate "C" primary key,
    email text not null,
    email_verified boolean not null default false,
    name text not null,
    image text,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create unique index auth_user_email on auth_user (lower(email))`,
  `create table auth_credential (
    id text collate "C" primary key,
    user_id text collate "C" not null references auth_user on delete cascade,
    account_id text not null,
    provider_id text not null,
    password text,
    access_token text, refresh_token text, id_token text, scope text,
    access_token_expires_at timestamptz(3), refresh_token_expires_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create index auth_credential_user on auth_credential (user_id)`,
  `create table membership (
    account_id text collate "C" not null references account on delete cascade,
    user_id text collate "C" not null references auth_user on delete cascade,
    role text not null check (role in ('owner', 'admin', 'member')),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (account_id, user_id)
  )`,
  `create index membership_user on membership (user_id)`,

  `create table api_key (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    name text not null,
    prefix text not null,
    secret_hash text not null unique,
    permissions jsonb not null,
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    revoked_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create index api_key_list on api_key (account_id, id)`,

  // Responses to requests with an Idempotency-Key. Bodies are sealed, because some contain a secret that is shown only once.
  `create table idempotency_key (
    account_id text collate "C" not null references account on delete cascade,
    caller_id text collate "C" not null,
    key text not null,
    fingerprint text not null,
    status integer not null,
    sealed_body text not null,
    created_at timestamptz(3) not null,
    primary key (account_id, caller_id, key)
  )`,
  `create index idempotency_key_age on idempotency_key (created_at)`,

  `create table campaign (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    name text not null,
    slug text not null,
    url text not null,
    private boolean not null,
    private_tokens boolean not null,
    reward_type text not null check (reward_type in ('percent', 'fixed')),
    commission_basis_points integer check (commission_basis_points between 0 and 10000),
    commission_amount_cents bigint check (commission_amount_cents >= 0),
    commission_amount_currency text,
    minimum_payout_cents bigint not null check (minimum_payout_cents >= 0),
    minimum_payout_currency text not null,
    max_commission_period_months integer,
    max_commissions integer,
    days_before_referrals_expire integer not null,
    days_until_commissions_are_due integer not null,
    affiliate_dashboard_text text,
    custom_reward_description text,
    welcome_text text,
    customers_visible_to_affiliates boolean not null,
    sale_description_visible_to_affiliates boolean not null,
    parameter_type text not null check (parameter_type in ('query', 'hash')),
    psp_coupon_id text,
    is_default boolean not null,
    archived_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    unique (account_id, slug)
  )`,
  `create unique index campaign_one_default on campaign (account_id) where is_default`,
  `create index campaign_list on campaign (account_id, id) where archived_at is null`,

  `create table affiliate (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    campaign_id text collate "C" not null references campaign,
    user_id text collate "C" references auth_user,
    email text not null,
    first_name text,
    last_name text,
    state text not null check (state in ('pending', 'active', 'disabled', 'suspicious', 'rejected')),
    walleta_email text,
    walletb_email text,
    psp_customer_id text,
    archived_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create unique index affiliate_email on affiliate (account_id, lower(email)) where archived_at is null`,
  `create index affiliate_list on affiliate (account_id, id) where archived_at is null`,
  `create index affiliate_campaign on affiliate (campaign_id, id)`,
  `create index affiliate_psp_customer on affiliate (account_id, psp_customer_id) where psp_customer_id is not null`,
  `create index affiliate_updated on affiliate (account_id, updated_at)`,

  `create table link (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    affiliate_id text collate "C" not null references affiliate,
    campaign_id text collate "C" not null references campaign,
    url text not null,
    token text not null,
    archived_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  // The second index is for /t/<token>, whose URL does not name an account.
  `create unique index link_token on link (account_id, lower(token))`,
  `create index link_token_lookup on link (lower(token))`,
  `create index link_list on link (account_id, id) where archived_at is null`,
  `create index link_affiliate on link (affiliate_id, id)`,

  // Number of clicks per link and day. There is no row per click, so that requests to a public endpoint cannot fill the disk.
  `create table link_clicks (
    link_id text collate "C" not null references link on delete cascade,
    day date not null,
    account_id text collate "C" not null references account on delete cascade,
    clicks bigint not null,
    primary key (link_id, day)
  )`,
  `create index link_clicks_account on link_clicks (account_id, day)`,

  `create table customer (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    email text,
    name text,
    first_name text,
    last_name text,
    psp_customer_id text,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create unique index customer_email on customer (account_id, lower(email)) where email is not null`,
  `create unique index customer_psp on customer (account_id, psp_customer_id) where psp_customer_id is not null`,

  `create table referral (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    affiliate_id text collate "C" not null references affiliate,
    campaign_id text collate "C" not null references campaign,
    link_id text collate "C" references link,
    customer_id text collate "C" references customer,
    conversion_state text not null check (conversion_state in ('visitor', 'lead', 'conversion')),
    converted_at timestamptz(3),
    expires_at timestamptz(3),
    deactivated_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  // A customer belongs to at most one referral, whatever the state of that referral.
  `create unique index referral_customer on referral (customer_id) where customer_id is not null`,
  `create index referral_list on referral (account_id, id)`,
  `create index referral_state on referral (account_id, conversion_state, id)`,
  `create index referral_affiliate on referral (affiliate_id, conversion_state, id)`,
  `create index referral_link on referral (link_id, conversion_state) where link_id is not null`,
  `create index referral_updated on referral (account_id, updated_at)`,

  `create table sale (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    referral_id text collate "C" references referral,
    affiliate_id text collate "C" references affiliate,
    customer_id text collate "C" references customer,
    external_id text,
    psp_charge_id text,
    psp_invoice_id text,
    promo_code text,
    psp_promotion_code_id text,
    livemode boolean,
    charge_amount_cents bigint not null check (charge_amount_cents >= 0),
    tax_amount_cents bigint not null check (tax_amount_cents >= 0),
    refund_amount_cents bigint not null check (refund_amount_cents >= 0),
    currency text not null,
    description text,
    no_commission_reason text,
    charged_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create unique index sale_external on sale (account_id, external_id) where external_id is not null`,
  `create unique index sale_psp_charge on sale (account_id, psp_charge_id) where psp_charge_id is not null`,
  `create index sale_list on sale (account_id, id)`,
  `create index sale_referral on sale (referral_id) where referral_id is not null`,
  `create index sale_unattributed on sale (customer_id) where referral_id is null and customer_id is not null`,

  `create table refund (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    sale_id text collate "C" not null references sale,
    external_id text not null,
    amount_cents bigint not null check (amount_cents >= 0),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    unique (account_id, external_id)
  )`,
  `create index refund_sale on refund (sale_id)`,

  // The due sweep changes states in bulk, so the table has few indexes and a fill factor that leaves room for HOT updates.
  `create table commission (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    campaign_id text collate "C" not null references campaign,
    affiliate_id text collate "C" not null references affiliate,
    referral_id text collate "C" not null references referral,
    sale_id text collate "C" not null references sale,
    adjusts_commission_id text collate "C" references commission,
    kind text not null check (kind in ('sale', 'adjustment')),
    state text not null check (state in ('pending', 'due', 'paid', 'voided')),
    amount_cents bigint not null,
    currency text not null,
    basis_points integer,
    due_at timestamptz(3) not null,
    paid_at timestamptz(3),
    voided_at timestamptz(3),
    void_reason text,
    review_status text check (review_status in ('suspicious', 'approved')),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    check ((state = 'paid') = (paid_at is not null and voided_at is null)),
    check ((state = 'voided') = (voided_at is not null))
  ) with (fillfactor = 70)`,
  `create unique index commission_of_sale on commission (sale_id) where kind = 'sale'`,
  `create index commission_sale on commission (sale_id)`,
  `create index commission_list on commission (account_id, id)`,
  `create index commission_state on commission (account_id, state, id)`,
  `create index commission_affiliate on commission (affiliate_id, id)`,
  `create index commission_campaign on commission (campaign_id, id)`,
  `create index commission_referral on commission (referral_id)`,
  `create index commission_adjusts on commission (adjusts_commission_id) where adjusts_commission_id is not null`,
  `create index commission_falling_due on commission (due_at) where state = 'pending'`,

  // Callers see "open" as "due" or "pending", depending on whether the payout is payable now. This is computed, never stored.
  `create table payout (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    affiliate_id text collate "C" not null references affiliate,
    currency text not null,
    status text not null check (status in ('open', 'processing', 'paid')),
    amount_cents bigint not null,
    commissions_count integer not null,
    payment_reference text,
    paid_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    check ((status = 'paid') = (paid_at is not null))
  ) with (fillfactor = 70)`,
  `create unique index payout_one_open on payout (affiliate_id, currency) where status = 'open'`,
  `create index payout_list on payout (account_id, id)`,
  `create index payout_status on payout (account_id, status, id)`,
  `create index payout_affiliate on payout (affiliate_id, id)`,

  // Payout of a commission, at most one. A separate table, so that attaching commissions in bulk does not rewrite them.
  `create table payout_item (
    commission_id text collate "C" primary key references commission,
    payout_id text collate "C" not null references payout
  )`,
  `create index payout_item_payout on payout_item (payout_id)`,

  `create table webhook_endpoint (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    name text not null,
    url text not null,
    event_types text[] not null,
    active boolean not null,
    sealed_secret text not null,
    sealed_previous_secret text,
    previous_secret_expires_at timestamptz(3),
    disabled_reason text,
    disabled_at timestamptz(3),
    failing_since timestamptz(3),
    last_success_at timestamptz(3),
    deleted_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create index webhook_endpoint_list on webhook_endpoint (account_id, id) where deleted_at is null`,

  `create table event (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    type text not null,
    subject_id text not null,
    body text not null,
    is_test boolean not null default false,
    occurred_at timestamptz(3) not null
  )`,
  `create index event_list on event (account_id, occurred_at)`,
  `create index event_age on event (occurred_at)`,

  // The durable queue of deliveries. `schedule_step` counts automatic attempts only. `attempts` also counts attempts requested by
  // hand. A manual retry never changes the automatic schedule.
  `create table webhook_delivery (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    endpoint_id text collate "C" not null references webhook_endpoint,
    event_id text collate "C" not null references event on delete cascade,
    status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'canceled')),
    attempts integer not null default 0,
    schedule_step integer not null default 0,
    next_attempt_at timestamptz(3),
    retry_requested_at timestamptz(3),
    completed_at timestamptz(3),
    created_at timestamptz(3) not null,
    check (next_attempt_at is null or status = 'pending')
  ) with (fillfactor = 70)`,
  `create index webhook_delivery_due on webhook_delivery (endpoint_id, next_attempt_at) where next_attempt_at is not null`,
  `create index webhook_delivery_retry on webhook_delivery (endpoint_id, retry_requested_at) where retry_requested_at is not null`,
  `create index webhook_delivery_list on webhook_delivery (account_id, id)`,
  `create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, id)`,
  `create index webhook_delivery_event on webhook_delivery (event_id)`,

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
  `create index webhook_attempt_delivery on webhook_attempt (delivery_id, attempt)`,
  `create index webhook_attempt_age on webhook_attempt (started_at)`,
];
