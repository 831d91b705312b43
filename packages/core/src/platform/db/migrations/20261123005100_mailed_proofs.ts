import { OnlineMigration } from './online-migration.ts';

/**
 * Adds facts that limit what a mailed link can do: the user who requested an email change, whether a confirmation link
 * leads to a portal host, and the address to which a portal link was mailed.
 */
export class MailedProofs extends OnlineMigration {
  readonly statements = [
    'alter table email_change add column user_id text collate "C"',
    'alter table application add column on_portal_host boolean not null default false',
    'alter table portal_access add column email text',
  ];
}
