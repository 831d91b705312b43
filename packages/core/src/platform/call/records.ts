import type { EntityClass } from '@mikro-orm/core';
import { LockMode } from '@mikro-orm/core';
import type { Ctx, WriteCtx } from './context.ts';
import { invalid, notFound } from '../errors/errors.ts';
import { takeTime } from './take-time.ts';

interface AccountRecord {
  id: string;
  account_id: string;
}

/** Returns the name of an entity for error messages, e.g. "campaign" or "api key". */
function nameOf(entity: EntityClass<AccountRecord>): string {
  return entity.name.replaceAll(/(?<=.)([A-Z])/g, ' $1').toLowerCase();
}

/**
 * Loads a record of the caller's account and locks its row until the transaction ends. Then sets the time of the change.
 *
 * @throws NOT_FOUND if the record does not exist or is in another account; the caller cannot tell the two apart
 */
export async function loadForUpdate<Entity extends AccountRecord>(
  ctx: WriteCtx,
  entity: EntityClass<Entity>,
  id: string,
): Promise<Entity> {
  const found = await ctx.em.findOne(
    entity as EntityClass<AccountRecord>,
    { id, account_id: ctx.accountId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  if (!found) throw notFound(nameOf(entity));
  takeTime(ctx);
  return found as Entity;
}

/**
 * Loads a record of the caller's account that an input field refers to, without locking it.
 *
 * @param path the input field, for the error
 * @throws VALIDATION_ERROR naming the field if the record does not exist or is in another account
 */
export async function referenced<Entity extends AccountRecord>(
  ctx: WriteCtx,
  entity: EntityClass<Entity>,
  id: string,
  path: string,
): Promise<Entity> {
  const found = await ctx.em.findOne(entity as EntityClass<AccountRecord>, { id, account_id: ctx.accountId });
  if (!found) throw invalid(path, `No such ${nameOf(entity)}.`, 'not_found');
  return found as Entity;
}

/**
 * Returns a record that this transaction has already loaded, otherwise loads it. Does not check the account, so `id` must come
 * from a record of the account.
 */
export async function known<Entity extends AccountRecord>(
  { em }: Pick<WriteCtx, 'em'>,
  entity: EntityClass<Entity>,
  id: string,
): Promise<Entity> {
  // Looks among the loaded records first, because `findOne` builds a whole query before it looks there.
  const loaded = em.getUnitOfWork().getById(entity as EntityClass<AccountRecord>, id);
  return (loaded ?? (await em.findOneOrFail(entity as EntityClass<AccountRecord>, { id }))) as Entity;
}

/** Returns the row that a read by id found. Throws NOT_FOUND if there is no row. */
export function foundOrThrow<Row>(row: Row | undefined | null, what: string): Row {
  if (row === undefined || row === null) throw notFound(what);
  return row;
}

/** Returns the columns that every new record starts with: id, account, and the time of the call. */
export function newRecordColumns(ctx: Ctx, id: string) {
  return { id, account_id: ctx.accountId, created_at: ctx.now, updated_at: ctx.now };
}
