import type { AnyEntity, EntityMetadata, EntityName } from '@mikro-orm/core';
import { helper } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import { executeDirectly } from './direct-statements.ts';
import { insertText, isAsStored, propertiesOf, setProperties } from './plain-records.ts';
import type { Tables } from './tables.ts';

/**
 * An entity manager that does less work per record and flush than the ORM's own.
 *
 * The original walks all relations of all records several times at each flush, visits all properties of each created or loaded record four
 * times, and builds each statement anew. That takes as long as the rest of a small mutation.
 *
 * Here, a new record is inserted by a statement with a fixed text, whose result is not awaited. A flush ends after the inserts if no loaded
 * record has changed. Records are inserted in the order of their creation, so a record must be created before the records that reference it.
 */
export class DirectEntityManager extends EntityManager {
  /** Creates the entity manager of one transaction. Replaces `fork`, which also sets environment variables of the process. */
  forTransaction(): DirectEntityManager {
    const own = new DirectEntityManager(this.config, this.getDriver(), this.getMetadata(), false, this.getEventManager());
    own.loggerContext = {};
    return own;
  }

  /** Creates a record for insertion. With `options`, or outside a transaction, calls the ORM's original method. */
  override create(entityName: EntityName<object>, data: object, options?: object): never {
    if (options !== undefined || !this.isInTransaction())
      return super.create(entityName, data as never, options as never) as never;
    const meta = this.getMetadata().get(entityName);
    const entity = new (meta.class as new () => AnyEntity)();
    setProperties(meta, entity, data as Record<string, unknown>);
    this.persist(entity);
    return entity as never;
  }

  /**
   * Returns the entity of a row. If the entity was loaded before, it is updated from the row, and its unflushed changes are lost.
   *
   * @param names names of the entity's columns in the row, in the order of its properties
   */
  load<Entity extends object>(
    meta: EntityMetadata<Entity>,
    row: Readonly<Record<string, unknown>>,
    names: readonly string[],
  ): Entity {
    const properties = propertiesOf(meta).names;
    const work = this.getUnitOfWork();
    const id = row[names[properties.indexOf('id')]!];
    const entity = (work.getById(meta.class, id as never) ?? Object.create(meta.prototype)) as Entity;
    for (let index = 0; index < names.length; index += 1)
      (entity as Record<string, unknown>)[properties[index]!] = row[names[index]!];
    work.register(entity);
    this.#noteStored(meta, entity, this.getComparator().prepareEntity(entity));
    return entity;
  }

  /**
   * Inserts new records and writes changed ones. Outside a transaction, or if there are records to remove, calls the ORM's original method.
   */
  override async flush(): Promise<void> {
    const work = this.getUnitOfWork();
    if (!this.isInTransaction() || work.getRemoveStack().size > 0) return super.flush();
    const created = [...work.getPersistStack()].filter(isNewWithId);
    const hasChanges = work.getPersistStack().size > created.length || this.#hasChanges();
    for (const entity of created) {
      const row = this.getComparator().prepareEntity(entity);
      const { __meta: meta } = helper(entity);
      const text = insertText(meta, row);
      await executeDirectly(this.getKysely<Tables>(), CompiledQuery.raw(text, Object.values(row)));
      work.getPersistStack().delete(entity);
      this.#noteStored(meta, entity, row);
    }
    if (hasChanges) return super.flush();
    work.clearActionsQueue();
  }

  /** Tells the ORM that `row` is the stored state of the record, so that later flushes find changes. */
  #noteStored(meta: EntityMetadata, entity: object, row: object): void {
    const wrapped = helper(entity as AnyEntity);
    wrapped.__managed = true;
    wrapped.__initialized = true;
    wrapped.__em ??= this;
    wrapped.__originalEntityData = row as never;
    const { all } = propertiesOf(meta);
    if (Object.keys(row).length === all.size) wrapped.__loadedProperties = all;
    else for (const name in row) wrapped.__loadedProperties.add(name);
  }

  #hasChanges(): boolean {
    const comparator = this.getComparator();
    for (const entity of this.getUnitOfWork().getIdentityMap()) {
      const { __originalEntityData: original, __meta: meta } = helper(entity);
      if (original === undefined || isAsStored(meta, entity, original)) continue;
      for (const _change in comparator.diffEntities(meta.class, original, comparator.prepareEntity(entity))) return true;
    }
    return false;
  }
}

function isNewWithId(entity: AnyEntity): boolean {
  const wrapped = helper(entity);
  return wrapped.__originalEntityData === undefined && wrapped.hasPrimaryKey();
}
