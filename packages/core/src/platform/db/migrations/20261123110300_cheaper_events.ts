import { OnlineMigration } from './online-migration.ts';

/** The character of a 5-bit number, in `new_id`. */
function base32(number: string): string {
  return `alphabet[(${number})::int + 1]`;
}

/**
 * Ids in half the time, as TypeIDs like before: 10 characters of milliseconds, version 7, a 12-bit counter that keeps ids of one millisecond in
 * the order they were made, variant and 48 random bits. The subscript of an array of characters takes a third of the time of `substr`, and
 * PostgreSQL's own generator, which each connection seeds by itself, a tenth of that of a UUID. Ids are no secrets.
 *
 * An event has no foreign key to its account any more: checking it took a tenth of the time of a sweep. Its row in `event_order`, or that of its
 * delivery, has one, so no event outlives its account (`delete-account-rows.ts`). Events are purged by their ids, which begin with the time.
 */
export class CheaperEvents extends OnlineMigration {
  readonly statements = [
    `create or replace function new_id(prefix text, at timestamptz) returns text language plpgsql volatile as $$
    declare
      alphabet constant "char"[] := '{${Array.from('0123456789abcdefghjkmnpqrstvwxyz').join(',')}}';
      ms bigint := floor(extract(epoch from at) * 1000);
      counter int := nextval('id_counter');
      noise bigint := floor(random() * 281474976710656);
    begin
      return concat(prefix, '_',
        ${[9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((digit) => base32(`(ms >> ${5 * digit}) & 31`)).join(', ')},
        ${base32('14 + (counter >> 11)')}, ${base32('(counter >> 6) & 31')}, ${base32('(counter >> 1) & 31')},
        ${base32('((counter & 1) << 4) + 8')}, lpad(to_hex(noise), 12, '0'));
    end $$`,
    'alter table event drop constraint event_account_id_fkey',
    'drop index event_age',
  ];
}
