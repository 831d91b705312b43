import { OnlineMigration } from './online-migration.ts';

/** Returns SQL for the base32 character of a 5-bit number, for use in `new_id`. */
function base32(number: string): string {
  return `alphabet[(${number})::int + 1]`;
}

/**
 * Makes `new_id` twice as fast. The layout of its TypeIDs stays: 10 characters of milliseconds, version 7, a 12-bit counter that keeps ids of one
 * millisecond in the order of their creation, variant and 48 random bits.
 *
 * An array subscript takes a third of the time of `substr`. `random()` takes a tenth of the time of a random UUID, and each connection seeds it
 * separately. It is predictable, which is acceptable because ids are not secrets.
 */
export class CheaperEventIds extends OnlineMigration {
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
  ];
}

/**
 * Drops the foreign key of events to their account, because checking it for each event took up to a tenth of the time of a sweep. A trigger
 * deletes an account's events instead. This includes deletions by processes of the previous version, which find an account's tables by their
 * foreign keys.
 *
 * The lock statement takes the tables in the same order as every write, `account` first. Without it, `drop constraint` would lock `account`
 * exclusively after `event`, which could deadlock.
 */
export class EventsWithoutKey extends OnlineMigration {
  readonly statements = [
    'lock table account, event in access exclusive mode',
    `create function delete_events_of_account() returns trigger language plpgsql as $$
    begin
      delete from event where account_id = old.id;
      return null;
    end $$`,
    `create trigger account_deletes_events after delete on account for each row execute function delete_events_of_account()`,
    'alter table event drop constraint event_account_id_fkey',
  ];
}

/**
 * Drops the index on the time of events, because events are now purged by id, which begins with the time. Processes of the previous version still
 * purge by time: without the index, their purge reads the whole table until it times out, and deletes nothing.
 */
export class DropEventAge extends OnlineMigration {
  readonly statements = ['drop index event_age'];
}
