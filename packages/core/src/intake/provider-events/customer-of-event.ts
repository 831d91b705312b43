import { sql } from 'kysely';
import { ANY_CLAIM, ANYTHING, attributeCustomer, type Change } from '../../attribution/attribute.ts';
import { claimByCode, claimByReferral, type ClaimChange } from '../../attribution/claims/claims.ts';
import { type Identified, identifyCustomer } from '../../attribution/claims/customers.ts';
import { findAttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { sameText } from '../../platform/db/conditions.ts';
import { type Instant, toInstant, wholeSecond } from '../../platform/time/instant.ts';
import {
  excludeCustomer,
  joinNames,
  type KnownCustomer,
  learnStrayReference,
  learnTrial,
  moveEmail,
} from '../../program/customers/customer.service.ts';
import { joinsOf, nameOfClaim } from '../../program/customers/joins.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import type {
  CheckoutCompleted,
  CustomerChanged,
  CustomerReferred,
  ProviderCustomer,
  Redemption,
} from '../../sources/port/provider-event.ts';
import { referralOfLink } from './referral-of-link.ts';
import { findReferral } from './settle-payment.ts';

/** The referral, code and other names that an event gives for a customer. */
interface ReportedReferrer {
  referral: Referral | null;
  /** The time from which the claim by the referral counts; null for its visit. */
  from: Instant | null;
  /** Time at which the claim by the referral was made. */
  madeAt: Instant;
  redemptions: readonly { promotionCodeId: string; at: Instant; source: string }[];
}

/**
 * Stores the provider's name, address and id of a customer. The id is also stored with an affiliate who has the same email address
 * (docs/rules/program.md#affiliates). `at` is the time of the event.
 */
export async function learnCustomer(ctx: WriteCtx, livemode: boolean, fact: CustomerChanged, at: Instant): Promise<void> {
  const { customerId, email } = fact.customer;
  const { formerEmail } = fact;
  const identified = await identifyCustomer(ctx, { ...detailsOf(fact.customer, at), formerEmail });
  const { customer: known, hasNewIdentity } = identified;
  if (email !== null && formerEmail !== null && known.psp_customer_id === customerId) moveEmail(ctx, known, formerEmail, email);
  const isNewExclusion = excludeCustomer(ctx, known, { at, excluded: fact.isExcluded }, fact.exclusionChanged);
  const { referral } = await findReferral(ctx, [fact.namedReferral]);
  const stray = strayOf(fact.namedReferral, referral);
  if (stray !== null) learnStrayReference(ctx, known, stray);
  const reported = { referral, from: at, madeAt: at, redemptions: redemptionsOf(fact.redemptions) };
  const change = await claimFor(ctx, livemode, identified, reported);
  // Runs after the address is stored, so that self-referrals that the new address reveals are flagged.
  await attributeCustomer(ctx, identified, hasNewIdentity || isNewExclusion ? ANY_CLAIM : change);
  if (email === null) return;
  const { rows } = await sql<{ id: string; psp_customer_id: string | null }>`
    update affiliate set psp_customer_id = ${customerId}, updated_at = ${ctx.now}
    from (
      select id, psp_customer_id from affiliate
      where account_id = ${ctx.accountId} and archived_at is null and ${sameText('email', email)}
        and psp_customer_id is distinct from ${customerId}
      for no key update
    ) former
    where affiliate.id = former.id
    returning affiliate.id, former.psp_customer_id`.execute(ctx.db);
  for (const { id, ...previous } of rows) ctx.records.noteChanged('affiliate', id, previous);
}

/**
 * Binds the customer of a completed checkout to the referral that the checkout names, or to the affiliate whose promotion code was used.
 * The customer becomes at least a lead, even if nothing has been paid yet, e.g. at the start of a trial.
 *
 * @returns the referral, even if the customer is unknown; or null if the checkout names none
 */
export async function bindCustomer(
  ctx: WriteCtx,
  livemode: boolean,
  fact: CheckoutCompleted,
  at: Instant,
): Promise<Referral | null> {
  const openedAt = notLater(fact.openedAt === null ? at : toInstant(fact.openedAt), ctx.now);
  const known = isIdentified(fact.customer) ? await identifyCustomer(ctx, detailsOf(fact.customer, at)) : null;
  const { referral: named } = await findReferral(ctx, [fact.clientReferenceId, fact.namedReferral]);
  const token = named === null ? fact.clientReferenceId : null;
  const linked = token === null ? null : await referralOfLink(ctx, token, known?.customer.id ?? null, openedAt);
  const referral = named ?? linked;
  const stray = strayOf(fact.clientReferenceId ?? fact.namedReferral, referral);
  if (known && stray !== null) learnStrayReference(ctx, known.customer, stray);
  const redemptions = fact.promotionCodeIds.map((promotionCodeId) => ({ promotionCodeId, at, source: `checkout ${at}` }));
  // A checkout that names a link is itself the visit. A checkout that names a referral came after its visit.
  const from = linked === null ? null : openedAt;
  if (known) await referCustomer(ctx, livemode, known, { referral, from, madeAt: openedAt, redemptions });
  return referral;
}

