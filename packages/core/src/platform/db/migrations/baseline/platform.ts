const ALPHABET = Array.from('0123456789abcdefghjkmnpqrstvwxyz');

/** The bytes of every pair of base32 characters, as one number each, in the order of the ten bits that they stand for. */
const PAIRS = `'[0:1023]={${ALPHABET.flatMap((first) => ALPHABET.map((second) => first.charCodeAt(0) * 256 + second.charCodeAt(0))).join(',')}}'::bigint[]`;

/** Returns SQL for the eight base32 characters of four numbers of ten bits, as bytes. */
function base32(numbers: readonly string[]): string {
  const pairs = numbers.map((number, index) => `((${PAIRS})[(${number})::int] << ${16 * (3 - index)})`);
  return `int8send(${pairs.join(' | ')})`;
}

/** The columns with which most tables of records begin. */
export const RECORD = `id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade`;

/** The columns with which they end. */
export const TIMES = `created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null`;

/** The column with the mode of a record: true, unless its account is a test account. */
export const MODE_OF_ACCOUNT = String.raw`livemode boolean not null generated always as (account_id not like 'acct\_test\_%') stored`;

/** Functions of the room `platform`, which tables of all rooms use. */
export const PLATFORM_FUNCTIONS = [
  // `new_id` makes a TypeID from a UUIDv7 for rows that set-based statements create. Layout as in wire/ids.ts: 10 characters of milliseconds, version 7,
  // a 12-bit counter that keeps ids of one millisecond in the order of their creation, variant and 48 random bits.
  //
  // The body is one expression, because a loop in PL/pgSQL takes ten times as long. PL/pgSQL prepares the expression again in each transaction, so it
  // converts ten bits at once: it has half as many functions as one that converts five. `random()` takes a tenth of the time of a random UUID. It is
  // predictable, which is acceptable because ids are not secrets. The pairs are a constant in the expression, because a variable of the function would be
  // read from its text for every id.
  'create sequence id_counter minvalue 0 maxvalue 4095 cycle',
  `create function new_id(prefix text, at timestamptz) returns text language plpgsql volatile as $$
    declare
      ms bigint := floor(extract(epoch from at) * 1000);
      counter int := (14 << 15) + (nextval('id_counter')::int << 4) + 8;
      noise bigint := floor(random() * 1125899906842624);
    begin
      return prefix || '_' || encode(
        ${base32([40, 30, 20, 10].map((bits) => `(ms >> ${bits}) & 1023`))}
        || ${base32(['ms & 1023', 'counter >> 10', 'counter & 1023', 'noise & 1023'])}, 'escape')
        || lpad(to_hex(noise >> 10), 10, '0');
    end $$`,

  // An instant in wire format. Declared stable, because PostgreSQL does not inline an immutable function whose body is only stable, and `to_char` is
  // only stable. Inlining makes the function three times as fast.
  `create function wire_time(at timestamptz) returns text language sql stable parallel safe as
   $$ select to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$`,

  // Hashes of the pairs of a record, each with the account, so that an index on them reads only records of one account.
  `create function metadata_terms(account_id text, metadata jsonb) returns text[] language sql immutable parallel safe as
   $$ select array_agg(md5(concat_ws(chr(10), account_id, key, value))) from jsonb_each_text(metadata) $$`,

  // Keeps `updated_at` from running backwards when the clocks of processes differ (docs/rules/platform.md#time).
  `create function keep_updated_at() returns trigger language plpgsql as $$
     begin
       new.updated_at := old.updated_at;
       return new;
     end $$`,
];

/** Returns the trigger that keeps `updated_at` of a table from running backwards. For tables that are polled with `updated_since`. */
export function keepsUpdatedAt(table: string): string {
  return `create trigger ${table}_updated_at before update on ${table} for each row
    when (new.updated_at < old.updated_at) execute function keep_updated_at()`;
}

/**
 * Returns the type of a column with a few possible words, for tables that get a row with many requests. PostgreSQL prepares the condition of a type
 * once per session, and parses that of a column for every statement that inserts.
 */
export function wordType(name: string, words: readonly string[]): string {
  return `create domain ${name} as text check (value in (${words.map((word) => `'${word}'`).join(', ')}))`;
}

/**
 * Returns triggers that refuse rows for which a condition is false, as constraints of the table would. For tables to which every sale adds rows:
 * PostgreSQL parses the text of a constraint for every statement that inserts, which took an eighth of its time for a sale. An expression of PL/pgSQL is
 * prepared once per session, and one query checks all rows of an update.
 *
 * @param conditions by the names of the constraints that they stand for, with `@` before each column
 */
