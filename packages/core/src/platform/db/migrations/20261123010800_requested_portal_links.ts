import { OnlineMigration } from './online-migration.ts';

/** Lets requests for portal links use the table of password reset requests. */
export class RequestedPortalLinks extends OnlineMigration {
  readonly statements = ['alter table password_reset_request add column portal_account_id text collate "C"'];
}
