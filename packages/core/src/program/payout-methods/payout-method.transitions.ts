/**
 * All changes of payout methods (docs/rules/payouts.md#payout-methods), under the lock of the affiliate. Events follow from the changes that are recorded.
 */
import { callerId } from '../../platform/call/caller.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { insert, lockAll, newRecordColumns, save } from '../../platform/call/records.ts';
import { newId } from '../../platform/wire/ids.ts';
import { type PayoutAddress, hintOf, accountText, addressText } from './payout-addresses.ts';
import { PayoutMethod } from './payout-method.entity.ts';

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
