import { OnlineMigration } from './online-migration.ts';

/**
 * Adds clicks as records, partitioned by day. Clicks have no foreign keys, because checking them would cost several look-ups per click. A
 * click may therefore outlive its referral. The default partition stores clicks of days without a partition.
 */
export class Clicks extends OnlineMigration {
  readonly statements = [
    `create table click (
      day date not null,
      at timestamptz(3) not null,
      account_id text collate "C" not null,
      link_id text collate "C" not null,
      affiliate_id text collate "C" not null,
      campaign_id text collate "C" not null,
      referral_id text collate "C",
      rule text,
      bot_reason text,
      is_unique boolean not null,
      visitor_key bytea not null,
      referrer_host text,
      referrer_path text,
      landing_path text,
      utm_source text,
      utm_medium text,
      utm_campaign text,
      utm_term text,
      utm_content text,
      sub1 text,
      sub2 text,
      sub3 text,
      sub4 text,
      sub5 text,
      device text,
      browser text,
      os text,
      language text,
      country text
    ) partition by range (day)`,
    'create index click_account on click (account_id, at)',
    'create index click_visitor on click (link_id, visitor_key)',
    'create index click_referral on click (referral_id) where referral_id is not null',
    'create table click_default partition of click default',
  ];
}
