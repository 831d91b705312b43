import { OnlineMigration } from './online-migration.ts';

/** Facts about mailed links that decide what they open. */
export class MailedProofs extends OnlineMigration {
  readonly statements = [
    'alter table email_change add column user_id text collate "C"',
    'alter table application add column on_portal_host boolean not null default false',
    'alter table portal_access add column email text',
  ];
}
