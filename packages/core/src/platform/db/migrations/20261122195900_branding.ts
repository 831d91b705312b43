import { OnlineMigration } from './online-migration.ts';

/** Adds the name, color and logo that an account shows to its affiliates. */
export class Branding extends OnlineMigration {
  readonly statements = [
    'alter table account add column brand_name text, add column brand_color text, add column logo_hash text',
    `create table account_logo (
      account_id text collate "C" primary key references account,
      content_type text not null,
      content bytea not null
    )`,
  ];
}
