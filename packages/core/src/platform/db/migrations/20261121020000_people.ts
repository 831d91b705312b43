import { Migration } from '@mikro-orm/migrations';

/** Adds sessions, invitations, and the queue of outgoing email. */
export class People extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  // Tables that the authentication library defines.
  `create table auth_session (
    id text collate "C" primary key,
    user_id text collate "C" not null references auth_user on delete cascade,
    token text not null unique,
    active_account_id text collate "C" references account on delete set null,
    ip_address text,
    user_agent text,
    expires_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create index auth_session_user on auth_session (user_id)`,
  `create index auth_session_age on auth_session (expires_at)`,
  `create table auth_verification (
    id text collate "C" primary key,
    identifier text not null,
    value text not null,
    expires_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create index auth_verification_identifier on auth_verification (identifier)`,

  // Number of attempts in a time window, per key. A key names the kind of attempt and who makes it. All processes share these counts.
  `create table auth_attempt (
    key text primary key,
    attempts integer not null,
    window_ends_at timestamptz(3) not null
  )`,
  `create index auth_attempt_age on auth_attempt (window_ends_at)`,

  `create table invitation (
    id text collate "C" primary key,
    account_id text collate "C" not null references account on delete cascade,
    kind text not null check (kind in ('member', 'affiliate')),
    email text not null,
    role text check (role in ('owner', 'admin', 'member')),
    campaign_id text collate "C" references campaign,
    status text not null check (status in ('pending', 'accepted', 'revoked')),
    token_hash text not null unique,
    invited_by_user_id text collate "C" references auth_user on delete set null,
    accepted_by_user_id text collate "C" references auth_user on delete set null,
    affiliate_id text collate "C" references affiliate on delete set null,
    expires_at timestamptz(3) not null,
    resent_at timestamptz(3),
    accepted_at timestamptz(3),
    revoked_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    check ((kind = 'member') = (role is not null)),
    check ((kind = 'affiliate') = (campaign_id is not null)),
    check ((status = 'accepted') = (accepted_at is not null)),
    check ((status = 'revoked') = (revoked_at is not null))
  )`,
  `create unique index invitation_one_pending on invitation (account_id, kind, lower(email)) where status = 'pending'`,
  `create index invitation_list on invitation (account_id, id)`,
  `create index invitation_email on invitation (lower(email)) where status = 'pending'`,

  // Emails that have not been sent yet. When an email has been sent, its row is deleted.
  `create table outgoing_mail (
    id text collate "C" primary key,
    sealed_mail text not null,
    attempts integer not null,
    next_attempt_at timestamptz(3),
    last_error text,
    expires_at timestamptz(3) not null,
    created_at timestamptz(3) not null
  )`,
  `create index outgoing_mail_due on outgoing_mail (next_attempt_at) where next_attempt_at is not null`,
  `create index outgoing_mail_age on outgoing_mail (expires_at)`,
];
