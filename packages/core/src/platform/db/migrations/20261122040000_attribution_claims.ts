import { OnlineMigration } from './online-migration.ts';

/**
 * Adds the table of claims: facts that tie customers to affiliates. Because they are stored, attribution does not depend on the order in
 * which they arrive.
 */
export class AttributionClaims extends OnlineMigration {
  readonly statements = [
    `create table attribution_claim (
      id text collate "C" primary key,
      account_id text collate "C" not null references account on delete cascade,
      customer_id text collate "C" not null references customer,
      kind text not null check (kind in ('link', 'code')),
      referral_id text collate "C" references referral,
      affiliate_id text collate "C" not null references affiliate,
      campaign_id text collate "C" not null references campaign,
      code text,
      psp_promotion_code_id text,
      sale_id text collate "C" references sale,
      claimed_from timestamptz(3) not null,
      source text not null,
      created_at timestamptz(3) not null,
      unique (customer_id, source),
      check (kind = 'code' or referral_id is not null)
    )`,
    'create index attribution_claim_referral on attribution_claim (referral_id) where referral_id is not null',
    'create index attribution_claim_sale on attribution_claim (sale_id) where sale_id is not null',
    'alter table sale add column named_referral_id text collate "C"',
    'alter table commission add column superseded boolean not null default false',
    `alter table campaign add column attribution text not null default 'first_click'`,
    'alter table account add column code_before_link boolean not null default false',
  ];
}
