import { IndexMigration, OnlineMigration } from './online-migration.ts';

/**
 * Adds the slug of each account's sign-up pages, the terms of its program, and applications whose email address is not confirmed yet.
 */
export class Applications extends OnlineMigration {
  readonly statements = [
    `alter table account add column slug text, add column support_email text,
      add column approval text not null default 'manual'`,
    `update account set slug = coalesce(nullif(made.slug, ''), 'program') || case when made.rank = 1 and made.slug <> '' then '' else '-' || right(account.id, 8) end
      from (
        select id, slug, row_number() over (partition by slug order by id) as rank
        from (select id, trim(both '-' from left(regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g'), 60)) as slug from account) named
      ) made where made.id = account.id`,
    `create table program_terms (
      account_id text collate "C" not null references account,
      version integer not null,
      body text not null,
      body_hash text not null,
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
      primary key (affiliate_id, version)
    )`,
    'create index terms_acceptance_account on terms_acceptance (account_id)',
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
      created_at timestamptz(3) not null
    )`,
    'create unique index application_token on application (token_hash)',
    'create index application_account on application (account_id)',
    'create index application_campaign on application (campaign_id)',
    'create index application_expires on application (expires_at)',
  ];
}

/** Adds a unique index on the slugs of accounts, so that a slug identifies one account. */
export class AccountSlugs extends IndexMigration {
  readonly indexes = { account_slug: 'unique on account (slug)' };
}
