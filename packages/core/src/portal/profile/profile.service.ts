import { isDeepStrictEqual } from 'node:util';
import { flagSelfReferrals } from '../../ledger/earning/flag-commission.ts';
import { lock, save } from '../../platform/call/records.ts';
import { dayIn } from '../../platform/mail/in-language.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { laterOf, plusDays } from '../../platform/time/instant.ts';
import { copiesTo, mailAffiliates } from '../../program/affiliate-mails/affiliate-mail.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { updateAffiliate } from '../../program/affiliates/affiliate.service.ts';
import { splitAddresses } from '../../program/payout-methods/address-fields.schema.ts';
import { emailsIn, findAddresses } from '../../program/payout-methods/payout-addresses.ts';
import { setAddresses } from '../../program/payout-methods/payout-method.transitions.ts';
import type { AffiliateWriteCtx } from '../access/affiliate-context.ts';
import { chooseDigest } from '../notices/unsubscribe.ts';
import { assertTermsAccepted } from '../terms/terms.ts';
import { getPayoutDetails, getProfile } from './profile.queries.ts';
import type { PayoutDetails, PortalProfile, UpdatePayoutDetails, UpdateProfile } from './profile.schema.ts';

/** Changes the affiliate's names, and how often the affiliate gets digests. */
export async function updateProfile(ctx: AffiliateWriteCtx, { digest, ...names }: UpdateProfile): Promise<PortalProfile> {
  if (Object.keys(names).length > 0) await updateAffiliate(ctx.tx, { id: ctx.affiliate.id, ...names });
  if (digest !== undefined) await chooseDigest(ctx.tx.db, ctx.affiliate.id, digest);
  return getProfile(ctx);
}

/**
 * Changes the addresses to which an affiliate is paid. Sends an email about the change to the affiliate's address and to the former payout
 * addresses. If there was a payout address before, the next payouts are held for some days (docs/rules/portal.md#payout-details). The new addresses
 * are compared with those of customers (docs/rules/ledger.md#self-referral).
 *
 * @throws FORBIDDEN while the affiliate has not accepted the current terms
 */
export async function updatePayoutDetails(ctx: AffiliateWriteCtx, input: UpdatePayoutDetails): Promise<PayoutDetails> {
  const { tx } = ctx;
  await assertTermsAccepted(ctx);
  const affiliate = await lock(tx, Affiliate, ctx.affiliate.id);
  const former = await findAddresses(tx, affiliate.id);
  await setAddresses(tx, affiliate.id, splitAddresses(input).addresses);
  const current = await findAddresses(tx, affiliate.id);
  if (isDeepStrictEqual(current, former)) return getPayoutDetails(ctx);
  const formerEmails = emailsIn(former);
  const account = await tx.db
    .selectFrom('account')
    .select('payout_details_hold_days')
    .where('id', '=', tx.accountId)
    .executeTakeFirstOrThrow();
  const heldUntil =
    Object.keys(former).length > 0
      ? laterOf(plusDays(tx.now, account.payout_details_hold_days), affiliate.payouts_held_until ?? tx.now)
      : null;
  save(tx, Affiliate, affiliate, {
    updated_at: tx.now,
    payouts_held_until: heldUntil ?? affiliate.payouts_held_until,
  });
  await flagSelfReferrals(tx, affiliate.id, [affiliate.email, ...formerEmails], [affiliate.email, ...emailsIn(current)]);
  // The email does not contain the new addresses, because it also goes to the former ones.
  const values = { held_until: heldUntil === null ? '' : (language: Language) => dayIn(language, heldUntil) };
  await mailAffiliates(tx, 'payout_details_changed', copiesTo(affiliate.id, [...formerEmails, affiliate.email], values));
  return getPayoutDetails(ctx);
}
