import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { callerId } from '../../platform/call/caller.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { foundOrThrow, insert, lockAll, newRecordColumns, save } from '../../platform/call/records.ts';
import { instant, modeOfAccount, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { Db } from '../../platform/db/database.ts';
import { jsonWord } from '../../platform/db/json-text.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { allOf, whenUpdated } from '../../platform/wire/filters.ts';
import { newId } from '../../platform/wire/ids.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, CREATED } from '../../webhooks/events/announced-record.ts';
import { accountText, addressText, hintOf, type PayoutAddress } from './payout-addresses.ts';
import { type ListPayoutMethods, PayoutMethodEventData, PayoutMethodRecord } from './payout-method.schema.ts';

export const PayoutMethod = defineEntity({
  name: 'PayoutMethod',
  tableName: 'payout_method',
  properties: {
    ...recordColumns,
    ...modeOfAccount,
    affiliate_id: p.string(),
    kind: p.string(),
    /** The address in the form of its kind, as sealed JSON (`PayoutAddress`). Null once the affiliate was erased. */
    sealed_address: p.string().strictNullable(),
    /** The part of the address that names the account, and its fingerprint, by which equal accounts are found (`accountText`). */
    sealed_account: p.string().strictNullable(),
    account_hash: p.string().strictNullable(),
    /** Enough of the address for its owner to recognize it. */
    hint: p.string(),
    /** Incremented by every change of the address. */
    version: p.integer(),
    /** Time of the last change of the address. */
    since: instant(),
    /** Id of the caller who set the address. */
    set_by: p.string(),
    /** Time at which the method was removed. An affiliate has at most one method of a kind that is not removed. */
    retired_at: instant().strictNullable(),
  },
});

/** A way in which an affiliate is paid. Methods change under the lock of their affiliate, and in this file only (docs/rules/payouts.md#payout-methods). */
export type PayoutMethod = Row<typeof PayoutMethod>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_method: InferKyselyTable<typeof PayoutMethod>;
  }
}

const RECORD = wireRecord(PayoutMethod, PayoutMethodRecord);
const EVENT_DATA = wireRecord(PayoutMethod, PayoutMethodEventData);

type State = PayoutMethodRecord['state'];

/** SQL expression: the state of a row of `payout_method` at a time. */
function stateAt(now: Instant): RawBuilder<State> {
  return sql`case
    when payout_method.retired_at is not null then 'retired'
    when (select payouts_held_until from affiliate where affiliate.id = payout_method.affiliate_id) > ${now}::timestamptz then 'held'
    else 'confirmed'
  end`;
}

export const ANNOUNCED_PAYOUT_METHOD: AnnouncedRecord = {
  table: PayoutMethod.meta.tableName,
  columns: EVENT_DATA.columns,
  record: (_db, now) => sql`select payout_method.*, ${stateAt(now)} as state from payout_method where id = change.id`,
  data: EVENT_DATA.json('record', { state: jsonWord(sql`record.state`) }),
  types: [['payout_method.created', CREATED]],
  updated: 'payout_method.updated',
};

/** Selects methods in their wire form. */
export function selectMethods(db: Pick<Db, 'selectFrom'>, now: Instant) {
  return db.selectFrom('payout_method').select(RECORD.columns).select(stateAt(now).as('state'));
}

/** Lists payout methods, newest first. */
export async function listPayoutMethods(ctx: Ctx, input: ListPayoutMethods): Promise<Page<PayoutMethodRecord>> {
  let query = ctx.db.selectFrom('payout_method').where('account_id', '=', ctx.accountId);
  if (input.affiliate_id !== undefined) query = query.where('affiliate_id', '=', input.affiliate_id);
  if (input.kind !== undefined) query = query.where('kind', '=', input.kind);
  if (!input.retired) query = query.where('retired_at', 'is', null);
  const { data, pagination } = await paginate(query.where(allOf(whenUpdated('updated_at', input))), input, {
    order: listOrder(input.sort, { table: 'payout_method' }),
    select: (all) => all.select(RECORD.columns).select(stateAt(ctx.now).as('state')),
  });
  return { data, pagination };
}

