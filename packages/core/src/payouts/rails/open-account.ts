import { findPortalUrl } from '../../identity/branding/branding.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { assertReaches } from '../../platform/call/mode.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import { invalid, noSuch } from '../../platform/errors/errors.ts';
import { currentMethods, findAddresses, type PayoutAddress } from '../../program/payout-methods/payout-addresses.ts';
import type { OpenedPayoutAccount, OpenPayoutAccount } from '../../program/payout-methods/payout-method.schema.ts';
import { getPayoutMethod } from '../../program/payout-methods/payout-method.ts';
import { ownMode } from '../../sources/port/port.ts';
import { sendingMethods } from '../methods/methods.ts';
import { changeAddresses } from '../methods/payout-method.service.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';
import { accessTo, type ConnectedRail, getPayer } from './open-rail.ts';
import { accepted } from './payout-rail.ts';

/** An account at a service that pays, and the page there where the affiliate enters what the service asks for. */
export interface AtService {
  address: PayoutAddress;
  link: Pick<OpenedPayoutAccount, 'url' | 'expires_at'>;
}

/**
 * Opens an account for an affiliate at a service that pays, unless the affiliate has one, and makes a link where the affiliate enters what the service asks
 * for. No transaction is open. An account that is not kept (`keepAccount`) is used by nobody.
 *
 * @throws VALIDATION_ERROR for an unknown affiliate, for a kind without such accounts, if no rail of the kind is connected, and if the service refuses;
 * PSP_ERROR if it cannot be reached
 */
export async function openAtService(
  ctx: Pick<Ctx, 'db' | 'accountId' | 'services'>,
  { affiliate_id, kind, country, return_url }: OpenPayoutAccount,
  check?: (rail: ConnectedRail) => void,
): Promise<AtService> {
  const affiliates = ctx.db.selectFrom('affiliate').select(['email', 'erased_at']).where('account_id', '=', ctx.accountId);
  const affiliate = await affiliates.where('id', '=', affiliate_id).executeTakeFirst();
  if (!affiliate || affiliate.erased_at !== null) throw invalid('affiliate_id', noSuch('affiliate'), 'not_found');
  const method = sendingMethods(ctx.services).get(kind);
  const { onboarding } = method ?? {};
  if (!method || !onboarding) throw invalid('kind', PAYOUT_REASONS.no_accounts_opened, 'not_found');
  const rail = (await getPayer(ctx, method, ownMode(ctx.accountId), 'kind'))!;
  check?.(rail);
  const access = accessTo(ctx.services, rail);
  const known = (await findAddresses(ctx, affiliate_id))[kind];
  const holder = { key: affiliate_id, email: affiliate.email, country: country ?? null };
  const address = known ?? (await accepted(() => onboarding.open(holder, access), 'kind'));
  const portal = await findPortalUrl(ctx.db, ctx.services.publicUrl, ctx.accountId);
  const link = await accepted(() => onboarding.link(address, return_url ?? `${portal}/portal/payout-details`, access), 'kind');
  return { address, link };
}

/** Makes an account the affiliate's method of its kind, unless another request has opened one meanwhile. */
export async function keepAccount(
  tx: WriteCtx,
  { affiliate_id, kind }: Pick<OpenPayoutAccount, 'affiliate_id' | 'kind'>,
  { address, link }: AtService,
): Promise<OpenedPayoutAccount> {
  if ((await findAddresses(tx, affiliate_id))[kind] === undefined)
    await changeAddresses(tx, affiliate_id, new Map([[kind, address]]));
  const { id } = (await currentMethods(tx.db, affiliate_id).select('id').where('kind', '=', kind).executeTakeFirst())!;
  return { ...link, payout_method: await getPayoutMethod(tx, id) };
}

/** Opens an account as a merchant (`openAtService`), and keeps it. */
export async function openPayoutAccount(
  ctx: Ctx,
  input: OpenPayoutAccount,
  keep: (tx: WriteCtx, opened: OpenedPayoutAccount) => Promise<void>,
): Promise<OpenedPayoutAccount> {
  const account = await openAtService(ctx, input, ({ mode }) => assertReaches(ctx, mode === 'live'));
  return inTransaction(ctx, async (tx) => {
    const opened = await keepAccount(tx, input, account);
    await keep(tx, opened);
    return opened;
  });
}