export function refusesRows(table: string, conditions: Readonly<Record<string, string>>): string[] {
  const brokenOf = (row: string) => {
    const broken = Object.entries(conditions).map(([name, condition]) => `when (${condition}) is false then '${name}'`);
    return `case ${broken.join(' ').replaceAll('@', row)} end`;
  };
  const sought = {
    insert: `broken := ${brokenOf('new.')}`,
    update: `select broken_by into broken from (select ${brokenOf('')} as broken_by from new_rows) checked where broken_by is not null limit 1`,
  };
  const seen = { insert: 'for each row', update: 'referencing new table as new_rows for each statement' };
  return (['insert', 'update'] as const).flatMap((event) => [
    `create function refuse_${event}_of_${table}() returns trigger language plpgsql as $$
    declare broken text;
    begin
      ${sought[event]};
      if broken is not null then
        raise 'new row for relation "${table}" violates check "%"', broken
          using errcode = 'check_violation', table = '${table}', constraint = broken;
      end if;
      return null;
    end $$`,
    `create trigger ${table}_refused_after_${event} after ${event} on ${table} ${seen[event]} execute function refuse_${event}_of_${table}()`,
  ]);
}

/**
 * Returns the trigger that deletes the rows of an account from a table that references it without a foreign key (`unkeyed` in
 * `DeclaredTables`).
 */
export function deletedWithAccount(table: string): string[] {
  return [
    `create function delete_${table}_of_account() returns trigger language plpgsql as $$
  begin
    delete from ${table} where account_id = old.id;
    return null;
  end $$`,
    `create trigger account_deletes_${table} after delete on account for each row execute function delete_${table}_of_account()`,
  ];
}

/** Returns the index of the metadata of a table (`platform/wire/merchant-data.ts`). Records without metadata are not in it. */
export function holdsMetadata(table: string): string[] {
  return [`create index ${table}_metadata on ${table} using gin (metadata_terms(account_id, metadata)) where metadata <> '{}'`];
}

/**
 * Returns the indexes of a table with metadata and with ids of merchants.
 *
 * @param among condition on the records among which an id is unique
 */
export function holdsMerchantData(table: string, among?: string): string[] {
  return [
    ...holdsMetadata(table),
    `create unique index ${table}_external_id on ${table} (account_id, external_id)
      where external_id is not null${among === undefined ? '' : ` and ${among}`}`,
  ];
}

