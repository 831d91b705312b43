import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** The character of a 5-bit number, in `new_id`. */
function base32(number: string): string {
  return `substr(alphabet, (${number}) + 1, 1)`;
}

/**
 * Ids in a third of the time. They are TypeIDs as before: 10 characters of milliseconds, version 7, a 12-bit counter that keeps ids of one
 * millisecond in the order they were made, variant and random bits: now 48 of them, because the hexadecimal digits of a random UUID are
 * characters of an id already. Those that hold its version and variant are left out.
 */
export class CheaperIds extends OnlineMigration {
  readonly statements = [
    `create or replace function new_id(prefix text, at timestamptz) returns text language plpgsql volatile as $$
    declare
      alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
      ms bigint := floor(extract(epoch from at) * 1000);
      counter int := nextval('id_counter');
      noise text := gen_random_uuid();
    begin
      return concat(prefix, '_',
        ${[9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((digit) => base32(`((ms >> ${5 * digit}) & 31)::int`)).join(', ')},
        ${base32('14 + (counter >> 11)')}, ${base32('(counter >> 6) & 31')}, ${base32('(counter >> 1) & 31')},
        ${base32('((counter & 1) << 4) + 8')}, left(noise, 8), right(noise, 4));
    end $$`,
  ];
}

/**
 * Commissions that fall due are found by affiliate. One index of sales takes the place of two: a sale has one commission at a time, beside its
 * adjustments and those that a late fact took away.
 */
export class IndexesOfBulkWork extends IndexMigration {
  readonly indexes = {
    commission_pending_due: `on commission (due_at) include (affiliate_id) where state = 'pending'`,
    commission_pending_of_affiliate: `on commission (affiliate_id, due_at) where state = 'pending'`,
    commission_one_of_sale: `unique on commission (sale_id, (case when kind = 'sale' and not superseded then '' else id end))`,
  };
}

export class DropFormerIndexes extends OnlineMigration {
  readonly statements = ['drop index commission_falling_due, commission_sale, commission_current_of_sale'];
}
