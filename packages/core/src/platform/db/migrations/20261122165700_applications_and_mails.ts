import { OnlineMigration } from './online-migration.ts';

/**
 * Adds questions for applicants and the answers to these questions, notes about applications, texts of emails to affiliates, and a record
 * of the emails sent.
 */
export class ApplicationsAndMails extends OnlineMigration {
  readonly statements = [
    `alter table account add column application_questions jsonb not null default '[]',
      add column approved_domains jsonb not null default '[]',
      add column rejected_domains jsonb not null default '[]'`,
    `alter table application add column answers jsonb not null default '[]'`,
    `alter table affiliate add column digest text not null default 'weekly'`,
    `create table affiliate_application (
      affiliate_id text collate "C" primary key references affiliate,
      account_id text collate "C" not null references account,
      answers jsonb not null,
      note text,
      applied_at timestamptz(3) not null,
      decided_at timestamptz(3)
    )`,
    'create index affiliate_application_account on affiliate_application (account_id)',
    `create table mail_template (
      account_id text collate "C" not null references account,
      mail text not null,
      subject text not null,
      body text not null,
      updated_at timestamptz(3) not null,
      primary key (account_id, mail)
    )`,
    `create table affiliate_notice (
      affiliate_id text collate "C" not null references affiliate,
      mail text not null,
      occasion text not null,
      account_id text collate "C" not null references account,
      created_at timestamptz(3) not null,
      primary key (affiliate_id, mail, occasion)
    )`,
    'create index affiliate_notice_account on affiliate_notice (account_id)',
    `create table digest_progress (
      account_id text collate "C" not null references account,
      digest text not null,
      until date not null,
      primary key (account_id, digest)
    )`,
  ];
}
