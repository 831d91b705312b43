import { Migration } from '@mikro-orm/migrations';

/** Adds connectors for AI assistants, the audit log, and indexes for the overview. */
export class Connectors extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `create table connector (
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
  `create index connector_list on connector (account_id, id)`,

  // `caller_id` is not a foreign key, because the caller is a connector or an API key, and the entry outlives the
  // caller.
  `create table audit_log (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
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
  `create index audit_log_list on audit_log (account_id, id)`,
  `create index audit_log_caller on audit_log (account_id, caller_id, id)`,

  `create index commission_suspicious on commission (account_id, id) where review_status = 'suspicious'`,
  `create index sale_charged on sale (account_id, charged_at)`,
];
