import type { EntityClass } from '@mikro-orm/core';
import type { Em } from './database.ts';
import type { DirectEntityManager } from './direct-writes.ts';
import { propertiesOf } from './plain-records.ts';

interface EntityColumns<Entity> {
  /** SQL: the columns of the table with this alias, for a `select` that other entities share. */
  columns: string;
  /** The entity of a row, as it is in the row even if it was loaded before. Null when the row has none. */
  entityOf: (row: Readonly<Record<string, unknown>>) => Entity | null;
}

/** The columns of a table as a `select` names them: `text` is the SQL, `aliases` are their names in its rows, in the order of the properties. */
interface Selection {
  text: string;
  idAt: string;
  aliases: readonly string[];
}

/** By entity and alias. */
const selections = new WeakMap<EntityClass<object>, Map<string, Selection>>();

/** Lets one statement load several entities: `columns` go into its `select`, and `entityOf` reads them. Unflushed changes would be lost. */
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
