import { OnlineMigration } from './online-migration.ts';

/** Adds facts about mailed links that determine what a link gives access to. */
export class MailedProofs extends OnlineMigration {
  readonly statements = [
    'alter table email_change add column user_id text collate "C"',
    'alter table application add column on_portal_host boolean not null default false',
    'alter table portal_access add column email text',
  ];
}
