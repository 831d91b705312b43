import { MODE_OF_ACCOUNT } from './platform.ts';
/** Tables of the room `portal`. */
export const PORTAL = [
  // The terms of programs, and who accepted which version.
  `create table program_terms (
    account_id text collate "C" not null references account,
    version integer not null,
    body text not null,
    body_hash text not null,
    summary text,
    applies_from timestamptz(3) not null,
    published_at timestamptz(3) not null,
    primary key (account_id, version)
  )`,

  `create table terms_acceptance (
    affiliate_id text collate "C" not null references affiliate,
    version integer not null,
    account_id text collate "C" not null references account,
    body_hash text not null,
    client_address text not null,
    accepted_at timestamptz(3) not null,
    accepted_in text not null check (accepted_in in ('application', 'session', 'link', 'embed', 'mail')),
    primary key (affiliate_id, version)
  )`,
  'create index terms_acceptance_account on terms_acceptance (account_id)',

  // Applications whose email address is not confirmed yet.
  `create table application (
    id text collate "C" primary key,
    account_id text collate "C" not null references account,
    campaign_id text collate "C" not null references campaign,
    email text not null,
    first_name text,
    last_name text,
    terms_version integer,
    client_address text not null,
    token_hash text not null,
    expires_at timestamptz(3) not null,
    answers jsonb not null default '[]',
    on_portal_host boolean not null default false,
    language text,
    link_code text,
    created_at timestamptz(3) not null
  )`,
  'create unique index application_token on application (token_hash)',
  'create index application_account on application (account_id)',
  'create index application_campaign on application (campaign_id)',
  'create index application_expires on application (expires_at)',

  // The answers of applicants, and the decision about them.
  `create table affiliate_application (
    affiliate_id text collate "C" primary key references affiliate,
    account_id text collate "C" not null references account,
    answers jsonb not null,
    note text,
    language text,
    link_code text,
    applied_at timestamptz(3) not null,
    decided_at timestamptz(3)
  )`,
  'create index affiliate_application_account on affiliate_application (account_id)',

  // Emails sent to affiliates, so that each is sent once.
  `create table affiliate_notice (
    affiliate_id text collate "C" not null references affiliate,
    mail text not null,
    occasion text not null,
    account_id text collate "C" not null references account,
    created_at timestamptz(3) not null,
    primary key (affiliate_id, mail, occasion)
  )`,
  'create index affiliate_notice_account on affiliate_notice (account_id)',
  `create index affiliate_notice_digest_age on affiliate_notice (created_at) where mail = 'commission_digest'`,

  // The day up to which digests for affiliates have been written.
  `create table digest_progress (
    account_id text collate "C" not null references account,
    digest text not null,
    until date not null,
    primary key (account_id, digest)
  )`,

  // Tokens that open an affiliate's portal: for the affiliate (`link`, `mail`), for a member (`view`), or on a site of the merchant (`embed`).
  `create table portal_access (
    id text collate "C" primary key,
    account_id text collate "C" not null references account,
    affiliate_id text collate "C" not null references affiliate,
    kind text not null check (kind in ('link', 'view', 'embed', 'mail', 'key')),
    token_hash text not null,
    entered_at timestamptz(3),
    expires_at timestamptz(3) not null,
    email text,
    viewer_user_id text collate "C",
    created_at timestamptz(3) not null
  )`,
  'create unique index portal_access_token on portal_access (token_hash)',
  'create index portal_access_affiliate on portal_access (affiliate_id)',
  'create index portal_access_account on portal_access (account_id)',
  'create index portal_access_expires on portal_access (expires_at)',

  // Files that a merchant provides to affiliates.
  `create table asset (
    id text collate "C" primary key,
    account_id text collate "C" not null references account,
    ${MODE_OF_ACCOUNT},
    name text not null,
    description text,
    content_type text not null,
    size_bytes integer not null,
    file_id uuid not null,
    created_at timestamptz(3) not null
  )`,
  'create index asset_account on asset (account_id, id)',

  // Affiliates' requests to change their email address.
  `create table email_change (
    affiliate_id text collate "C" primary key references affiliate,
    account_id text collate "C" not null references account,
    former_email text not null,
    new_email text not null,
    former_token_hash text,
    new_token_hash text,
    expires_at timestamptz(3) not null,
    user_id text collate "C"
  )`,
  'create unique index email_change_former_token on email_change (former_token_hash)',
  'create unique index email_change_new_token on email_change (new_token_hash)',
  'create index email_change_account on email_change (account_id)',
  'create index email_change_expires on email_change (expires_at)',
];