/** Tables of the room `platform`. They reference accounts. */
export const PLATFORM_TABLES = [
  // Responses to requests with an Idempotency-Key. Bodies are sealed, because some contain a secret that is shown only once. `finished` is false for a
  // request of several steps that has only begun.
  `create table idempotency_key (
    account_id text collate "C" not null references account on delete cascade,
    caller_id text collate "C" not null,
    key text not null,
    fingerprint text not null,
    status integer not null,
    sealed_body text not null,
    finished boolean not null default true,
    created_at timestamptz(3) not null,
    primary key (account_id, caller_id, key)
  )`,
  'create index idempotency_key_age on idempotency_key (created_at)',

  // Requests with API keys. Without foreign keys, because checking them for each request costs too much.
  `create table api_request (
    id text collate "C" primary key,
    account_id text collate "C" not null,
    key_id text collate "C" not null,
    method text not null,
    path text not null,
    status smallint not null,
    is_failure boolean not null,
    error_code text,
    request_id text not null,
    duration_ms real not null,
    count integer not null,
    created_at timestamptz(3) not null
  )`,
  'create index api_request_list on api_request (account_id, id)',
  'create index api_request_key on api_request (account_id, key_id, id)',
  ...deletedWithAccount('api_request'),

  // `caller_id` is not a foreign key, because the caller is a connector or an API key, and the entry outlives the caller.
  `create table audit_log (
    ${RECORD},
    caller_kind text not null,
    caller_id text collate "C" not null,
    tool text not null,
    action text not null,
    arguments jsonb not null,
    preview boolean not null,
    outcome text,
    request_id text not null,
    created_at timestamptz(3) not null,
    completed_at timestamptz(3),
    check ((outcome is null) = (completed_at is null))
  )`,
  'create index audit_log_list on audit_log (account_id, id)',
  'create index audit_log_caller on audit_log (account_id, caller_id, id)',
  'create index audit_log_action on audit_log (account_id, tool, action, id)',

  // The records that an entry concerns. Entries of one record are read in the order of the primary key.
  `create table audit_subject (
    account_id text collate "C" not null,
    subject_id text collate "C" not null,
    entry_id text collate "C" not null references audit_log on delete cascade,
    primary key (account_id, subject_id, entry_id)
  )`,
  'create index audit_subject_entry on audit_subject (entry_id)',

  // Emails that have not been sent yet. When an email has been sent, its row is deleted.
  `create table outgoing_mail (
    id text collate "C" primary key,
    account_id text collate "C" not null,
    kind text not null,
    is_urgent boolean not null,
    turn integer not null default 0,
    turn_names text[] not null default '{}',
    recipient text not null,
    host text not null,
    is_joined boolean not null,
    sealed_mail text not null,
    attempts integer not null,
    next_attempt_at timestamptz(3),
    last_error text,
    expires_at timestamptz(3) not null,
    created_at timestamptz(3) not null
  )`,
  'create index outgoing_mail_urgent on outgoing_mail (turn, next_attempt_at) where is_urgent',
  'create index outgoing_mail_turn on outgoing_mail (account_id, next_attempt_at, id) where not is_urgent',
  'create index outgoing_mail_host on outgoing_mail (host)',
  'create index outgoing_mail_recipient on outgoing_mail (recipient, kind, account_id)',
  'create index outgoing_mail_age on outgoing_mail (expires_at)',

  // Emails that were only written to the log, because there is no mail server. Owners of their account read them.
  `create table logged_mail (
    id text collate "C" primary key,
    account_id text collate "C" not null references account (id),
    recipient text not null,
    sealed_mail text not null,
    sent_at timestamptz(3) not null,
    expires_at timestamptz(3) not null
  )`,
  'create index logged_mail_account on logged_mail (account_id, id)',
  'create index logged_mail_age on logged_mail (expires_at)',

  // Hosts of recipients for which the mail server could not accept a message.
  `create table busy_mail_host (
    host text primary key,
    failures integer not null,
    busy_until timestamptz(3) not null
  )`,
  'create index busy_mail_host_age on busy_mail_host (busy_until)',

  // Emails of the last day, for the budgets of accounts and recipients. Recipients are hashes of their addresses.
  `create table posted_mail (
    id text collate "C" primary key,
    account_id text collate "C" not null,
    kind text not null,
    recipient text not null,
    posted_at timestamptz(3) not null
  )`,
  'create index posted_mail_recipient on posted_mail (recipient, kind, account_id, posted_at)',
  'create index posted_mail_account on posted_mail (account_id, kind, posted_at)',
  'create index posted_mail_age on posted_mail (posted_at)',

  // Addresses that get no messages, as hashes.
  `create table blocked_recipient (
    recipient text not null,
    reason text not null check (reason in ('no_such_recipient', 'complaint')),
    blocked_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    primary key (recipient, reason)
  )`,
  'create index blocked_recipient_age on blocked_recipient (expires_at)',
  // Recipients who complained, and whom an account mails again.
  `create table unblocked_recipient (
    account_id text collate "C" not null references account on delete cascade,
    recipient text not null,
    unblocked_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    primary key (account_id, recipient)
  )`,
  'create index unblocked_recipient_age on unblocked_recipient (expires_at)',

  // Files, in parts of 64 KiB, so that a part can be stored and read without the rest. Parts that belong to no record are named in `upload`.
  `create table file_part (
    file_id uuid not null,
    position integer not null,
    account_id text collate "C" not null references account,
    content bytea not null,
    primary key (file_id, position)
  )`,
  'alter table file_part alter content set storage external',
  'create index file_part_account on file_part (account_id)',
  `create table upload (
    file_id uuid primary key,
    account_id text collate "C" not null references account,
    created_at timestamptz(3) not null
  )`,
  'create index upload_account on upload (account_id)',

  // A check value by which a process detects a wrong SECRET_KEY. The first process to open the database writes it.
  `create table secret_key_check (
    id boolean primary key default true check (id),
    value text not null,
    set_at timestamptz(3) not null
  )`,

  // What an operator asks about the installation: the build that migrated the database last, and the last backup (packages/app/src/backup).
  `create table installation (
    id boolean primary key default true check (id),
    schema_build text,
    backup_at timestamptz(3),
    backup_bytes bigint
  )`,

  // The position in the write-ahead log after each account's latest change (platform/db/database.ts). The table is unlogged, so writing it needs no
  // flush. A crash or failover empties it. That is intended, because earlier positions may not apply afterwards.
  `create unlogged table account_write (
    account_id text collate "C" primary key references account,
    position pg_lsn not null
  ) with (fillfactor = 50)`,

  // Calls that assistants have previewed and may carry out once. The id is the token that the preview returned.
  `create table previewed_call (
    ${RECORD},
    caller_id text collate "C" not null,
    request_hash text not null,
    effect_hash text not null,
    expires_at timestamptz(3) not null
  )`,
  'create index previewed_call_of_caller on previewed_call (account_id, caller_id, expires_at)',
  'create index previewed_call_age on previewed_call (expires_at)',

  // The ledger of writes to systems outside. `input` is stored so that members can finish an operation on the pages.
  `create table operation (
    ${RECORD},
    caller_id text collate "C" not null,
    idempotency_key text,
    fingerprint text not null,
    kind text not null,
    subject text not null,
    state text not null check (state in ('pending', 'succeeded', 'failed')),
    attempt integer not null,
    leased_until timestamptz(3),
    response_status integer,
    response_body jsonb,
    input jsonb,
    ${TIMES},
    check ((state = 'succeeded') = (response_body is not null))
  )`,
  'create unique index operation_key on operation (account_id, caller_id, idempotency_key) where idempotency_key is not null',
  // While an operation is pending, no other operation with the same subject can start.
  `create unique index operation_open on operation (account_id, subject) where state = 'pending'`,
  'create index operation_purge on operation (updated_at)',
];
