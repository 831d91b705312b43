import { z } from 'zod';
import { createPayoutMethod, retirePayoutMethod, updatePayoutMethod } from '../../payouts/methods/payout-method.service.ts';
import { offeredMethods } from '../../payouts/rails/offered-methods.ts';
import { type AtService, keepAccount } from '../../payouts/rails/open-account.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { findAddresses } from '../../program/payout-methods/payout-addresses.ts';
import { CreatePayoutMethod, OpenedPayoutAccount, OpenPayoutAccount, PayoutMethodKind, PayoutMethodRecord } from '../../program/payout-methods/payout-method.schema.ts';
import type { AffiliateCtx, AffiliateWriteCtx } from '../access/affiliate-context.ts';
import { PORTAL_REASONS } from '../reasons.ts';
import { assertTermsAccepted } from '../terms/terms.ts';
import { selectMethods } from '../../program/payout-methods/payout-method.ts';

const { affiliate_id: _, ...shown } = PayoutMethodRecord.shape;
export const PortalPayoutMethods = z
  .object({
    data: z.array(z.object(shown)),
    offered: z.array(PayoutMethodKind).describe('The kinds that the affiliate can add.'),
  })
  .meta({ id: 'PortalPayoutMethods', description: 'The ways in which the affiliate is paid.' });
export type PortalPayoutMethods = z.infer<typeof PortalPayoutMethods>;

export const SetPayoutMethod = CreatePayoutMethod.omit({ affiliate_id: true });
export type SetPayoutMethod = z.infer<typeof SetPayoutMethod>;

export const OpenOwnAccount = OpenPayoutAccount.pick({ kind: true, country: true });
export const OpenedOwnAccount = OpenedPayoutAccount.pick({ url: true, expires_at: true }).meta({
  id: 'OpenedOwnAccount',
  description: 'A page of the service that pays, where the affiliate enters what it asks for.',
});

/** Lists the affiliate's methods that are not removed, and the kinds that can be added. */
export async function listOwnMethods(ctx: AffiliateCtx): Promise<PortalPayoutMethods> {
  const { mine, now, affiliate } = ctx;
  const methods = await selectMethods(mine('affiliate', 'payout_method'), now)
    .where('retired_at', 'is', null)
    .orderBy('kind')
    .execute();
  return { data: methods, offered: await offeredMethods(mine('payout_rail', 'account'), ctx, affiliate.account_id) };
}

/**
 * Sets the address of the affiliate's method of a kind.
 *
 * @throws FORBIDDEN while the affiliate has not accepted the current terms; VALIDATION_ERROR for an address that does not have the form of its kind
 */
export async function setOwnMethod(ctx: AffiliateWriteCtx, { kind, address }: SetPayoutMethod): Promise<PortalPayoutMethods> {
  await assertTermsAccepted(ctx);
  const known = (await listOwnMethods(ctx)).data.find((method) => method.kind === kind);
  if (known) await updatePayoutMethod(ctx.tx, { id: known.id, address });
  else await createPayoutMethod(ctx.tx, { affiliate_id: ctx.affiliate.id, kind, address });
  return listOwnMethods(ctx);
}

/** Makes the account that was opened for the affiliate the method of its kind. Throws FORBIDDEN while the affiliate has not accepted the current terms. */
export async function keepOwnAccount(ctx: AffiliateWriteCtx, kind: string, account: AtService): Promise<OpenedPayoutAccount> {
  await assertTermsAccepted(ctx);
  return keepAccount(ctx.tx, { affiliate_id: ctx.affiliate.id, kind }, account);
}

/** Removes one of the affiliate's methods. Throws NOT_FOUND; VALIDATION_ERROR for the last one; FORBIDDEN while the affiliate has not accepted the current terms. */
export async function removeOwnMethod(ctx: AffiliateWriteCtx, { id }: { id: string }): Promise<PortalPayoutMethods> {
  await assertTermsAccepted(ctx);
  foundOrThrow(
    (await listOwnMethods(ctx)).data.find((method) => method.id === id),
    'payout method',
  );
  await retirePayoutMethod(ctx.tx, { id });
  await assertAddressLeft(ctx, 'id');
  return listOwnMethods(ctx);
}

/** Throws VALIDATION_ERROR with this path if the affiliate has no address any more, and could not be paid. */
export async function assertAddressLeft(ctx: AffiliateWriteCtx, path: string): Promise<void> {
  const left = await findAddresses(ctx.tx, ctx.affiliate.id);
  if (Object.keys(left).length === 0) throw invalid(path, PORTAL_REASONS.last_address, 'required');
}
