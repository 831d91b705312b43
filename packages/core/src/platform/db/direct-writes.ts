import { type AnyEntity, type EntityMetadata, helper } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import { WITHOUT_WAITING } from './prepared-statements.ts';

/**
 * The ORM's entity manager, with less work per flush. By itself, the ORM walks all relations of all records several times at each flush and
 * builds each statement anew, which takes as long as everything else that a small mutation does.
 *
 * A new record is inserted by one statement of a fixed text, for which nobody waits. A flush that finds no change of a loaded record ends
 * there.
 *
 * Records are inserted in the order of their creation, so one that others refer to is created before them.
 */
export class DirectEntityManager extends EntityManager {
  /** Outside a transaction, and with records to remove, it is the ORM's own. */
  override async flush(): Promise<void> {
    const work = this.getUnitOfWork();
    if (!this.isInTransaction() || work.getRemoveStack().size > 0) return super.flush();
    const created = [...work.getPersistStack()].filter(isNewWithId);
    const hasChanges = work.getPersistStack().size > created.length || this.#hasChanges();
    for (const entity of created) {
      const row = this.getComparator().prepareEntity(entity);
      const text = insertText(helper(entity).__meta, Object.keys(row));
      await this.getKysely().executeQuery(CompiledQuery.raw(text, Object.values(row)));
      work.getPersistStack().delete(entity);
      work.register(entity, row, { refresh: true });
    }
    if (hasChanges) return super.flush();
    work.clearActionsQueue();
  }

  #hasChanges(): boolean {
    const comparator = this.getComparator();
    for (const entity of this.getUnitOfWork().getIdentityMap()) {
      const { __originalEntityData: original, __meta: meta } = helper(entity);
      if (original === undefined) continue;
      for (const _change in comparator.diffEntities(meta.class, original, comparator.prepareEntity(entity))) return true;
    }
    return false;
  }
}

function isNewWithId(entity: AnyEntity): boolean {
  const wrapped = helper(entity);
  return wrapped.__originalEntityData === undefined && wrapped.hasPrimaryKey();
}

/** Texts by table and given columns. */
const texts = new Map<string, string>();

function insertText({ tableName, properties }: EntityMetadata<AnyEntity>, given: string[]): string {
  const key = `${tableName} ${given.join()}`;
  let text = texts.get(key);
  if (text === undefined) {
    const columns = given.map((name) => `"${properties[name]!.fieldNames[0]}"`);
    const places = given.map((_, index) => `$${index + 1}`);
    text = `${WITHOUT_WAITING} insert into "${tableName}" (${columns.join(', ')}) values (${places.join(', ')})`;
    texts.set(key, text);
  }
  return text;
}
