import type { EntityClass } from '@mikro-orm/core';
import type { Em } from './database.ts';

interface EntityColumns<Entity> {
  /** SQL: the columns of the table with this alias, for a `select` that other entities share. */
  columns: string;
  /** The entity of a row, as it is in the row even if it was loaded before. Null when the row has none. */
  entityOf: (row: Readonly<Record<string, unknown>>) => Entity | null;
}

/** The columns of a table as a `select` names them: `text` is the SQL, `aliases` are their names in its rows. */
interface Selection {
  text: string;
  names: readonly string[];
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
  const { text, names, aliases } = selectionOf(em, entity, alias);
  const idAt = aliases[names.indexOf('id')]!;
  return {
    columns: text,
    entityOf: (row) => {
      if (row[idAt] === null) return null;
      const values: Record<string, unknown> = {};
      for (const [index, name] of names.entries()) values[name] = row[aliases[index]!];
      const data = em.getDriver().mapResult<Entity>(values as never, em.getMetadata().get(entity));
      // As `find` does with its rows.
      return em
        .getEntityFactory()
        .create(entity, data as never, { merge: true, refresh: true, convertCustomTypes: true }) as Entity;
    },
  };
}

function selectionOf(em: Em, entity: EntityClass<object>, alias: string): Selection {
  let known = selections.get(entity);
  if (known === undefined) selections.set(entity, (known = new Map()));
  let selection = known.get(alias);
  if (selection === undefined) {
    const names = em
      .getMetadata()
      .get(entity)
      .props.flatMap(({ persist, fieldNames }) => (persist === false ? [] : fieldNames));
    const aliases = names.map((name) => `${alias}.${name}`);
    selection = { text: names.map((name, index) => `"${alias}"."${name}" as "${aliases[index]}"`).join(', '), names, aliases };
    known.set(alias, selection);
  }
  return selection;
}
