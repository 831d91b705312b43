import { sql } from 'kysely';
import { ANY_CLAIM, ANYTHING, attribute, type Change } from '../../attribution/attribute.ts';
import { claimByCode, claimByReferral, type ClaimChange } from '../../attribution/claims/claims.ts';
import { type Identified, identifyCustomer } from '../../attribution/claims/customers.ts';
import { findAttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { sameText } from '../../platform/db/conditions.ts';
import { type Instant, wholeSecond } from '../../platform/time/instant.ts';
import { joinsOf, nameOfClaim } from '../../program/customer-identities/customer-identity.ts';
import {
  excludeCustomer,
  identitiesOf,
  joinNames,
  learnStrayReference,
  learnTrial,
  moveEmail,
} from '../../program/customers/customer.service.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import { isOwnMode } from '../../sources/port/port.ts';
import type { PayerSeen, SubscriptionSeen } from '../../sources/port/seen.ts';
import { customerOfPayer } from '../sales/facts-of-payment.ts';
import { findLink, findReferral, referralOfLink } from './referral-of-reference.ts';

/**
 * Records what a source knows of a payer: name, address, id, and who sent them. A payer whom something refers becomes at least a lead, even if nothing
 * has been paid yet, e.g. at the start of a trial. Does nothing for a payer without any identity.
 */
export async function learnPayer(ctx: WriteCtx, seen: PayerSeen): Promise<void> {
  const { payer, place, references, redemptions, exclusion, formerEmail, at } = seen;
  const details = customerOfPayer(seen, at);
  if (identitiesOf(details).length === 0) return;
  const { referral: named } = await findReferral(
    ctx,
    references.map(({ value }) => value),
  );
  const link = named === null ? await findLink(ctx, references) : null;
  const isReferred = named !== null || link !== null || redemptions.length > 0;
  if (place === 'metadata' && !isReferred && payer.externalId === null) return;
  const identified = await identifyCustomer(ctx, { ...details, ...(formerEmail !== null && { formerEmail }) });
  const { customer, hasNewIdentity } = identified;
  const { joins } = customer;
  const { psp_customer_id: pspId } = details;
  if (payer.email !== null && formerEmail !== null && pspId && customer.psp_customer_id === pspId)
    moveEmail(ctx, customer, formerEmail, payer.email);
  const { excluded, isNew } = exclusion ?? { excluded: false, isNew: false };
  const isNewExclusion = exclusion !== null && excludeCustomer(ctx, customer, { at, excluded }, isNew);
  const openedAt = link && notLater(link.reference.at, ctx.now);
  const linked = link && (await referralOfLink(ctx, link, { customerId: customer.id, knownIds: [], at: openedAt! }));
  const referral = named ?? linked;
  if (place !== 'metadata' && referral === null && references[0]) learnStrayReference(ctx, customer, references[0].value);
  const said = link?.reference ?? references.find(({ value }) => value === named?.id) ?? references[0];
  // A fact that names a link is itself the visit. A checkout that names a referral came after its visit.
  const from = linked ? openedAt : (said?.from ?? null);
  const change = await claimFor(ctx, seen, identified, { referral, from, madeAt: notLater(said?.at ?? at, ctx.now) });
  const hasNews = hasNewIdentity || isNewExclusion || customer.joins !== joins || change.claims.some((claim) => claim !== 'none');
  // Runs after the address is stored, so that self-referrals that the new address reveals are flagged. Most checkouts say nothing new.
  if (hasNews && (isReferred || place !== 'metadata'))
    await attribute(ctx, {
      of: 'customer',
      customer: identified,
      change: hasNewIdentity || isNewExclusion ? ANY_CLAIM : change,
    });
  // The merchant's id may have shown that two customers are one.
  else if (hasNewIdentity) await attribute(ctx, { of: 'customer', customer: identified, change: ANYTHING });
  if (place === 'record' && payer.email !== null && pspId) await nameAffiliate(ctx, pspId, payer.email);
}

/** Records the trial of a payer's subscription. */
export async function learnSubscription(ctx: WriteCtx, seen: SubscriptionSeen): Promise<void> {
  const { id, trialUntil, at } = seen;
  const details = customerOfPayer(seen, at);
  if (identitiesOf(details).length === 0) return;
  const identified = await identifyCustomer(ctx, details);
  learnTrial(ctx, identified.customer, { subscription_id: id, at, until: trialUntil });
  if (identified.hasNewIdentity) await attribute(ctx, { of: 'customer', customer: identified, change: ANYTHING });
}

/** Stores the provider's id with the affiliates who have the same email address (docs/rules/program.md#affiliates). */
async function nameAffiliate(ctx: WriteCtx, payerId: string, email: string): Promise<void> {
  const { rows } = await sql<{ id: string; psp_customer_id: string | null }>`
    update affiliate set psp_customer_id = ${payerId}, updated_at = ${ctx.now}
    from (
      select id, psp_customer_id from affiliate
      where account_id = ${ctx.accountId} and archived_at is null and ${sameText('email', email)}
        and psp_customer_id is distinct from ${payerId}
      for no key update
    ) former
    where affiliate.id = former.id
    returning affiliate.id, former.psp_customer_id`.execute(ctx.db);
  for (const { id, ...previous } of rows) ctx.records.noteChanged('affiliate', id, previous);
}

/**
 * Records what a source says about the referrer as claims on the customer. Returns what changed.
 *
 * @param said.from the time from which the claim by the referral counts; null for its visit
 * @param said.madeAt time at which the claim by the referral was made
 */
async function claimFor(
  ctx: WriteCtx,
  { mode, redemptions }: PayerSeen,
  { id: customerId, customer, ids: namedBy, emails, shownAt }: Identified,
  { referral, from, madeAt }: { referral: Referral | null; from: Instant | null; madeAt: Instant },
): Promise<Change> {
  const claims: ClaimChange[] = [];
  // A claim belongs to the ids in its fact. An address was typed, and belongs to the claim from then on.
  const joinClaim = (key: string) => {
    if (namedBy.length === 0) joinNames(ctx, customer, joinsOf([nameOfClaim(key), ...emails], shownAt));
  };
  let since = ctx.now;
  if (referral) {
    const start = startOf(ctx, referral, from);
    claims.push((await claimByReferral(ctx, customerId, referral, { madeAt, from: start, namedBy })).change);
    joinClaim(referral.id);
    since = notLater(madeAt, since);
  }
  for (const [, redeemed] of Map.groupBy(redemptions, ({ source }) => source)) {
    const { source } = redeemed[0]!;
    const at = notLater(redeemed[0]!.at, ctx.now);
    const codes = { psp_promotion_code_ids: redeemed.map(({ id }) => id), livemode: isOwnMode(ctx.accountId, mode) };
    const promo = await findAttributingCode(ctx.db, ctx.accountId, codes, at);
    if (!promo) continue;
    claims.push(claimByCode(ctx, customerId, promo, { at, saleId: null, source, namedBy }));
    joinClaim(`${promo.psp_promotion_code_id} ${source}`);
    since = notLater(at, since);
  }
  return { claims, from: wholeSecond(since) };
}

/**
 * Returns the time from which a claim by a referral counts: not before its visit, and not in the future, because the provider's clock may be
 * ahead.
 */
function startOf({ now }: WriteCtx, { created_at: visit }: Referral, from: Instant | null): Instant {
  return from === null || from < visit ? visit : notLater(from, now);
}

function notLater(time: Instant, limit: Instant): Instant {
  return time < limit ? time : limit;
}
