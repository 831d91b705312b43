import type { WriteCtx } from '../../platform/call/context.ts';
import { get, referenced } from '../../platform/call/records.ts';
import { invalid, validationError, zodDetails } from '../../platform/errors/errors.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { currentMethods, type PayoutAddress } from '../../program/payout-methods/payout-addresses.ts';
import type {
  CreatePayoutMethod,
  PayoutMethodRecord,
  UpdatePayoutMethod,
} from '../../program/payout-methods/payout-method.schema.ts';
import { getPayoutMethod, PayoutMethod } from '../../program/payout-methods/payout-method.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';
import { changeAddresses } from './change-addresses.ts';
import { findMethod } from './methods.ts';

/**
 * Adds a method to an affiliate.
 *
 * @throws VALIDATION_ERROR for an unknown affiliate or kind, an address that does not have the form of the kind, and a kind that the affiliate has
 */
export async function createPayoutMethod(
  ctx: WriteCtx,
  { affiliate_id, kind, address }: CreatePayoutMethod,
): Promise<PayoutMethodRecord> {
  await referenced(ctx, Affiliate, affiliate_id, 'affiliate_id');
  const parsed = parseAddress(ctx, kind, address);
  if ((await currentMethod(ctx, affiliate_id, kind)) !== undefined) throw invalid('kind', PAYOUT_REASONS.method_exists, 'taken');
  await changeAddresses(ctx, affiliate_id, new Map([[kind, parsed]]));
  const { id } = (await currentMethod(ctx, affiliate_id, kind))!;
  return getPayoutMethod(ctx, id);
}

/** Changes the address of a method. Throws NOT_FOUND; VALIDATION_ERROR for a removed method, and for an address that does not have the form of its kind. */
export async function updatePayoutMethod(ctx: WriteCtx, { id, address }: UpdatePayoutMethod): Promise<PayoutMethodRecord> {
  const { affiliate_id, kind, state } = await getPayoutMethod(ctx, id);
  if (state === 'retired') throw invalid('id', PAYOUT_REASONS.method_removed, 'retired');
  await changeAddresses(ctx, affiliate_id, new Map([[kind, parseAddress(ctx, kind, address)]]));
  return getPayoutMethod(ctx, id);
}

/** Removes a method. A removed method stays readable. Removing it again changes nothing. Throws NOT_FOUND. */
export async function retirePayoutMethod(ctx: WriteCtx, { id }: { id: string }): Promise<PayoutMethodRecord> {
  const { affiliate_id, kind, state } = await getPayoutMethod(ctx, id);
  // Loaded as a record too, so that a condition on its version holds.
  await get(ctx, PayoutMethod, id);
  if (state !== 'retired') await changeAddresses(ctx, affiliate_id, new Map([[kind, null]]));
  return getPayoutMethod(ctx, id);
}

function currentMethod({ db }: WriteCtx, affiliateId: string, kind: string) {
  return currentMethods(db, affiliateId).select('id').where('kind', '=', kind).executeTakeFirst();
}

function parseAddress({ services }: WriteCtx, kind: string, address: unknown): PayoutAddress {
  const schema = findMethod(services, kind)?.addressSchema;
  if (!schema) throw invalid('kind', PAYOUT_REASONS.no_method_with_address, 'not_found');
  const parsed = schema.safeParse(address);
  if (!parsed.success) throw validationError(zodDetails(parsed.error, 'address'));
  return parsed.data as PayoutAddress;
}
