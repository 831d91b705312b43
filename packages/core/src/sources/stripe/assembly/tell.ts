import type { WriteCtx } from '../../../platform/call/context.ts';
import { type Instant, toInstant } from '../../../platform/time/instant.ts';
import type { Payer, PayerSeen, PaymentSeen, Seen, SubscriptionSeen } from '../../port/seen.ts';
import { STRIPE } from '../values/names.ts';
import type { CheckoutCompleted, NamedReferral, ProviderCustomer, ProviderEvent, Redemption } from '../values/provider-event.ts';
import { keepPieces } from './keep-pieces.ts';
import { piecesOf } from './piece.ts';

/** Digits of a version, so that texts compare like the numbers in them. */
const VERSION_DIGITS = 10;

/** Keeps what an event says about payments, and returns everything that is known now about its payer, its codes and its payments. */
export async function tell(ctx: WriteCtx, connectionId: string, event: ProviderEvent): Promise<Seen[]> {
  const { fact, mode, occurredAt, countsShipping } = event;
  const told = { source: STRIPE, connectionId, mode } as const;
  const at = toInstant(occurredAt);
  if (fact.kind === 'promotion_code_updated') return [{ kind: 'code', connectionId, code: fact.promotionCode, at }];
  const seen = payersOf(event).map((payer): Seen => ({ ...told, ...payer }));
  const pieces = piecesOf(fact, occurredAt);
  if (pieces.length === 0) return seen;
  const { version, payments } = await keepPieces(ctx, { connectionId, mode, countsShipping }, pieces);
  const common = { kind: 'payment', ...told, version: String(version).padStart(VERSION_DIGITS, '0') } as const;
  return [...seen, ...payments.map((payment): PaymentSeen => ({ ...common, ...payment }))];
}

type Origin = 'source' | 'connectionId' | 'mode';
type PayerTold = Omit<PayerSeen, Origin> | Omit<SubscriptionSeen, Origin>;

/** Returns what an event says about the payer and the subscription themselves. */
function payersOf({ fact, occurredAt }: ProviderEvent): PayerTold[] {
  const at = toInstant(occurredAt);
  switch (fact.kind) {
    case 'customer_changed': {
      const { customer, formerEmail, isExcluded, exclusionChanged } = fact;
      const exclusion = { excluded: isExcluded, isNew: exclusionChanged };
      return [{ ...named(fact, at), place: 'record', payer: payerOf(customer), formerEmail, exclusion, at }];
    }
    case 'customer_referred': {
      const { customer, trial, referredAt } = fact;
      const from = referredAt === null ? at : toInstant(referredAt);
      const payer = payerOf(customer);
      const of = trial && {
        kind: 'subscription' as const,
        payer,
        id: trial.subscriptionId,
        trialUntil: trial.until && toInstant(trial.until),
        at,
      };
      return [...(of ? [of] : []), { ...named(fact, from), at }];
    }
    case 'checkout_completed':
      return [checkedOut(fact, at)];
    case 'charge_succeeded':
      return fact.namedReferral === null ? [] : [{ ...named(fact, toInstant(fact.createdAt)), at: toInstant(fact.createdAt) }];
    case 'invoice_paid': {
      const paidAt = toInstant(fact.paidAt);
      const checkout = fact.checkout === null ? [] : [checkedOut(fact.checkout, paidAt)];
      return fact.namedReferral === null ? checkout : [...checkout, { ...named(fact, paidAt), at: paidAt }];
    }
    default:
      return [];
  }
}

/** A checkout comes after the visit of the referral that it names. */
function checkedOut(fact: CheckoutCompleted, at: Instant): PayerTold {
  const { customer, clientReferenceId, namedReferral, promotionCodeIds, openedAt } = fact;
  const said = { from: null, at: openedAt === null ? at : toInstant(openedAt) };
  return {
    kind: 'payer',
    place: 'checkout',
    payer: payerOf(customer),
    formerEmail: null,
    references: [
      ...(clientReferenceId === null ? [] : [{ value: clientReferenceId, place: 'checkout' as const, ...said }]),
      ...(namedReferral === null ? [] : [{ value: namedReferral, place: 'metadata' as const, ...said }]),
    ],
    redemptions: promotionCodeIds.map((id) => ({ id, at, source: `checkout ${at}` })),
    exclusion: null,
    at,
  };
}

/**
 * Returns what the metadata of an object and its discounts say about the payer.
 *
 * @param from the time from which the referral counts. The metadata may be set long after the visit, and do not change earlier charges
 */
function named(
  {
    customer,
    namedReferral,
    redemptions = [],
  }: { customer: ProviderCustomer; namedReferral: NamedReferral; redemptions?: readonly Redemption[] },
  from: Instant,
): Omit<PayerSeen, Origin | 'at'> {
  return {
    kind: 'payer',
    place: 'metadata',
    payer: payerOf(customer),
    formerEmail: null,
    references: namedReferral === null ? [] : [{ value: namedReferral, place: 'metadata', from, at: from }],
    redemptions: redemptions.map(({ promotionCodeId: id, redeemedAt }) => {
      const at = toInstant(redeemedAt);
      // Two events about one redemption tell the same time, so they make only one claim.
      return { id, at, source: `discount ${at}` };
    }),
    exclusion: null,
  };
}

function payerOf({ customerId, externalId, email, name }: ProviderCustomer): Payer {
  return { ids: customerId === null ? [] : [customerId], externalId, email, name };
}
