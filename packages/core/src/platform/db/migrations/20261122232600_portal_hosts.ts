import { OnlineMigration } from './online-migration.ts';

/** Adds portals under the merchant's own host name, and links to portals that are sent by email. */
export class PortalHosts extends OnlineMigration {
  readonly statements = [
    `create table portal_host (
      account_id text collate "C" primary key references account,
      host text not null,
      verified_at timestamptz(3),
      failure text,
      failing_since timestamptz(3),
      check_at timestamptz(3) not null,
      created_at timestamptz(3) not null
    )`,
    'create unique index portal_host_verified on portal_host (host) where verified_at is not null',
    'create index portal_host_check on portal_host (check_at)',
    'alter table portal_access drop constraint portal_access_kind_check',
    // Not validated: existing rows satisfy the constraint, because they have one of the kinds `link`, `view` and
    // `embed`.
    `alter table portal_access add constraint portal_access_kind_check check (kind in ('link', 'view', 'embed', 'mail')) not valid`,
  ];
}
