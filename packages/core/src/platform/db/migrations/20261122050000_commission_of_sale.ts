import { IndexMigration, OnlineMigration } from './online-migration.ts';

/**
 * Allows several commissions per sale, of which one is current. Commissions that were superseded by a late fact stay as
 * records.
 */
export class CurrentCommissionOfSale extends IndexMigration {
  readonly indexes = { commission_current_of_sale: `unique on commission (sale_id) where kind = 'sale' and not superseded` };
}

export class DropCommissionOfSale extends OnlineMigration {
  readonly statements = ['drop index commission_of_sale'];
}
