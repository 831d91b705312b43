import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { excludeCustomer, moveEmail } from '../../program/customers/customer.service.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import { findAttributingCode } from '../../codes/promo-codes/attributing-code.ts';
import type {
  CheckoutCompleted,
  CustomerChanged,
  CustomerReferred,
  ProviderCustomer,
  Redemption,
} from '../../sources/port/provider-event.ts';
import { moveReferral } from '../../program/referrals/referral.transitions.ts';
import { claimByCode, claimByReferral, type HeldCustomer } from '../../attribution/claims.ts';
import { type Identified, identifyCustomer } from '../../attribution/identify-customer.ts';
import { settleCustomer } from '../../attribution/settle-attribution.ts';
import { protectedBy } from '../../platform/call/locks.ts';
import { findBound } from '../../attribution/bind-customer.ts';
import { referralOfLink } from './referral-of-link.ts';
import { findReferral } from './settle-payment.ts';
import { sameText } from '../../platform/db/conditions.ts';

/** What an event says about who referred a customer. */
interface ToldReferrer {
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
  const { customerId, email, name } = fact.customer;
  const { formerEmail } = fact;
  const { customer: known, held } = await identifyCustomer(ctx, {
    source: 'provider',
    psp_customer_id: customerId,
    email,
    formerEmail,
    name,
  });
  if (email !== null && formerEmail !== null && known.psp_customer_id === customerId) moveEmail(ctx, known, formerEmail, email);
  excludeCustomer(ctx, known, { at, excluded: fact.isExcluded }, fact.exclusionChanged);
  const { referral } = await findReferral(ctx, [fact.namedReferral]);
  const told = { referral, from: at, madeAt: at, redemptions: redemptionsOf(fact.redemptions) };
  await claimFor(ctx, livemode, known.id, told);
  // Runs after the address is stored, so that self-referrals that the new address reveals are flagged.
  await settleCustomer(ctx, held, known.id);
  if (isReferred(told)) await makeLead(ctx, { id: known.id, held }, at);
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
  const { customerId, email, name } = fact.customer;
  const known = isIdentified(fact.customer)
    ? await identifyCustomer(ctx, { source: 'provider', psp_customer_id: customerId, email, name })
    : null;
  const { referral: named } = await findReferral(ctx, [fact.clientReferenceId, fact.namedReferral]);
  const token = named === null ? fact.clientReferenceId : null;
  const linked = token === null ? null : await referralOfLink(ctx, token, known?.customer.id ?? null, openedAt);
  const referral = named ?? linked;
  const redemptions = fact.promotionCodeIds.map((promotionCodeId) => ({ promotionCodeId, at, source: `checkout ${at}` }));
  // A checkout that names a link is itself the visit. A checkout that names a referral came after its visit.
  const from = linked === null ? null : openedAt;
  if (known) await referCustomer(ctx, livemode, known, { referral, from, madeAt: openedAt, redemptions }, at);
  return referral;
}

/**
 * Binds the customer whose referral the metadata of an object names, or who redeemed a promotion code without a checkout, and makes the
 * customer at least a lead.
 *
 * @param at the time from which the referral counts. The metadata may be set long after the visit, and does not change earlier charges
 */
export async function bindNamed(
  ctx: WriteCtx,
  livemode: boolean,
  { customer, namedReferral, redemptions }: Pick<CustomerReferred, 'customer' | 'namedReferral' | 'redemptions'>,
  at: Instant,
): Promise<void> {
  const { referral } = await findReferral(ctx, [namedReferral]);
  const told = { referral, from: at, madeAt: at, redemptions: redemptionsOf(redemptions) };
  if (!isReferred(told) || !isIdentified(customer)) return;
  const { customerId, email, name } = customer;
  await referCustomer(
    ctx,
    livemode,
    await identifyCustomer(ctx, { source: 'provider', psp_customer_id: customerId, email, name }),
    told,
    at,
  );
}

/** True if an event identifies the customer of a payment. */
export function isIdentified({ customerId, email }: ProviderCustomer): boolean {
  return customerId !== null || email !== null;
}

async function referCustomer(
  ctx: WriteCtx,
  livemode: boolean,
  { customer, held }: Identified,
  told: ToldReferrer,
  at: Instant,
): Promise<void> {
  await claimFor(ctx, livemode, customer.id, told);
  await settleCustomer(ctx, held, customer.id);
  await makeLead(ctx, { id: customer.id, held }, at);
}

/** Records what an event says about the referrer as claims on the customer. */
async function claimFor(
  ctx: WriteCtx,
  livemode: boolean,
  customerId: string,
  { referral, from, madeAt, redemptions }: ToldReferrer,
): Promise<void> {
  if (referral) {
    const start = startOf(ctx, referral, from);
    await claimByReferral(ctx, customerId, referral, { madeAt, from: start });
  }
  for (const [, redeemed] of Map.groupBy(redemptions, ({ source }) => source)) {
    const { source } = redeemed[0]!;
    const at = notLater(redeemed[0]!.at, ctx.now);
    const ids = redeemed.map(({ promotionCodeId }) => promotionCodeId);
    const promo = await findAttributingCode(ctx.db, ctx.accountId, { psp_promotion_code_ids: ids, livemode }, at);
    if (promo) await claimByCode(ctx, customerId, promo, { at, saleId: null, source });
  }
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

async function makeLead(ctx: WriteCtx, { id, held }: { id: string; held: HeldCustomer }, at: Instant): Promise<void> {
  const bound = await findBound(ctx, id);
  if (bound?.conversion_state === 'visitor') moveReferral(ctx, protectedBy(held, bound), 'lead', at);
}

/** Two events about one redemption have the same time of redemption, so they make only one claim. */
function redemptionsOf(redemptions: readonly Redemption[]): ToldReferrer['redemptions'] {
  return redemptions.map(({ promotionCodeId, redeemedAt }) => {
    const at = toInstant(redeemedAt);
    return { promotionCodeId, at, source: `discount ${at}` };
  });
}

function isReferred({ referral, redemptions }: ToldReferrer): boolean {
  return referral !== null || redemptions.length > 0;
}
