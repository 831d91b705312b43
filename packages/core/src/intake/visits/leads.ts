import { sql } from 'kysely';
import { ANYTHING, attribute } from '../../attribution/attribute.ts';
import { claimByReferral, lockClaimsOn } from '../../attribution/claims/claims.ts';
import { lockCustomer, type LockedCustomer, lockIdentities } from '../../attribution/claims/customers.ts';
import { findReferred } from '../../attribution/claims/referred.ts';
import { lockNetwork, noteLead } from '../../attribution/crowded-leads.ts';
import { type AttemptLimit, countAttempt } from '../../identity/auth-library/attempts.ts';
import { clientNetwork } from '../../identity/sessions/client-network.ts';
import { lockAffiliate } from '../../ledger/affiliate-lock.ts';
import { KIND_OF_SALE } from '../../ledger/sales/sale.entity.ts';
import type { PublicCtx, WriteCtx } from '../../platform/call/context.ts';
import { lock } from '../../platform/call/records.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { invalid, noSuch } from '../../platform/errors/errors.ts';
import { wholeSecond } from '../../platform/time/instant.ts';
import { createCustomer, findCustomers, identitiesOf } from '../../program/customers/customer.service.ts';
import { isLive, Referral } from '../../program/referrals/referral.entity.ts';
import { moveReferral } from '../../program/referrals/referral.transitions.ts';
import type { TrackLead, TrackedLead } from './visit.schema.ts';

/** Maximum number of leads of an account from one network. */
const FROM_NETWORK: AttemptLimit = { max: 100, windowSeconds: 600 };
/** Maximum number of leads of an account that name one email address. */
const OF_ADDRESS: AttemptLimit = { max: 10, windowSeconds: 86_400 };

/**
 * Records that a visitor left an email address, as an unproven claim of the customer on the referral, and turns a referral in state `visitor` into a
 * lead. Anyone may call this function, so it never creates a commission (docs/rules/intake.md#leads): it has no effect on a customer who has paid or is
 * already bound, it attributes no sale, and its answer reveals nothing about customers. What the lead alone earns later is flagged, and so is what many leads
 * from one network earn.
 *
 * @throws VALIDATION_ERROR for an unknown referral; RATE_LIMITED for too many leads from one network or with one email address
 */
export async function trackLead(
  { services, requestId, client, clientAddress }: PublicCtx,
  input: TrackLead,
): Promise<TrackedLead> {
  const known = await services.database.kysely
    .selectFrom('referral')
    .select(['account_id', 'affiliate_id', 'customer_id'])
    .where('id', '=', input.referral_id)
    .executeTakeFirst();
  if (!known) throw invalid('referral_id', noSuch('referral'), 'not_found');
  const network = clientNetwork(client?.address ?? clientAddress ?? 'unknown');
  await countAttempt(services, `leads of ${known.account_id} from ${network}`, FROM_NETWORK);
  await countAttempt(services, `leads of ${known.account_id} with ${input.email.toLowerCase()}`, OF_ADDRESS);
  return inTransaction(systemContext(services, known.account_id, requestId), async (ctx) => {
    const counted = await lockNetwork(ctx, network);
    const lead = await leadOf(ctx, input, known.customer_id);
    if (lead) await lockClaimsOn(ctx, input.referral_id);
    await lockAffiliate(ctx, known.affiliate_id);
    const referral = await lock(ctx, Referral, input.referral_id);
    if (isLive(referral, ctx.now)) {
      if (lead && (await isFree(ctx, referral, lead.id)) && !(await hasPaid(ctx, lead.id))) {
        await claimByReferral(ctx, lead.id, referral, { madeAt: ctx.now, isProven: false, namedBy: [] });
        await noteLead(ctx, counted, referral.id);
        await attribute(ctx, { of: 'customer', customer: lead, change: ANYTHING });
      }
      if (referral.conversion_state === 'visitor') moveReferral(ctx, referral, 'lead', ctx.now);
    }
    return { referral_id: referral.id, conversion_state: referral.conversion_state };
  });
}

/**
 * Finds or creates the customer with this address, and locks them. Does not change a known customer, because a stranger may have sent the
 * request. If the referral has a customer, returns null for everybody else.
 */
async function leadOf(ctx: WriteCtx, input: TrackLead, customerId: string | null): Promise<LockedCustomer | null> {
  const known = { ...input, source: 'lead', shown_at: ctx.now } as const;
  const named = identitiesOf(known);
  await lockIdentities(ctx, named);
  const [found] = (await findCustomers(ctx, named)).customers;
  if (customerId !== null && found?.id !== customerId) return null;
  const customer = found ?? createCustomer(ctx, known);
  return lockCustomer(ctx, customer.id);
}

/** True if no other customer has the referral or a claim on it. */
async function isFree(ctx: WriteCtx, { id, customer_id }: Referral, leadId: string): Promise<boolean> {
  if (customer_id !== null) return customer_id === leadId;
  const { referredId } = (await findReferred(ctx, id))!;
  return referredId === null || referredId === leadId;
}

/**
 * True if the customer has paid in live mode. The lead then never has an effect, whatever becomes known later. All other leads are recorded, because
 * the decision knows best whether the customer was free at that time.
 */
async function hasPaid(ctx: WriteCtx, customerId: string): Promise<boolean> {
  const { rows } = await sql`
    select from sale where customer_id = ${customerId} and ${KIND_OF_SALE} in (1, 2) and charged_at < ${wholeSecond(ctx.now)} limit 1`.execute(
    ctx.db,
  );
  return rows.length > 0;
}
