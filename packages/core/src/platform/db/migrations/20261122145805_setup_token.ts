import { OnlineMigration } from './online-migration.ts';

/** Adds links to the setup page of an installation without accounts. */
export class SetupTokens extends OnlineMigration {
  readonly statements = [
    `create table setup_token (
      token_hash text collate "C" primary key,
      expires_at timestamptz(3) not null
    )`,
  ];
}
