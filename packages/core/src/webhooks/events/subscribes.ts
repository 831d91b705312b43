import { type RawBuilder, sql } from 'kysely';

/** SQL condition: the subscriptions (`text[]`) include the event type, by its name or by a pattern. See `typesOf`. */
export function subscribes(subscriptions: RawBuilder<unknown>, type: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${subscriptions} && array[${type}, split_part(${type}, '.', 1) || '.*', '*']`;
}
