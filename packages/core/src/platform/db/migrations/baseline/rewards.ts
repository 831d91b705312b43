import { MODE_OF_ACCOUNT, RECORD, TIMES, keepsUpdatedAt } from './platform.ts';

/** Tables of the room `rewards`. */
export const REWARDS = [
  `create table reward_rule (
    ${RECORD},
    ${MODE_OF_ACCOUNT},
    campaign_id text collate "C" not null references campaign,
    affiliate_id text collate "C" references affiliate,
    link_id text collate "C" references link,
    name text not null,
    event text not null check (event in ('sale', 'lead', 'milestone')),
    position integer not null,
    "when" jsonb not null,
    reward jsonb not null,
    apply text not null check (apply in ('instead', 'on_top')),
    cap jsonb,
    milestone jsonb,
    hold_days integer,
    "from" timestamptz(3),
    until timestamptz(3),
    version integer not null,
    changed_at timestamptz(3) not null,
    ended_at timestamptz(3),
    ${TIMES},
    check ((event = 'milestone') = (milestone is not null))
  )`,
  'create index reward_rule_list on reward_rule (account_id, campaign_id, position)',
  'create index reward_rule_updated on reward_rule (account_id, updated_at, id)',
  'create index reward_rule_affiliate on reward_rule (affiliate_id) where affiliate_id is not null',
  'create index reward_rule_link on reward_rule (link_id) where link_id is not null',
  keepsUpdatedAt('reward_rule'),

  // Versions are only added: a sale earns by the versions that were in force at its charge.
  `create table reward_rule_version (
    rule_id text collate "C" not null references reward_rule on delete cascade,
    version integer not null,
    account_id text collate "C" not null references account on delete cascade,
    campaign_id text collate "C" not null,
    affiliate_id text collate "C",
    link_id text collate "C",
    in_force_from timestamptz(3) not null,
    event text not null,
    position integer not null,
    "when" jsonb not null,
    reward jsonb not null,
    apply text not null,
    cap jsonb,
    milestone jsonb,
    hold_days integer,
    "from" timestamptz(3),
    until timestamptz(3),
    ended boolean not null,
    primary key (rule_id, version)
  )`,
  // The state of the rules of a campaign. Every change of a rule replaces `revision`, so that processes keep the rules in memory by it.
  `create table reward_revision (
    campaign_id text collate "C" primary key references campaign on delete cascade,
    account_id text collate "C" not null references account on delete cascade,
    revision uuid not null
  )`,
  `create table tier (
    ${RECORD},
    ${MODE_OF_ACCOUNT},
    campaign_id text collate "C" not null references campaign,
    name text not null,
    metric text not null check (metric in ('customers', 'sales', 'revenue')),
    currency text,
    "window" text not null check ("window" in ('ever', 'month', 'quarter')),
    "from" bigint not null check ("from" > 0),
    ended_at timestamptz(3),
    ${TIMES},
    check ((metric = 'revenue') = (currency is not null))
  )`,
  'create index tier_campaign on tier (campaign_id)',
  'create index tier_list on tier (account_id, id)',
  'create index tier_updated on tier (account_id, updated_at, id)',
  keepsUpdatedAt('tier'),
  // The periods in which affiliates have tiers, as far as they are known. Which tier decides about a sale is counted anew.
  `create table affiliate_tier (
    affiliate_id text collate "C" not null references affiliate on delete cascade,
    tier_id text collate "C" not null references tier on delete cascade,
    since timestamptz(3) not null,
    until timestamptz(3),
    account_id text collate "C" not null references account on delete cascade,
    campaign_id text collate "C" not null references campaign,
    primary key (affiliate_id, tier_id, since),
    check (until > since)
  )`,
  'create index affiliate_tier_tier on affiliate_tier (tier_id)',
  'create index affiliate_tier_campaign on affiliate_tier (campaign_id) where until is null',
  // Campaigns with tiers, and the time up to which their tiers are settled.
  `create table tier_schedule (
    campaign_id text collate "C" primary key references campaign on delete cascade,
    account_id text collate "C" not null references account on delete cascade,
    due_from timestamptz(3) not null
  )`,
  'create index tier_schedule_due on tier_schedule (due_from)',
  // Affiliates whose tiers may have changed from a time on.
  `create table tier_check (
    affiliate_id text collate "C" not null references affiliate on delete cascade,
    campaign_id text collate "C" not null references campaign on delete cascade,
    account_id text collate "C" not null references account on delete cascade,
    due_from timestamptz(3) not null,
    unsettled_since timestamptz(3) not null,
    primary key (affiliate_id, campaign_id)
  )`,
  'create index tier_check_campaign on tier_check (campaign_id)',
  'create index reward_rule_version_campaign on reward_rule_version (campaign_id, rule_id, version desc)',
];
