import { IndexMigration } from './online-migration.ts';

/**
 * Adds indexes for reads that scanned a table: sales of an affiliate or a customer, links of a campaign, commissions and payouts
 * by `updated_since`, and accounts to delete.
 */
export class MissingIndexes extends IndexMigration {
  readonly indexes = {
    sale_affiliate: 'on sale (affiliate_id) where affiliate_id is not null',
    sale_customer: 'on sale (customer_id) where customer_id is not null',
    link_campaign: 'on link (campaign_id)',
    commission_updated: 'on commission (account_id, updated_at)',
    payout_updated: 'on payout (account_id, updated_at)',
    account_deletion: 'on account (deletion_scheduled_at) where deletion_scheduled_at is not null',
  };
}
