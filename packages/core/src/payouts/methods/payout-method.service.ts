import { isDeepStrictEqual } from 'node:util';
import { hasPerson } from '../../identity/affiliations/affiliations.ts';
import { mailMembers } from '../../identity/members/member-mails.ts';
import { lockAffiliate } from '../../ledger/affiliate-lock.ts';
import { flagSelfReferrals } from '../../ledger/earning/flag-commission.ts';
import { releasePayouts } from '../../ledger/payouts/payout.transitions.ts';
import { actorOf } from '../../platform/call/caller.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { get, lock, referenced, save } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { invalid, validationError, zodDetails } from '../../platform/errors/errors.ts';
import { dayIn } from '../../platform/mail/in-language.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { type Instant, laterOf, plusDays } from '../../platform/time/instant.ts';
import { assertAllowed } from '../../platform/trpc/meta.ts';
import { copiesTo, mailAffiliates } from '../../program/affiliate-mails/affiliate-mail.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { affiliateRecord, type PlainAffiliate } from '../../program/affiliates/affiliate.ts';
import {
  currentMethods,
  emailsIn,
  findAddresses,
  findSharedAccounts,
  type PayoutAddress,
} from '../../program/payout-methods/payout-addresses.ts';
import type {
  CreatePayoutMethod,
  PayoutMethodRecord,
  SharedAccount,
  UpdatePayoutMethod,
} from '../../program/payout-methods/payout-method.schema.ts';
import { PayoutMethod, getPayoutMethod, setAddresses } from '../../program/payout-methods/payout-method.ts';
import { PAYOUT_MAILS } from '../port/mail-texts.ts';
import { nameOf } from '../port/method.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';
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

/**
 * Changes the payout addresses of an affiliate. All doors change them here, with the same effects (docs/rules/payouts.md#payout-methods): payments that are
 * prepared and not sent are withdrawn, the new addresses are compared with those of customers, the next payouts are held for some days if there
 * was an address before, and the affiliate, the former addresses and (by default) the owners get an email.
 *
 * @param addresses the addresses to set or (null) to remove, by kind
 * @param own the addresses of the affiliate that get the email about a change by the merchant. Default: that of an affiliate who can sign in
 * @returns the affiliate after the change, or null if the addresses were these already
 * @throws VALIDATION_ERROR for an erased affiliate; FORBIDDEN for a caller of the account who may not write payouts
 */
export async function changeAddresses(
  ctx: WriteCtx,
  affiliateId: string,
  addresses: ReadonlyMap<string, PayoutAddress | null>,
  own?: readonly (string | null)[],
): Promise<PlainAffiliate | null> {
  const affiliate = await lock(ctx, Affiliate, affiliateId);
  if (affiliate.erased_at !== null) throw invalid('id', PAYOUT_REASONS.affiliate_erased, 'erased');
  const { id, email } = affiliate;
  const former = await findAddresses(ctx, id);
  if ([...addresses].every(([kind, address]) => isDeepStrictEqual(address, former[kind] ?? null))) return null;
  const { principal } = ctx;
  const isByAffiliate = principal.kind === 'affiliate';
  if (!isByAffiliate) assertAllowed(principal, ctx.surface, { resource: 'payouts', action: 'write' });
  await setAddresses(ctx, affiliate, addresses);
  const current = await findAddresses(ctx, id);
  await withdrawUnsent(ctx, id);
  await flagSelfReferrals(ctx, id, [email, ...emailsIn(former)], [email, ...emailsIn(current)]);
  const hadAddress = Object.keys(former).length > 0;
  const hold = hadAddress ? await endOfHold(ctx, affiliate) : null;
  const heldUntil = hold?.until ?? null;
  save(ctx, Affiliate, affiliate, { updated_at: ctx.now, payouts_held_until: heldUntil ?? affiliate.payouts_held_until });
  // An affiliate who cannot sign in gets the email only if nobody else would.
  const told = isByAffiliate ? [email] : (own ?? ((await hasPerson(ctx.db, id)) ? [email] : []));
  const copies = [...emailsIn(former), ...told];
  // The email does not contain the new addresses, because it also goes to the former ones.
  const values = { held_until: hold === null ? '' : (language: Language) => dayIn(language, hold.until, hold.time_zone) };
  const mail = isByAffiliate ? 'payout_details_changed' : 'payout_details_changed_by_merchant';
  await mailAffiliates(ctx, mail, copiesTo(id, copies.length === 0 && hadAddress ? [email] : copies, values));
  const record = affiliateRecord(affiliate, current);
  const [shared = []] = await findSharedAccounts(ctx, [id]);
  if (hadAddress || shared.length > 0) await tellOwners(ctx, record, hold, shared);
  return record;
}

/** Tells the members who want to know, by default the owners, that the details of an affiliate have changed, who changed them, and who else has the account. */
async function tellOwners(
  ctx: WriteCtx,
  { id, first_name, last_name, email }: PlainAffiliate,
  hold: Hold | null,
  shared: readonly SharedAccount[],
): Promise<void> {
  const t = PAYOUT_MAILS.changedDetails;
  await mailMembers(ctx, 'changed_payout_details', (say, language) => ({
    subject: say(t.subject, { name: nameOf({ first_name, last_name, email }) }),
    lines: [
      say(PAYOUT_MAILS.changedBy[actorOf(ctx.principal).kind]),
      ...shared.map(({ affiliate_name, hint }) => say(t.shared, { other: affiliate_name, hint })),
      ...(hold === null ? [] : [say(t.held, { until: dayIn(language, hold.until, hold.time_zone) })]),
    ],
    link: { label: say(t.link), path: `/affiliates/${id}` },
  }));
}

/** The time until which payouts are held, and the time zone of the account, in which its day is told. */
interface Hold {
  until: Instant;
  time_zone: string;
}

/** Returns the time until which the next payouts of an affiliate are held after a change now, or null if the account holds none. */
async function endOfHold(ctx: WriteCtx, { payouts_held_until }: Affiliate): Promise<Hold | null> {
  const account = await ctx.db
    .selectFrom('account')
    .select(['payout_details_hold_days', 'time_zone'])
    .where('id', '=', ctx.accountId)
    .executeTakeFirstOrThrow();
  const until = laterOf(plusDays(ctx.now, account.payout_details_hold_days), payouts_held_until ?? ctx.now);
  return until > ctx.now ? { until, time_zone: account.time_zone } : null;
}

/** Withdraws the affiliate's payments that are prepared and not sent, and releases their payouts. */
async function withdrawUnsent(ctx: WriteCtx, affiliateId: string): Promise<void> {
  const unsent = await ctx.db
    .selectFrom('payout_attempt')
    .innerJoin('payout_batch', 'payout_batch.id', 'payout_attempt.batch_id')
    .innerJoin('payout', 'payout.id', 'payout_attempt.payout_id')
    .select(['payout_batch.id as batch_id', 'payout_attempt.payout_id'])
    .where('payout_attempt.affiliate_id', '=', affiliateId)
    .where('payout_batch.kind', '=', 'payment')
    .where(oneOf('payout_attempt.state', ['prepared', 'approved']))
    .where('payout.status', '=', 'processing')
    .orderBy('payout_attempt.id')
    .execute();
  if (unsent.length === 0) return;
  const held = await lockAffiliate(ctx, affiliateId);
  for (const { batch_id, payout_id } of unsent)
    await releasePayouts(ctx, held, batch_id, new Map([[payout_id, { state: 'withdrawn', reason: 'payout_details_changed' }]]));
}
