import { Migration } from '@mikro-orm/migrations';

/** Adds events of the payment provider, and the payments assembled from them. */
export class PspEvents extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  // `payload` is text, because JSON can contain characters that jsonb cannot store.
  `create table psp_event (
    account_id text collate "C" not null references account on delete cascade,
    psp_event_id text not null,
    livemode boolean not null,
    type text not null,
    occurred_at timestamptz(3) not null,
    state text not null check (state in ('pending', 'processed', 'ignored')),
    problem text,
    payload text not null,
    received_at timestamptz(3) not null,
    processed_at timestamptz(3),
    primary key (account_id, psp_event_id),
    check ((state = 'pending') = (processed_at is null))
  )`,
  `create index psp_event_pending on psp_event (account_id, occurred_at) where state = 'pending'`,
  `create index psp_event_age on psp_event (received_at) where state <> 'pending'`,

  `create table psp_payment (
    id bigint generated always as identity primary key,
    account_id text collate "C" not null references account on delete cascade,
    livemode boolean not null,
    payment_intent_id text,
    charge_id text,
    invoice_id text,
    psp_customer_id text,
    customer_email text,
    customer_name text,
    amount_cents bigint,
    tax_amount_cents bigint,
    currency text,
    description text,
    charged_at timestamptz(3),
    client_reference_id text,
    psp_promotion_code_ids jsonb not null,
    refunds jsonb not null,
    sale_id text collate "C" unique references sale,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create unique index psp_payment_intent on psp_payment (account_id, livemode, payment_intent_id) where payment_intent_id is not null`,
  `create unique index psp_payment_charge on psp_payment (account_id, livemode, charge_id) where charge_id is not null`,
  `create index psp_payment_invoice on psp_payment (account_id, livemode, invoice_id) where invoice_id is not null`,
];
