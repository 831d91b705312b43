/** Tables of the room `sources`. */
export const SOURCES = [
  // Connections to the payment provider. An account has at most one at a time.
  `create table psp_connection (
    account_id text collate "C" primary key references account on delete cascade,
    livemode boolean not null,
    psp_account_id text not null,
    psp_account_name text,
    connected_account_id text,
    customer_id_key text default 'customer_id',
    outside_payments text not null default 'count' check (outside_payments in ('count', 'exclude')),
    write_back boolean not null default false,
    write_back_since timestamptz(3),
    write_back_problem text,
    sealed_secret_key text not null,
    endpoint_id text,
    endpoint_checked_at timestamptz(3),
    sealed_webhook_secret text not null,
    sealed_previous_webhook_secret text,
    previous_webhook_secret_expires_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    check (not write_back or write_back_since is not null)
  )`,
  'create index psp_connection_write_back on psp_connection (account_id) where write_back',
];
