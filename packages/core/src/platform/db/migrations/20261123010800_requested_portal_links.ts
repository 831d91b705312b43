import { OnlineMigration } from './online-migration.ts';

/** Requests for links to portals wait in a table, too. */
export class RequestedPortalLinks extends OnlineMigration {
  readonly statements = ['alter table password_reset_request add column portal_account_id text collate "C"'];
}
