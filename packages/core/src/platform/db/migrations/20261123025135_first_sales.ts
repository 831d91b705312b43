import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** The timeline of an affiliate begins with the first sale. This index finds it, and serves everything that `sale_affiliate` served. */
export class FirstSales extends IndexMigration {
  readonly indexes = {
    sale_affiliate_charged: 'on sale (affiliate_id, charged_at) where affiliate_id is not null',
  };
}

export class DropSalesOfAffiliates extends OnlineMigration {
  readonly statements = ['drop index sale_affiliate'];
}
