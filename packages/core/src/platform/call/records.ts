import type { EntityClass } from '@mikro-orm/core';
import { LockMode } from '@mikro-orm/core';
import type { Ctx, WriteCtx } from './context.ts';
import { invalid, notFound } from '../errors/errors.ts';
import { takeTime } from './take-time.ts';

interface AccountRecord {
  id: string;
  account_id: string;
}

/** Name of an entity for error messages: "campaign", "api key". */
function nameOf(entity: EntityClass<AccountRecord>): string {
  return entity.name.replaceAll(/(?<=.)([A-Z])/g, ' $1').toLowerCase();
}

/**
 * Loads a record of the caller's account and locks its row until the transaction ends. The time of the change is taken afterwards.
 *
 * @throws NOT_FOUND when it does not exist or belongs to another account; the caller cannot tell the two apart
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
 * @throws VALIDATION_ERROR naming the field when the record does not exist or belongs to another account
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

/** A record that this transaction has loaded, or else loads now. The caller has taken its id from a record of the account. */
export async function known<Entity extends AccountRecord>(
  { em }: Pick<WriteCtx, 'em'>,
  entity: EntityClass<Entity>,
  id: string,
): Promise<Entity> {
  // `findOne` prepares a whole query before it looks there.
  const loaded = em.getUnitOfWork().getById(entity as EntityClass<AccountRecord>, id);
  return (loaded ?? (await em.findOneOrFail(entity as EntityClass<AccountRecord>, { id }))) as Entity;
}

/** Returns the row of a read by id. Throws NOT_FOUND when there is none. */
export function foundOrThrow<Row>(row: Row | undefined | null, what: string): Row {
  if (row === undefined || row === null) throw notFound(what);
  return row;
}

/** The columns that every new record starts with: id, account, and the time of the call. */
export function newRecordColumns(ctx: Ctx, id: string) {
  return { id, account_id: ctx.accountId, created_at: ctx.now, updated_at: ctx.now };
}
