import { OnlineMigration } from './online-migration.ts';

/** Adds the member who views an affiliate's portal, so that the view ends when the member leaves the account. */
export class Viewers extends OnlineMigration {
  readonly statements = ['alter table portal_access add column viewer_user_id text collate "C"'];
}
