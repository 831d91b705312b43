import { OnlineMigration } from './online-migration.ts';

/** The member who looks at the portal of an affiliate, so that it closes when they leave the account. */
export class Viewers extends OnlineMigration {
  readonly statements = ['alter table portal_access add column viewer_user_id text collate "C"'];
}
