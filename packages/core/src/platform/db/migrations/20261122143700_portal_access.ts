import { OnlineMigration } from './online-migration.ts';

/** Adds tokens by which a merchant opens an affiliate's portal, for the affiliate (`link`) or for a member (`view`). */
export class PortalAccess extends OnlineMigration {
  readonly statements = [
    `create table portal_access (
      id text collate "C" primary key,
      account_id text collate "C" not null references account,
      affiliate_id text collate "C" not null references affiliate,
      kind text not null check (kind in ('link', 'view')),
      token_hash text not null,
      entered_at timestamptz(3),
      expires_at timestamptz(3) not null,
      created_at timestamptz(3) not null
    )`,
    'create unique index portal_access_token on portal_access (token_hash)',
    'create index portal_access_affiliate on portal_access (affiliate_id)',
    'create index portal_access_account on portal_access (account_id)',
    'create index portal_access_expires on portal_access (expires_at)',
  ];
}