/** Returns a payout method, even a removed one. Throws NOT_FOUND. */
export async function getPayoutMethod(ctx: Pick<Ctx, 'db' | 'accountId' | 'now'>, id: string): Promise<PayoutMethodRecord> {
  const method = await selectMethods(ctx.db, ctx.now)
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return foundOrThrow(method, 'payout method');
}

/** The record of an affiliate whose row is locked. */
type LockedAffiliate = Locked<{ id: string }>;

/** Adds a method to an affiliate who has none of its kind. */
export function addMethod(ctx: WriteCtx, affiliate_id: string, kind: string, address: PayoutAddress): Locked<PayoutMethod> {
  return insert(ctx, PayoutMethod, {
    ...newRecordColumns(ctx, newId('payout_method', ctx.clock.now())),
    affiliate_id,
    kind,
    version: 1,
    retired_at: null,
    ...addressColumns(ctx, address),
  });
}

/** Replaces the address of a method. Changes nothing if the address is the same. */
function changeAddress(ctx: WriteCtx, method: Locked<PayoutMethod>, address: PayoutAddress): void {
  if (method.sealed_address !== null && ctx.services.secrets.open(method.sealed_address) === addressText(address)) return;
  save(ctx, PayoutMethod, method, { ...addressColumns(ctx, address), version: method.version + 1, updated_at: ctx.now });
}

/** Removes a method. Changes nothing if it was removed already. */
function retireMethod(ctx: WriteCtx, method: Locked<PayoutMethod>): void {
  if (method.retired_at === null) save(ctx, PayoutMethod, method, { retired_at: ctx.now, updated_at: ctx.now });
}

/** Sets or, where an address is null, removes an affiliate's methods of the given kinds. */
export async function setAddresses(
  ctx: WriteCtx,
  { id: affiliateId }: LockedAffiliate,
  addresses: ReadonlyMap<string, PayoutAddress | null>,
): Promise<void> {
  if (addresses.size === 0) return;
  const methods = new Map((await lockMethods(ctx, affiliateId)).map((method) => [method.kind, method]));
  for (const [kind, address] of addresses) {
    const method = methods.get(kind);
    if (address === null) {
      if (method) retireMethod(ctx, method);
      continue;
    }
    if (method) changeAddress(ctx, method, address);
    else addMethod(ctx, affiliateId, kind, address);
  }
}

/** Removes and erases all methods of an affiliate, those removed before included. */
export async function eraseMethods(ctx: WriteCtx, { id }: LockedAffiliate): Promise<void> {
  for (const method of await lockMethods(ctx, id, { removed: true })) {
    save(ctx, PayoutMethod, method, {
      sealed_address: null,
      sealed_account: null,
      account_hash: null,
      hint: '',
      retired_at: method.retired_at ?? ctx.now,
      updated_at: ctx.now,
    });
    ctx.records.concealPrevious('payout_method', method.id, ['hint']);
  }
}

function lockMethods(ctx: WriteCtx, affiliateId: string, { removed = false } = {}): Promise<Locked<PayoutMethod>[]> {
  let query = ctx.db.selectFrom('payout_method').selectAll().where('affiliate_id', '=', affiliateId);
  if (!removed) query = query.where('retired_at', 'is', null);
  return lockAll(ctx, PayoutMethod, query.orderBy('id'));
}

function addressColumns(ctx: WriteCtx, address: PayoutAddress) {
  const { secrets } = ctx.services;
  return {
    sealed_address: secrets.seal(addressText(address)),
    sealed_account: secrets.seal(accountText(address)),
    account_hash: secrets.fingerprint(accountText(address)),
    hint: hintOf(address),
    since: ctx.now,
    set_by: callerId(ctx.principal),
  };
}
