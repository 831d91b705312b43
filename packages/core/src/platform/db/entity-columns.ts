import type { EntityClass } from '@mikro-orm/core';
import type { Em } from './database.ts';
import type { DirectEntityManager } from './direct-writes.ts';
import { propertiesOf } from './plain-records.ts';

interface EntityColumns<Entity> {
  /** SQL: all columns of the table with the given alias, for a `select` that also reads other tables. */
  columns: string;
  /** Returns the entity in a row, or null if its columns are null. Overwrites the entity with the row even if it was loaded before. */
  entityOf: (row: Readonly<Record<string, unknown>>) => Entity | null;
}

/**
 * The columns of a table in a `select`. `text` is the SQL. `aliases` are the names of the columns in the result, in the order of the entity's
 * properties.
 */
interface Selection {
  text: string;
  idAt: string;
  aliases: readonly string[];
}

/** Cached selections by entity and alias. */
const selections = new WeakMap<EntityClass<object>, Map<string, Selection>>();

/**
 * Lets one statement load several entities: put `columns` into its `select`, and call `entityOf` with each row. Unflushed changes of an entity
 * are lost.
 */
export function entityColumns<Entity extends { id: string }>(
  em: Em,
  entity: EntityClass<Entity>,
  alias: string,
): EntityColumns<Entity> {
  const { text, idAt, aliases } = selectionOf(em, entity, alias);
  return {
    columns: text,
    entityOf: (row) => {
      return row[idAt] === null ? null : (em as DirectEntityManager).load(em.getMetadata().get(entity), row, aliases);
    },
  };
}

function selectionOf(em: Em, entity: EntityClass<object>, alias: string): Selection {
  let known = selections.get(entity);
  if (known === undefined) selections.set(entity, (known = new Map()));
  let selection = known.get(alias);
  if (selection === undefined) {
    const { names } = propertiesOf(em.getMetadata().get(entity));
    const aliases = names.map((name) => `${alias}.${name}`);
    const columns = names.map((name, index) => `"${alias}"."${name}" as "${aliases[index]}"`);
    selection = { text: columns.join(', '), idAt: aliases[names.indexOf('id')]!, aliases };
    known.set(alias, selection);
  }
  return selection;
}
