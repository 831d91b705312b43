import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** A sale has one commission at a time: those that a late fact took away stay as records. */
export class CurrentCommissionOfSale extends IndexMigration {
  readonly indexes = { commission_current_of_sale: `unique on commission (sale_id) where kind = 'sale' and not superseded` };
}

export class DropCommissionOfSale extends OnlineMigration {
  readonly statements = ['drop index commission_of_sale'];
}
