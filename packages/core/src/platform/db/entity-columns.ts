import type { EntityClass, EntityMetadata } from '@mikro-orm/core';
import type { Em } from './database.ts';

interface EntityColumns<Entity> {
  /** SQL: the columns of the table with this alias, for a `select` that other entities share. */
  columns: string;
  /** The entity of a row, as it is in the row even if it was loaded before. Null when the row has none. */
  entityOf: (row: Readonly<Record<string, unknown>>) => Entity | null;
}

/** Lets one statement load several entities: `columns` go into its `select`, and `entityOf` reads them. Unflushed changes would be lost. */
export function entityColumns<Entity extends { id: string }>(
  em: Em,
  entity: EntityClass<Entity>,
  alias: string,
): EntityColumns<Entity> {
  const names = columnsOf(em.getMetadata().get(entity));
  return {
    columns: names.map((name) => `"${alias}"."${name}" as "${alias}.${name}"`).join(', '),
    entityOf: (row) => {
      if (row[`${alias}.id`] === null) return null;
      return em.map(entity, Object.fromEntries(names.map((name) => [name, row[`${alias}.${name}`]])) as never);
    },
  };
}

function columnsOf<Entity>(metadata: EntityMetadata<Entity>): string[] {
  return metadata.props.flatMap(({ persist, fieldNames }) => (persist === false ? [] : fieldNames));
}
