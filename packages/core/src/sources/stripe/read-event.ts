import { z } from 'zod';
import type { ConnectionSettings, EventPayer, IgnoreReason } from '../port/port.ts';
import { IGNORED } from '../port/reasons.ts';
import { chargeFact, chargeRefundedFact, chargeUpdatedFact, refundFact, disputeFact } from './facts/charge.ts';
import { checkoutSessionFact } from './facts/checkout-session.ts';
import { creditNoteFact } from './facts/credit-note.ts';
import { customerFact, paymentIntentFact, subscriptionFact } from './facts/customer.ts';
import { invoiceFact, invoiceUpdatedFact } from './facts/invoice.ts';
import { CUSTOMER_ID_KEY } from './facts/merchant-metadata.ts';
import { promotionCodeSchema } from './promotion-code.ts';
import type { ProviderEvent, ProviderFact } from './values/provider-event.ts';
import { mode, name, timestamp } from './values/provider-object.ts';

/**
 * The handled event types, each with the schema of its object. docs/rules/intake.md#provider-events describes what each event causes. If a
 * payment takes days to settle, its checkout completes unpaid, and `charge.succeeded` reports the sale later.
 */
const FACT_OF_TYPE: Readonly<Record<string, z.ZodType<ProviderFact>>> = {
  'checkout.session.completed': checkoutSessionFact,
  'customer.created': customerFact,
  'customer.updated': customerFact,
  'customer.subscription.created': subscriptionFact,
  'customer.subscription.updated': subscriptionFact,
  'invoice.paid': invoiceFact,
  'invoice.updated': invoiceUpdatedFact,
  'payment_intent.succeeded': paymentIntentFact,
  'charge.succeeded': chargeFact,
  'charge.captured': chargeFact,
  'charge.updated': chargeUpdatedFact,
  'charge.refunded': chargeRefundedFact,
  'charge.refund.updated': refundFact,
  'refund.created': refundFact,
  'refund.updated': refundFact,
  'refund.failed': refundFact,
  'charge.dispute.created': disputeFact,
  'charge.dispute.updated': disputeFact,
  'charge.dispute.funds_withdrawn': disputeFact,
  'charge.dispute.funds_reinstated': disputeFact,
  'charge.dispute.closed': disputeFact,
  'credit_note.created': creditNoteFact,
  'credit_note.updated': creditNoteFact,
  'credit_note.voided': creditNoteFact,
  'promotion_code.updated': promotionCodeSchema.transform((promotionCode) => ({
    kind: 'promotion_code_updated' as const,
    promotionCode,
  })),
};

/** Event types to which an endpoint at the provider has to subscribe, and which a backfill fetches. */
export const HANDLED_EVENT_TYPES: readonly string[] = Object.keys(FACT_OF_TYPE);

/** Why events of a handled type may have nothing that this service needs, by type. */
export const UNNEEDED_REASONS: Readonly<Record<string, IgnoreReason>> = {
  'customer.subscription.created': IGNORED.subscription_without_referral,
  'customer.subscription.updated': IGNORED.subscription_change_without_referral,
  'invoice.paid': IGNORED.invoice_without_referral,
  'payment_intent.succeeded': IGNORED.payment_without_referral,
  'charge.succeeded': IGNORED.charge_only_authorized,
  'charge.captured': IGNORED.charge_only_authorized,
  'charge.updated': IGNORED.change_without_exclusion,
  'invoice.updated': IGNORED.change_without_exclusion,
  'credit_note.created': IGNORED.credit_note_without_invoice,
  'credit_note.updated': IGNORED.credit_note_without_invoice,
  'credit_note.voided': IGNORED.credit_note_without_invoice,
};

/** Returns the handled event types that an endpoint does not receive. */
export function missingTypes(received: readonly string[]): string[] {
  return received.includes('*') ? [] : HANDLED_EVENT_TYPES.filter((type) => !received.includes(type));
}

const envelope = z.object({
  id: name,
  object: z.literal('event').default('event'),
  type: name,
  created: timestamp,
  livemode: mode,
  account: name.nullish().transform((id) => id ?? null),
  data: z.object({ object: z.looseObject({}), previous_attributes: z.looseObject({}).nullish().catch(null) }),
});

const mayBeEvent = z.looseObject({ data: z.looseObject({ object: z.looseObject({}) }) });

