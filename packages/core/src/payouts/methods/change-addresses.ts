import { isDeepStrictEqual } from 'node:util';
import { hasPerson } from '../../identity/affiliations/affiliations.ts';
import { lockAffiliate } from '../../ledger/affiliate-lock.ts';
import { flagSelfReferrals } from '../../ledger/earning/flag-commission.ts';
import { findUnsent, releasePayouts } from '../../ledger/payouts/payout.transitions.ts';
import { recordAuditedChange } from '../../platform/audit-log/audit-entry.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { lock, save } from '../../platform/call/records.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { dayIn } from '../../platform/mail/in-language.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { laterOf, plusDays } from '../../platform/time/instant.ts';
import { copiesTo, mailAffiliates } from '../../program/affiliate-mails/affiliate-mail.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { addressFieldsOf } from '../../program/payout-methods/address-fields.schema.ts';
import type { PayoutAddress, PayoutAddresses } from '../../program/payout-methods/payout-address.ts';
import { emailsIn, findAddresses } from '../../program/payout-methods/payout-addresses.ts';
import { setAddresses } from '../../program/payout-methods/payout-method.transitions.ts';

/**
 * Changes where an affiliate is paid, with all that follows (docs/rules/payouts.md#payout-methods): payments that are prepared and not sent are
 * withdrawn, the new addresses are compared with those of customers, and the former addresses get an email. If the affiliate changes a former address,
 * the next payouts are held for some days. A change by an API key is recorded in the audit log, unless the caller
 * records it with other changes (`own` is given).
 *
 * @param addresses the addresses to set or (null) to remove, by kind
 * @param own the addresses that also get the email about a change by the merchant. Default: that of an affiliate who can sign in
 * @returns the addresses after the change
 */
export async function changeAddresses(
  ctx: WriteCtx,
  affiliateId: string,
  addresses: ReadonlyMap<string, PayoutAddress | null>,
  own?: readonly (string | null)[],
): Promise<PayoutAddresses> {
  const affiliate = await lock(ctx, Affiliate, affiliateId);
  if (affiliate.erased_at !== null)
    throw invalid('id', 'The personal data of this affiliate were erased, so it cannot be changed any more.', 'erased');
  const { id, email } = affiliate;
  const former = await findAddresses(ctx, id);
  await setAddresses(ctx, affiliate.id, addresses);
  const current = await findAddresses(ctx, id);
  if (isDeepStrictEqual(current, former)) return current;
  await withdrawUnsent(ctx, id, [...addresses.keys()]);
  await flagSelfReferrals(ctx, id, [email, ...emailsIn(former)], [email, ...emailsIn(current)]);
  if (ctx.principal.kind === 'affiliate') await holdPayouts(ctx, affiliate, former);
  else {
    const copies = own ?? ((await hasPerson(ctx.db, id)) ? [email] : []);
    await mailAffiliates(ctx, 'payout_details_changed_by_merchant', copiesTo(id, [...emailsIn(former), ...copies], {}));
    // Other changes of affiliates by API keys are not recorded, but this one redirects money (docs/rules/identity.md#audit-log).
    if (ctx.principal.kind === 'api_key' && own === undefined)
      await recordAuditedChange(ctx, { tool: 'affiliates', action: 'update', arguments: { id, ...addressFieldsOf(current) } });
    save(ctx, Affiliate, affiliate, { updated_at: ctx.now });
  }
  return current;
}

/** Holds the next payouts of an affiliate who had an address before, and writes the email about the change. */
async function holdPayouts(ctx: WriteCtx, affiliate: Affiliate, former: PayoutAddresses): Promise<void> {
  const account = await ctx.db
    .selectFrom('account')
    .select('payout_details_hold_days')
    .where('id', '=', ctx.accountId)
    .executeTakeFirstOrThrow();
  const { id, email, payouts_held_until } = affiliate;
  const heldUntil =
    Object.keys(former).length > 0
      ? laterOf(plusDays(ctx.now, account.payout_details_hold_days), payouts_held_until ?? ctx.now)
      : null;
  save(ctx, Affiliate, affiliate, { updated_at: ctx.now, payouts_held_until: heldUntil ?? payouts_held_until });
  // The email does not contain the new addresses, because it also goes to the former ones.
  const values = { held_until: heldUntil === null ? '' : (language: Language) => dayIn(language, heldUntil) };
  await mailAffiliates(ctx, 'payout_details_changed', copiesTo(id, [...emailsIn(former), email], values));
}

/** Withdraws the affiliate's prepared payments by these methods, and releases their payouts. */
async function withdrawUnsent(ctx: WriteCtx, affiliateId: string, kinds: readonly string[]): Promise<void> {
  const unsent = await findUnsent(ctx, affiliateId, kinds);
  if (unsent.length === 0) return;
  const held = await lockAffiliate(ctx, affiliateId);
  for (const { batch_id, payout_id } of unsent)
    await releasePayouts(ctx, held, batch_id, new Map([[payout_id, { state: 'withdrawn', reason: 'payout_details_changed' }]]));
}
