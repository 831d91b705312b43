import { ANYTHING, attribute } from '../../attribution/attribute.ts';
import { claimByReferral, lockClaimsOn } from '../../attribution/claims/claims.ts';
import { type Identified, identifyCustomer, lockIdentities } from '../../attribution/claims/customers.ts';
import { findBound, findReferred } from '../../attribution/claims/referred.ts';
import { MERCHANT } from '../../attribution/decide/facts.ts';
import { lockAffiliate } from '../../ledger/affiliate-lock.ts';
import { assertHappened } from '../../platform/call/call-time.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { find, lock } from '../../platform/call/records.ts';
import { saveMerchantData } from '../../platform/call/save-merchant-data.ts';
import { invalid, noSuch } from '../../platform/errors/errors.ts';
import { joinsOf, nameOfClaim } from '../../program/customer-identities/customer-identity.ts';
import { Customer } from '../../program/customers/customer.entity.ts';
import { findCustomers, identitiesOf, joinNames } from '../../program/customers/customer.service.ts';
import { PROGRAM_REASONS } from '../../program/reasons.ts';
import { hasExpired, Referral } from '../../program/referrals/referral.entity.ts';
import { moveReferral, setReferralDeactivation } from '../../program/referrals/referral.transitions.ts';
import { type CreateLead, getReferral, type ReferralRecord, type UpdateReferral } from '../../program/referrals/referral.ts';
import { INTAKE_REASONS } from '../reasons.ts';

/**
 * Changes the given fields of a referral. Binding a customer also attributes those of the customer's sales that have no referral yet
 * (docs/rules/program.md#referrals).
 *
 * @throws NOT_FOUND; VALIDATION_ERROR when the customer is bound to another referral, or the referral to another customer, and when
 * `deactivated_at` is in the future
 */
export async function updateReferral(ctx: WriteCtx, input: UpdateReferral): Promise<ReferralRecord> {
  assertHappened(ctx, 'deactivated_at', input.deactivated_at);
  const { affiliate_id } = await getReferral(ctx, input);
  const { customer_email: email, external_id, metadata } = input;
  const referred = email === undefined ? null : await findReferred(ctx, input.id);
  const identified = email === undefined ? null : await identifyByEmail(ctx, email, referred!.referredId);
  const customer = identified?.customer;
  if (customer) await lockClaimsOn(ctx, input.id);
  await lockAffiliate(ctx, affiliate_id);
  const referral = await lock(ctx, Referral, input.id);
  saveMerchantData(ctx, Referral, referral, { external_id, metadata });
  if (input.deactivated_at !== undefined) setReferralDeactivation(ctx, referral, input.deactivated_at);
  if (input.conversion_state !== undefined) moveReferral(ctx, referral, input.conversion_state, ctx.now, 'person');
  if (identified && customer) {
    const isBound = referral.customer_id === customer.id;
    if (referral.customer_id !== null && !isBound) throw takenByAnother();
    if (!isBound) await assertUnbound(ctx, customer.id);
    // A binding by hand also attributes the customer's earlier sales that nobody earned from.
    if (
      (await claimByReferral(ctx, customer.id, referral, { madeAt: referral.created_at, namedBy: [MERCHANT] })).id !== referral.id
    )
      throw takenByAnother();
    joinNames(ctx, customer, joinsOf([nameOfClaim(referral.id), ...identified.emails], referral.created_at));
    await attribute(ctx, { of: 'customer', customer: identified, change: ANYTHING });
    // A claim of an earlier visit has bound the customer to another referral. An expired referral binds nobody unless an earlier sale becomes known.
    const bound = await findBound(ctx, customer.id);
    if (bound !== null && bound.id !== referral.id) throw boundToAnother();
  }
  return getReferral(ctx, referral);
}

/**
 * Finds or creates the customer with an address. If nobody has the address, and the customer of the referral (see `findReferred`) is known by ids only, it
 * is theirs: the answer is then the same before and after the ids became known.
 */
async function identifyByEmail(ctx: WriteCtx, email: string, customerId: string | null): Promise<Identified> {
  const known = { source: 'merchant', shown_at: ctx.now, email } as const;
  if (customerId === null) return identifyCustomer(ctx, known);
  await lockIdentities(ctx, identitiesOf(known));
  const isUnknown = (await findCustomers(ctx, identitiesOf(known))).customers.length === 0;
  const customer = isUnknown ? await find(ctx, Customer, customerId) : null;
  const lacksAddress = customer !== null && customer.email === null && customer.erased_at === null;
  return identifyCustomer(ctx, known, lacksAddress ? { id: customerId, isNamed: () => Promise.resolve(true) } : null);
}

/**
 * Records that the visitor of a referral signed up. Unlike a lead from a page, it proves who the customer is (docs/rules/intake.md#leads).
 *
 * @throws VALIDATION_ERROR for an unknown referral, and as `updateReferral`
 */
export async function createLead(ctx: WriteCtx, { referral_id, email }: CreateLead): Promise<ReferralRecord> {
  const referral = await find(ctx, Referral, referral_id);
  if (!referral) throw invalid('referral_id', noSuch('referral'), 'not_found');
  const state = referral.conversion_state === 'visitor' ? ({ conversion_state: 'lead' } as const) : {};
  return updateReferral(ctx, { id: referral_id, customer_email: email, ...state });
}

/** Throws if the customer is bound. A binding that expired without a conversion does not count (docs/rules/attribution.md#expired-bindings). */
async function assertUnbound(ctx: WriteCtx, customerId: string): Promise<void> {
  const bound = await findBound(ctx, customerId);
  if (bound && !hasExpired(bound, ctx.now)) throw boundToAnother();
}

function takenByAnother() {
  return invalid('customer_email', INTAKE_REASONS.referral_of_other_customer, 'taken');
}

function boundToAnother() {
  return invalid('customer_email', PROGRAM_REASONS.customer_of_other_referral, 'taken');
}
