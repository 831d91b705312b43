import { RECORD, TIMES, deletedWithAccount, holdsMerchantData, holdsMetadata, keepsUpdatedAt, refusesRows } from './platform.ts';

const COUNTED_BY = `account_id, (updated_at at time zone 'UTC')::date, state, livemode`;

/** The changes of counts for each kind of statement on commissions, with the transition tables that the query reads. */
const COUNTING = {
  insert: {
    rows: 'new table as new_rows',
    changes: `select ${COUNTED_BY}, count(*) from new_rows group by 1, 2, 3, 4`,
  },
  delete: {
    rows: 'old table as old_rows',
    changes: `select ${COUNTED_BY}, -count(*) from old_rows group by 1, 2, 3, 4`,
  },
  update: {
    rows: 'old table as old_rows new table as new_rows',
    changes: `select ${COUNTED_BY}, sum(sign) from (select *, 1 as sign from new_rows union all select *, -1 from old_rows) changed
      group by 1, 2, 3, 4 having sum(sign) <> 0`,
  },
};

/** Tables of the room `ledger`. */
export const LEDGER = [
  // `named_referral_id` is the referral that the report of the sale named, `assigned_referral_id` the one to which a person assigned the sale. `limits`
  // are the limits of the campaign when the sale was charged. `imported_at` and `imported_refund_cents` are set on sales whose commission another tool
  // has decided.
  `create table sale (
    ${RECORD},
    referral_id text collate "C" references referral,
    affiliate_id text collate "C" references affiliate,
    customer_id text collate "C" references customer,
    external_id text,
    connection_id text,
    names text[] not null default '{}',
    name_of_group text,
    promo_code text,
    psp_promotion_code_id text,
    livemode boolean,
    charge_amount_cents bigint not null,
    tax_amount_cents bigint not null,
    refund_amount_cents bigint not null,
    currency text not null,
    description text,
    no_commission_reason text,
    charged_at timestamptz(3) not null,
    named_referral_id text collate "C",
    assigned_referral_id text collate "C" references referral,
    limits jsonb,
    credit_note_refund_cents bigint not null default 0,
    credit_note_tax_cents bigint not null default 0,
    report jsonb,
    disputed boolean not null default false,
    tax_ignored boolean not null default false,
    excluded boolean not null default false,
    paid_outside text,
    reconsidered_at timestamptz(3),
    redated_from timestamptz(3),
    repeats_sale_id text collate "C",
    uncounted_refund_cents bigint,
    contested jsonb,
    metadata jsonb not null default '{}',
    itemized boolean not null default false,
    imported_at timestamptz(3),
    imported_refund_cents bigint,
    ${TIMES},
    constraint sale_imported check ((imported_at is null) = (imported_refund_cents is null))
  )`,
  'create index sale_with_refunds on sale (account_id, id) where refund_amount_cents > 0',
  'create index sale_with_refunds_updated on sale (account_id, updated_at, id) where refund_amount_cents > 0',
  'create unique index sale_external on sale (account_id, external_id) where external_id is not null',
  'create index sale_list on sale (account_id, id)',
  'create index sale_updated on sale (account_id, updated_at, id)',
  'create index sale_referral on sale (referral_id, charged_at) where referral_id is not null',
  'create index sale_charged on sale (account_id, charged_at, id)',
  // A sale of a customer is decided from the sales around it. The expression is `KIND_OF_SALE`.
  `create index sale_customer on sale (
    customer_id, (case when livemode is false then 0 when livemode is null and external_id is not null then 1 else 2 end), charged_at
  ) where customer_id is not null`,
  'create index sale_unattributed on sale (customer_id) where customer_id is not null and referral_id is null',
  'create index sale_of_unknown_customer on sale (referral_id) where customer_id is null and referral_id is not null',
  'create index sale_assigned on sale (assigned_referral_id) where assigned_referral_id is not null',
  // For the purge of referrals. Most sales belong to the referral that their report named, and are found by `sale_referral`.
  `create index sale_named_referral on sale (named_referral_id)
    where named_referral_id is not null and named_referral_id is distinct from referral_id`,
  'create index sale_refunded on sale (affiliate_id, updated_at) where refund_amount_cents > 0',
  'create index sale_affiliate_charged on sale (affiliate_id, charged_at) where affiliate_id is not null',
  // Sales to decide again, and referrals whose reward for a lead is to be decided again, by a worker.
  `create table queued_sale_decision (
    sale_id text collate "C" primary key references sale on delete cascade,
    account_id text collate "C" not null references account on delete cascade
  )`,
  `create table queued_lead_decision (
    referral_id text collate "C" primary key references referral on delete cascade,
    account_id text collate "C" not null references account on delete cascade
  )`,
  // Within a second, changes come before charges. Charges with whole seconds that were decided before a change of their second are decided again.
  `create function decide_charges_of_second() returns trigger language plpgsql as $$
  begin
    insert into queued_sale_decision (sale_id, account_id)
    select id, account_id from sale
    where account_id = to_jsonb(new) ->> tg_argv[0] and charged_at = date_trunc('second', (to_jsonb(new) #>> tg_argv[1]::text[])::timestamptz)
    order by id on conflict (sale_id) do nothing;
    return null;
  end $$`,
  ...[
    ['affiliate_state_version', 'insert', `'account_id', '{until}'`],
    ['campaign_terms', 'insert', `'account_id', '{until}'`],
    ['reward_rule_version', 'insert', `'account_id', '{in_force_from}'`],
    ['referral_deactivation', 'insert', `'account_id', '{until}'`],
    ['referral', 'update of deactivated_at', `'account_id', '{deactivated_at}'`],
    ['account', 'update of former_code_choices', `'id', '{former_code_choices,-1,until}'`],
    ['account', 'update of former_shadows', `'id', '{former_shadows,-1,until}'`],
  ].map(
    ([table, event, time]) =>
      `create trigger ${table}_${event!.split(' ').at(-1)}_before_charges after ${event} on ${table} for each row execute function decide_charges_of_second(${time})`,
  ),
  // Lines of sales with known lines. A sale without lines has no row. Lines have no foreign keys, because checking them for each line costs too much:
  // the statement that inserts a sale inserts its lines, and a trigger deletes them with the sale.
  `create table sale_line (
    sale_id text collate "C" not null,
    line integer not null,
    account_id text collate "C" not null,
    product text,
    price text,
    name text,
    interval text,
    quantity integer not null check (quantity > 0),
    net_cents bigint not null check (net_cents >= 0),
    refunded_cents bigint not null default 0 check (refunded_cents >= 0),
    recorded_cents bigint,
    primary key (sale_id, line)
  )`,
  `create function delete_lines_of_sale() returns trigger language plpgsql as $$
  begin
    delete from sale_line where sale_id = old.id;
    return null;
  end $$`,
  `create trigger sale_deletes_lines after delete on sale for each row when (old.itemized) execute function delete_lines_of_sale()`,
  // Finds sales by the names of their payments. A name belongs to one sale of a connection, except that of a group, e.g. an invoice with several
  // payments. A sale that only the merchant has reported has no connection. Triggers write the rows from the columns of the sale, and delete them.
  `create table payment_name (
    account_id text collate "C" not null,
    connection_id text collate "C",
    name text not null,
    of_group boolean not null,
    sale_id text collate "C" not null
  )`,
  // One index for all names. If there was one for each kind, a query about both kinds could use neither.
  `create unique index payment_name_own on payment_name (account_id, name, connection_id, (case when of_group then sale_id end))
    nulls not distinct`,
  'create index payment_name_sale on payment_name (sale_id)',
  `create function name_payment_of_sale() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' then
      delete from payment_name where sale_id = old.id;
    end if;
    if tg_op <> 'DELETE' then
      insert into payment_name (account_id, connection_id, name, of_group, sale_id)
      select new.account_id, new.connection_id, name, false, new.id from unnest(new.names) name
      union all select new.account_id, new.connection_id, new.name_of_group, true, new.id where new.name_of_group is not null;
    end if;
    return null;
  end $$`,
  `create trigger sale_names_payment after insert on sale for each row
    when (new.name_of_group is not null or new.names <> '{}') execute function name_payment_of_sale()`,
  `create trigger sale_renames_payment after update of names, name_of_group, connection_id on sale for each row
    when (new.names <> old.names or new.name_of_group is distinct from old.name_of_group
      or new.connection_id is distinct from old.connection_id) execute function name_payment_of_sale()`,
  `create trigger sale_deletes_names after delete on sale for each row
    when (old.name_of_group is not null or old.names <> '{}') execute function name_payment_of_sale()`,

  // What a source last told of the payment of a sale. \`payer\` names the customer and the referral, \`stray_references\` name no referral.
  `create table payment (
    sale_id text collate "C" primary key references sale on delete cascade,
    account_id text collate "C" not null references account on delete cascade,
    version text not null,
    livemode boolean not null,
    currency text not null,
    names text[] not null,
    payer jsonb not null,
    stray_references text[] not null,
    codes text[] not null,
    way text,
    refunds jsonb not null,
    disputes jsonb not null,
    updated_at timestamptz(3) not null
  )`,
  'create index payment_account on payment (account_id)',
  // With the collation of the ids with which it is compared. Otherwise PostgreSQL could not use it.
  `create index payment_reference on payment ((payer -> 'references' ->> 0) collate "C") where payer -> 'references' <> '[]'`,
  'create index sale_uncounted_refund on sale (account_id) where uncounted_refund_cents is not null',
  'create index sale_contested on sale (account_id, id) where contested is not null',
  ...refusesRows('sale', {
    sale_amounts: '@charge_amount_cents >= 0 and @tax_amount_cents >= 0 and @refund_amount_cents >= 0',
    sale_paid_outside: `@paid_outside in ('counted', 'excluded')`,
  }),
  ...holdsMetadata('sale'),
  keepsUpdatedAt('sale'),

  `create table refund (
    ${RECORD},
    sale_id text collate "C" not null references sale,
    external_id text not null,
    amount_cents bigint not null check (amount_cents >= 0),
    reported_sale_id text collate "C",
    lines jsonb not null default '[]',
    repeated boolean not null default false,
    ${TIMES},
    unique (account_id, external_id)
  )`,
  'create index refund_sale on refund (sale_id)',

  // Bulk work changes `state` and `updated_at`. Lists need an index on `updated_at`, so each change adds an entry to every index that has the row: the
  // primary key and the five indexes without a condition. Do not add another one. Lists by state need no index on it: they read the newest
  // commissions, and the count is stored.
  //
  // `referral_id` is not a foreign key, because the check of the key would need an index. A referral with a commission is kept as long as its account,
  // because only referrals of visitors are purged.
  //
  // `voided_by_refund` marks commissions that a full refund voided: if the refund fails, they are owed again.
  `create table commission (
    ${RECORD},
    campaign_id text collate "C" not null references campaign,
    affiliate_id text collate "C" not null references affiliate,
    referral_id text collate "C",
    sale_id text collate "C" references sale,
    adjusts_commission_id text collate "C" references commission,
    kind text not null,
    state text not null,
    amount_cents bigint not null,
    currency text not null,
    basis_points integer,
    imported_cents bigint,
    due_at timestamptz(3) not null,
    paid_at timestamptz(3),
    voided_at timestamptz(3),
    void_reason text,
    review_status text,
    voided_by_refund boolean not null default false,
    superseded boolean not null default false,
    livemode boolean not null default true,
    review_reason text,
    note text,
    created_by text,
    voided_by_hand boolean not null default false,
    external_id text,
    metadata jsonb not null default '{}',
    lines_currency text,
    rule_id text collate "C" references reward_rule,
    milestone_since timestamptz(3),
    milestone_times integer,
    reached_at timestamptz(3),
    contested jsonb,
    due_by_hand boolean not null default false,
    ${TIMES}
  ) with (fillfactor = 70)`,
  // Terms of commissions that reward rules decided, frozen by line, with what each line earns for the sale as it is now. They have no foreign keys, as
  // the lines of sales. Concurrent sales would also share locks on the rows of rules.
  `create table commission_line (
    commission_id text collate "C" not null,
    line integer not null,
    account_id text collate "C" not null,
    rule_id text collate "C",
    rule_version integer,
    pay jsonb not null,
    quantity integer not null,
    at_most_cents bigint,
    note text,
    base_cents bigint not null,
    cents bigint not null,
    primary key (commission_id, line)
  )`,
  `create function delete_lines_of_commission() returns trigger language plpgsql as $$
  begin
    delete from commission_line where commission_id = old.id;
    return null;
  end $$`,
  `create trigger commission_deletes_lines after delete on commission for each row when (old.lines_currency is not null)
    execute function delete_lines_of_commission()`,
  // An affiliate has a few commissions of rules. Plain commissions of sales have no entry in this index.
  'create index commission_rule on commission (rule_id, affiliate_id) where rule_id is not null',
  `create unique index commission_lead on commission (referral_id) where kind = 'lead' and not superseded`,
  'create index commission_list on commission (account_id, id)',
  'create index commission_contested on commission (account_id, id) where contested is not null',
  // Includes the state, so that commissions of a state and a time range are counted without reading them.
  'create index commission_updated on commission (account_id, updated_at, id) include (state)',
  'create index commission_affiliate on commission (affiliate_id, id)',
  'create index commission_campaign on commission (campaign_id, id)',
  'create index commission_referral on commission (referral_id, id) where referral_id is not null',
  'create index commission_adjusts on commission (adjusts_commission_id) where adjusts_commission_id is not null',
  `create index commission_suspicious on commission (account_id, id) where review_status = 'suspicious'`,
  `create index commission_suspicious_affiliate on commission (affiliate_id) where review_status = 'suspicious'`,
  'create index commission_test_mode on commission (account_id, id) where not livemode',
  'create index commission_without_sale on commission (account_id, created_at) where sale_id is null',
  `create index commission_pending_due on commission (due_at) include (affiliate_id) where state = 'pending'`,
  `create index commission_pending on commission (account_id, affiliate_id, due_at) where state = 'pending'`,
  // A sale has one current commission, and any number of adjustments and superseded commissions.
  `create unique index commission_one_of_sale on commission (sale_id, (case when kind in ('sale', 'imported') and not superseded then '' else id end))`,
  ...refusesRows('commission', {
    commission_state: `case @state
      when 'pending' then @paid_at is null and @voided_at is null
      when 'due' then @paid_at is null and @voided_at is null
      when 'paid' then @paid_at is not null and @voided_at is null
      when 'voided' then @voided_at is not null
      else false end`,
    commission_source: `case @kind
      when 'sale' then @sale_id is not null and @referral_id is not null and @rule_id is null
      when 'bonus' then @sale_id is not null and @referral_id is not null and @rule_id is not null
      when 'lead' then @sale_id is null and @referral_id is not null and @rule_id is not null
      when 'milestone' then @sale_id is null and @referral_id is null and @rule_id is not null and @milestone_times is not null
      when 'manual' then @sale_id is null and @referral_id is null and @note is not null and @created_by is not null
      when 'imported' then @imported_cents is not null and @rule_id is null
      when 'adjustment' then @adjusts_commission_id is not null
      else false end`,
    commission_review_status: `@review_status in ('suspicious', 'approved')`,
  }),
  ...holdsMerchantData('commission'),
  keepsUpdatedAt('commission'),

  // Counts of commissions by account, state, mode and day of their last change, so that lists need not count commissions. `commission_count_change` holds
  // changes that have not been added to these counts yet. They have no foreign key to their account, because checking it for each commission costs too much.
  `create table commission_count (
    account_id text collate "C" not null references account on delete cascade,
    day date not null,
    state text not null,
    livemode boolean not null,
    n bigint not null,
    primary key (account_id, state, livemode, day) include (n)
  )`,

  `create table commission_count_change (
    account_id text collate "C" not null,
    day date not null,
    state text not null,
    livemode boolean not null,
    n bigint not null
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  'create index commission_count_change_account on commission_count_change (account_id)',
  ...deletedWithAccount('commission_count_change'),

  ...Object.entries(COUNTING).flatMap(([event, { rows, changes }]) => [
    `create function count_commissions_after_${event}() returns trigger language plpgsql as $$ begin
      insert into commission_count_change (account_id, day, state, livemode, n) ${changes};
      return null;
    end $$`,
    `create trigger commission_counted_after_${event} after ${event} on commission referencing ${rows}
      for each statement execute function count_commissions_after_${event}()`,
  ]),

  // Callers see "open" as "due" or "pending", depending on whether the payout is payable now. This is computed, never stored.
  `create table payout (
    ${RECORD},
    affiliate_id text collate "C" not null references affiliate,
    currency text not null,
    status text not null check (status in ('open', 'processing', 'paid', 'returned')),
    amount_cents bigint not null,
    commissions_count integer not null,
    payment_reference text,
    paid_at timestamptz(3),
    livemode boolean not null default true,
    returned_at timestamptz(3),
    return_reason text,
    external_id text,
    metadata jsonb not null default '{}',
    ${TIMES},
    constraint payout_paid_at check ((status in ('paid', 'returned')) = (paid_at is not null)),
    constraint payout_returned_at check ((status = 'returned') = (returned_at is not null))
  ) with (fillfactor = 70)`,
  'create index payout_list on payout (account_id, id)',
  'create index payout_updated on payout (account_id, updated_at, id) include (status)',
  'create index payout_affiliate on payout (affiliate_id, id)',
  'create index payout_reference on payout (account_id, payment_reference, id) where payment_reference is not null',
  `create index payout_processing on payout (account_id, id) where status = 'processing'`,
  `create index payout_paid on payout (account_id, paid_at) where status = 'paid'`,
  // Begins with the account, so that it also finds all open payouts of an account.
  `create index payout_debt on payout (affiliate_id) where status = 'open' and amount_cents < 0`,
  `create unique index payout_one_open on payout (account_id, affiliate_id, currency, livemode) where status = 'open'`,
  'create index payout_test_mode on payout (account_id, id) where not livemode',
  ...holdsMerchantData('payout'),
  keepsUpdatedAt('payout'),

  // Payout of a commission, at most one. A separate table, so that attaching commissions in bulk does not rewrite them.
  `create table payout_item (
    commission_id text collate "C" primary key references commission,
    payout_id text collate "C" not null references payout
  )`,
  'create index payout_item_payout on payout_item (payout_id)',

  // The commissions of payouts whose transfer was returned.
  `create table returned_payout_item (
    payout_id text collate "C" not null references payout,
    commission_id text collate "C" not null references commission,
    amount_cents bigint not null,
    primary key (payout_id, commission_id)
  )`,
  'create index returned_payout_item_commission on returned_payout_item (commission_id)',

  // The ids that were last written into the metadata of a record of the payment provider.
  `create table psp_metadata (
    account_id text collate "C" not null references account on delete cascade,
    psp_object_id text not null,
    written jsonb not null,
    problem text,
    updated_at timestamptz(3) not null,
    primary key (account_id, psp_object_id)
  )`,
];