/**
 * Binds the customer whose referral the metadata of an object names, or who redeemed a promotion code without a checkout, and makes the
 * customer at least a lead.
 *
 * @param at the time from which the referral counts. The metadata may be set long after the visit, and does not change earlier charges
 * @returns the value of the metadata if it is not the id of a referral, otherwise null
 */
export async function bindNamed(
  ctx: WriteCtx,
  livemode: boolean,
  { customer, namedReferral, redemptions }: Pick<CustomerReferred, 'customer' | 'namedReferral' | 'redemptions'>,
  at: Instant,
): Promise<string | null> {
  const { referral } = await findReferral(ctx, [namedReferral]);
  const reported = { referral, from: at, madeAt: at, redemptions: redemptionsOf(redemptions) };
  if (isReferred(reported) && isIdentified(customer))
    await referCustomer(ctx, livemode, await identifyCustomer(ctx, detailsOf(customer, at)), reported);
  return strayOf(namedReferral, referral);
}

/** Returns a reference that names no referral, or null. */
function strayOf(reference: string | null, referral: Referral | null): string | null {
  return referral === null ? reference : null;
}

/**
 * Like `bindNamed`, for an event that may also tell the trial of a subscription and the merchant's own id of the customer, even without a referrer.
 *
 * @param at the time of the event, from which the referral counts unless the object has another time
 * @returns as `bindNamed`
 */
export async function learnReferrer(
  ctx: WriteCtx,
  livemode: boolean,
  fact: CustomerReferred,
  at: Instant,
): Promise<string | null> {
  const { customer, namedReferral, redemptions, trial } = fact;
  const { referral } = await findReferral(ctx, [namedReferral]);
  const from = fact.referredAt === null ? at : toInstant(fact.referredAt);
  const reported = { referral, from, madeAt: from, redemptions: redemptionsOf(redemptions) };
  const isNews = isReferred(reported) || trial !== null || customer.externalId !== null;
  const stray = strayOf(namedReferral, referral);
  if (!isNews || !isIdentified(customer)) return stray;
  const identified = await identifyCustomer(ctx, detailsOf(customer, at));
  const until = trial?.until ? toInstant(trial.until) : null;
  if (trial !== null) learnTrial(ctx, identified.customer, { subscription_id: trial.subscriptionId, at, until });
  if (isReferred(reported)) await referCustomer(ctx, livemode, identified, reported);
  // The merchant's id may have shown that two customers are one.
  else if (identified.hasNewIdentity) await attributeCustomer(ctx, identified, ANYTHING);
  return stray;
}

/** Returns the details of a customer from an event about a time. */
function detailsOf({ customerId, externalId, email, name }: ProviderCustomer, at: Instant): KnownCustomer {
  return { source: 'provider', shown_at: at, psp_customer_id: customerId, external_customer_id: externalId, email, name };
}

/** True if an event identifies the customer of a payment. */
export function isIdentified({ customerId, externalId, email }: ProviderCustomer): boolean {
  return customerId !== null || externalId !== null || email !== null;
}

async function referCustomer(ctx: WriteCtx, livemode: boolean, customer: Identified, reported: ReportedReferrer): Promise<void> {
  const change = await claimFor(ctx, livemode, customer, reported);
  await attributeCustomer(ctx, customer, customer.hasNewIdentity ? ANY_CLAIM : change);
}

/** Records what an event says about the referrer as claims on the customer. Returns what changed. */
async function claimFor(
  ctx: WriteCtx,
  livemode: boolean,
  { id: customerId, customer, ids: namedBy, emails, shownAt }: Identified,
  { referral, from, madeAt, redemptions }: ReportedReferrer,
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
    const ids = redeemed.map(({ promotionCodeId }) => promotionCodeId);
    const promo = await findAttributingCode(ctx.db, ctx.accountId, { psp_promotion_code_ids: ids, livemode }, at);
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

/** Two events about one redemption have the same time of redemption, so they make only one claim. */
function redemptionsOf(redemptions: readonly Redemption[]): ReportedReferrer['redemptions'] {
  return redemptions.map(({ promotionCodeId, redeemedAt }) => {
    const at = toInstant(redeemedAt);
    return { promotionCodeId, at, source: `discount ${at}` };
  });
}

function isReferred({ referral, redemptions }: ReportedReferrer): boolean {
  return referral !== null || redemptions.length > 0;
}
