import { Migration } from '@mikro-orm/migrations';

/** Adds affiliates' promotion codes at the payment provider, and the ledger of operations at the provider. */
export class PromoCodes extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `create table promo_code (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    affiliate_id text collate "C" not null references affiliate,
    campaign_id text collate "C" not null references campaign,
    origin text not null check (origin in ('import', 'create', 'affiliate_coupon')),
    psp_promotion_code_id text not null,
    psp_coupon_id text,
    code text not null,
    livemode boolean not null,
    tracking_token text not null unique,
    status text not null check (status in ('active', 'inactive', 'stopped')),
    observation jsonb not null,
    observed_at timestamptz(3) not null,
    stopped_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    check ((status = 'stopped') = (stopped_at is not null))
  )`,
  // A promotion code of an account and mode belongs to one affiliate forever. Ended assignments keep their row, so that the code
  // cannot be assigned again.
  `create unique index promo_code_owner on promo_code (account_id, livemode, psp_promotion_code_id)`,
  `create index promo_code_list on promo_code (affiliate_id, id)`,
  `create index promo_code_text on promo_code (account_id, lower(code))`,

  `create table psp_operation (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    caller_id text collate "C" not null,
    idempotency_key text,
    fingerprint text not null,
    kind text not null,
    livemode boolean not null,
    subject text not null,
    state text not null check (state in ('pending', 'succeeded', 'failed')),
    attempt integer not null,
    leased_until timestamptz(3),
    response_status integer,
    response_body jsonb,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    check ((state = 'succeeded') = (response_body is not null))
  )`,
  `create unique index psp_operation_key on psp_operation (account_id, caller_id, idempotency_key) where idempotency_key is not null`,
  // While an operation is pending, no other operation with the same subject can start.
  `create unique index psp_operation_open on psp_operation (account_id, livemode, subject) where state = 'pending'`,
];
