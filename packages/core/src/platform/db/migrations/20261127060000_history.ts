import { OnlineMigration } from './online-migration.ts';

/**
 * Adds the history of what decides about sales: the former states of affiliates, terms of campaigns and deactivations of referrals. A sale is decided
 * by what was in force when it was charged. The claims that were passed over need not be stored with a sale any more.
 */
export class History extends OnlineMigration {
  readonly statements = [
    'alter table affiliate add column standing_changed_at timestamptz(3)',
    'alter table campaign add column terms_changed_at timestamptz(3)',
    'alter table referral add column reactivated_at timestamptz(3)',
    'alter table sale add column reconsidered_at timestamptz(3), drop column passed_over',
    `create table affiliate_standing (
      affiliate_id text not null references affiliate (id) on delete cascade,
      until timestamptz(3) not null,
      account_id text not null references account (id),
      state text not null,
      archived boolean not null,
      primary key (affiliate_id, until)
    )`,
    `create table campaign_terms (
      campaign_id text not null references campaign (id) on delete cascade,
      until timestamptz(3) not null,
      account_id text not null references account (id),
      archived boolean not null,
      commission_basis_points integer,
      commission_amount_cents bigint,
      commission_amount_currency text,
      max_commissions integer,
      max_commission_period_months integer,
      days_until_commissions_are_due integer not null,
      primary key (campaign_id, until)
    )`,
    `create table referral_deactivation (
      referral_id text not null references referral (id) on delete cascade,
      until timestamptz(3) not null,
      account_id text not null references account (id),
      deactivated_at timestamptz(3) not null,
      primary key (referral_id, until)
    )`,
  ];
}