/** Parses an event that is known to come from the provider. Throws a `ZodError` if the payload is not an event. */
export function readProviderEvent(payload: unknown, settings: ConnectionSettings): ProviderEvent {
  const event = envelope.parse(completed(payload));
  const customerIdKey = settings['customer_id_key'] ?? null;
  const fact = readFact(event.type, {
    ...withCustomerId(event.data.object, customerIdKey),
    previous_attributes: event.data.previous_attributes,
  });
  return {
    id: event.id,
    type: event.type,
    occurredAt: event.created,
    mode: event.livemode,
    fact,
    countsShipping: settings['shipping'] === 'count',
    isUnused: fact.kind === 'ignored',
    problem: problemOf(fact, event.account, settings['connected_account_id'] ?? null),
    payer: payerOf(fact),
    payload: z.record(z.string(), z.unknown()).parse(payload),
  };
}

/**
 * Returns the reason why an event has no effect, or null. An event of another account of a platform is not applied, because its customers pay somebody
 * else.
 *
 * @param own the connected account whose events count; null for the own account of the key
 */
function problemOf(fact: ProviderFact, account: string | null, own: string | null): IgnoreReason | null {
  if (fact.kind === 'ignored') return null;
  if (account !== own)
    return account === null ? IGNORED.event_of_platform({ account: own! }) : IGNORED.event_of_other_account({ account });
  return fact.kind === 'unreadable' ? fact.problem : null;
}

function payerOf(fact: ProviderFact): EventPayer | null {
  if (!('customer' in fact)) return null;
  const { customerId: id, externalId, email } = fact.customer;
  return { id, externalId, email, formerEmail: 'formerEmail' in fact ? fact.formerEmail : null };
}

/** Returns an event without name and addresses of its customer. */
export function withoutCustomer(event: ProviderEvent): ProviderEvent {
  const { fact } = event;
  if (!('customer' in fact)) return event;
  const customer = { ...fact.customer, email: null, name: null };
  return { ...event, fact: { ...fact, customer, ...('formerEmail' in fact && { formerEmail: null }) } as ProviderFact };
}

/**
 * Returns an object with the merchant's own id of the customer in `CUSTOMER_ID_KEY` of its metadata, whatever key the merchant uses. Null stands
 * for no key. The metadata of an invoice's subscription are part of the invoice.
 */
function withCustomerId(object: Record<string, unknown>, key: string | null): Record<string, unknown> {
  if (key === CUSTOMER_ID_KEY) return object;
  const renamed = (object: unknown) => {
    const { data } = holds.safeParse(object);
    if (!data?.metadata) return object;
    return { ...data, metadata: { ...data.metadata, [CUSTOMER_ID_KEY]: key === null ? undefined : data.metadata[key] } };
  };
  const parent = z.looseObject({ subscription_details: z.unknown() }).safeParse(object['parent']).data;
  return {
    ...(renamed(object) as Record<string, unknown>),
    subscription_details: renamed(object['subscription_details']),
    ...(parent && { parent: { ...parent, subscription_details: renamed(parent.subscription_details) } }),
  };
}

const holds = z.looseObject({ metadata: z.record(z.string(), z.unknown()).nullish() });

/**
 * Fills in the time and the mode of an event. The provider sends each of them twice, once in the event and once in the event's object, but
 * relays and test tools omit some of these values. The value in the event takes precedence. An event without a mode counts as a test event.
 */
function completed(payload: unknown): unknown {
  const reported = mayBeEvent.safeParse(payload).data;
  if (!reported) return payload;
  const { object } = reported.data;
  const created = reported['created'] ?? object['created'];
  const livemode = reported['livemode'] ?? object['livemode'] ?? false;
  return {
    ...reported,
    created,
    livemode,
    data: { ...reported.data, object: { ...object, created: object['created'] ?? created } },
  };
}

function readFact(type: string, object: unknown): ProviderFact {
  if (!Object.hasOwn(FACT_OF_TYPE, type)) return { kind: 'ignored' };
  const result = FACT_OF_TYPE[type]!.safeParse(object);
  if (result.success) return result.data;
  const fields = result.error.issues.map((issue) => issue.path.join('.') || '(root)');
  return { kind: 'unreadable', problem: IGNORED.fields_missing({ fields: [...new Set(fields)].join(', ') }) };
}
