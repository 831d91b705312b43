import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Adds an index that finds an affiliate's first sale, for the affiliate's timeline. It replaces `sale_affiliate`. */
export class FirstSales extends IndexMigration {
  readonly indexes = {
    sale_affiliate_charged: 'on sale (affiliate_id, charged_at) where affiliate_id is not null',
  };
}

export class DropSalesOfAffiliates extends OnlineMigration {
  readonly statements = ['drop index sale_affiliate'];
}
