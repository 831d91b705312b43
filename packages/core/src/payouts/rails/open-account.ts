import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { assertReaches } from '../../platform/call/mode.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import { invalid, noSuch } from '../../platform/errors/errors.ts';
import { currentMethods, findAddresses } from '../../program/payout-methods/payout-addresses.ts';
import { getPayoutMethod } from '../../program/payout-methods/payout-method.queries.ts';
import type { OpenedPayoutAccount, OpenPayoutAccount } from '../../program/payout-methods/payout-method.schema.ts';
import { ownMode } from '../../sources/connections/own-mode.ts';
import { PAYOUT_REASONS } from '../method/reasons.ts';
import { changeAddresses } from '../methods/change-addresses.ts';
import { sendingMethods } from '../methods/methods.ts';
import { accessTo, getPayer } from './open-rail.ts';
import { accepted } from './payout-rail.service.ts';

/**
 * Opens an account for an affiliate at a service that pays, unless the affiliate has one, and makes a link where the affiliate enters what the service asks
 * for. The account is the affiliate's method of this kind from then on. A process that dies before that leaves an account that nobody uses.
 *
 * @throws VALIDATION_ERROR for an unknown affiliate, for a kind without such accounts, if no rail of the kind is connected, and if the service refuses;
 * PSP_ERROR if it cannot be reached
 */
export async function openPayoutAccount(
  ctx: Ctx,
  { affiliate_id, kind, country, return_url }: OpenPayoutAccount,
  keep: (tx: WriteCtx, opened: OpenedPayoutAccount) => Promise<void>,
): Promise<OpenedPayoutAccount> {
  const affiliates = ctx.db.selectFrom('affiliate').select(['email', 'erased_at']).where('account_id', '=', ctx.accountId);
  const affiliate = await affiliates.where('id', '=', affiliate_id).executeTakeFirst();
  if (!affiliate || affiliate.erased_at !== null) throw invalid('affiliate_id', noSuch('affiliate'), 'not_found');
  const method = sendingMethods(ctx.services).get(kind);
  const { onboarding } = method ?? {};
  if (!method || !onboarding) throw invalid('kind', PAYOUT_REASONS.no_accounts_opened, 'not_found');
  const rail = (await getPayer(ctx, method, ownMode(ctx.accountId), 'kind'))!;
  assertReaches(ctx, rail.mode === 'live');
  const access = accessTo(ctx.services, rail);
  const known = (await findAddresses(ctx, affiliate_id))[kind];
  const holder = { key: affiliate_id, email: affiliate.email, country: country ?? null };
  const address = known ?? (await accepted(() => onboarding.open(holder, access), 'kind'));
  const link = await accepted(() => onboarding.link(address, return_url, access), 'kind');
  return inTransaction(ctx, async (tx) => {
    // Another request may have opened one meanwhile.
    if ((await findAddresses(tx, affiliate_id))[kind] === undefined)
      await changeAddresses(tx, affiliate_id, new Map([[kind, address]]));
    const { id } = (await currentMethods(tx.db, affiliate_id).select('id').where('kind', '=', kind).executeTakeFirst())!;
    const opened = { ...link, payout_method: await getPayoutMethod(tx, id) };
    await keep(tx, opened);
    return opened;
  });
}
