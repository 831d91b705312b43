/** Runs the examples of docs/stripe, and sends their fields as Stripe would. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  API_VERSIONS,
  charge,
  checkoutSession,
  customer,
  invoice,
  newId,
  subscription,
  type VersionedEvents,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { orders, TRIED_ORDERS, useEventShop } from './event-shop.ts';

const DOCS = join(import.meta.dirname, '../../docs/stripe');
const AMOUNT = 5_000;

const shop = useEventShop();

interface Example {
  /** Page and number of the example. */
  name: string;
  code: string;
}

const EXAMPLES: Example[] = globSync('*.md', { cwd: DOCS }).flatMap((file) =>
  [...readFileSync(join(DOCS, file), 'utf8').matchAll(/^```js\n(.*?)^```$/gms)].map(([, code], index) => ({
    name: `${basename(file, '.md')} ${index + 1}`,
    code: code!,
  })),
);

type Metadata = Record<string, string>;

interface Call {
  /** E.g. `checkout.sessions`. */
  resource: string;
  fields: Record<string, unknown> & { metadata?: Metadata; customer?: string; mode?: string };
  id: string;
}

/** The requests of an example to Stripe. */
interface Sent {
  calls: Call[];
  /** The reference in the address of a payment link, or in the attribute of an element. */
  reference: string | null;
}

const PREFIXES: Record<string, string> = {
  'checkout.sessions': 'cs_test',
  customers: 'cus',
  invoices: 'in',
  paymentIntents: 'pi',
  subscriptions: 'sub',
};

/** Runs an example with a client of Stripe that only notes the calls. */
async function run(code: string, values: { referralId: string; token: string }): Promise<Sent> {
  const calls: Call[] = [];
  const client = (resource: string) => ({
    create: async (fields: Call['fields']) => {
      // The objects of the example belong to another context.
      const copy = JSON.parse(JSON.stringify(fields)) as Call['fields'];
      const id = newId(PREFIXES[resource]!);
      calls.push({ resource, fields: copy, id });
      return { id };
    },
  });
  const stripe = {
    checkout: { sessions: client('checkout.sessions') },
    customers: client('customers'),
    invoices: client('invoices'),
    paymentIntents: client('paymentIntents'),
    subscriptions: client('subscriptions'),
  };
  const attributes: Record<string, string> = {};
  const element = { setAttribute: (name: string, value: string) => void (attributes[name] = value) };
  const page = {
    location: { href: '' },
    document: { querySelector: () => element },
    affiliate: { ready: (take: (id: string) => void) => take(values.referralId) },
  };
  const address = (await runInNewContext(
    `(async () => { ${code}\n return typeof shared === 'string' ? shared : location.href; })()`,
    { ...values, ...page, stripe, email: 'buyer@shop.example', customerId: newId('cus') },
  )) as string;
  const inAddress = address === '' ? null : new URL(address).searchParams.get('client_reference_id');
  return { calls, reference: inAddress ?? attributes['client-reference-id'] ?? null };
}

/** Returns the events that Stripe sends for the calls and for the payment that follows. */
function eventsOf(wire: VersionedEvents, { calls, reference }: Sent): WireEvent[] {
  const of = (resource: string) => calls.find((call) => call.resource === resource);
  const [person, session] = [of('customers'), of('checkout.sessions')];
  const buyer = person?.id ?? calls.find(({ fields }) => fields.customer)?.fields.customer ?? newId('cus');
  const paidBy = (more: Partial<Stripe.Charge> = {}) => charge({ amount: AMOUNT, customer: buyer, ...more });
  const bill = (metadata: Metadata = {}) => invoice({ total: AMOUNT, customer: buyer, metadata });
  const events: WireEvent[] = [];
  if (person) {
    const { metadata = {}, email } = person.fields;
    events.push(wire.event('customer.created', customer({ id: buyer, email: String(email), metadata })));
  }
  if (session || reference !== null) {
    const { fields = {}, id = newId('cs_test') } = session ?? {};
    const { client_reference_id = reference, metadata = {}, mode = 'payment' } = fields;
    const named = { id, client_reference_id: client_reference_id as string | null, metadata, customer: buyer };
    if (mode === 'subscription') {
      const paid = bill();
      events.push(wire.completed(checkoutSession({ ...named, invoice: paid.id })));
      events.push(wire.paid({ invoice: paid, paidBy: paidBy(), ofSubscription: {} }));
    } else {
      const paid = paidBy();
      events.push(wire.completed(checkoutSession({ ...named, payment_intent: paid.payment_intent })), wire.charged(paid));
    }
  } else if (of('subscriptions')) {
    const { fields, id } = of('subscriptions')!;
    const { metadata = {}, trial_period_days } = fields;
    const trial = trial_period_days === undefined ? { status: 'active', trial_end: null } : {};
    events.push(
      wire.subscription('created', subscription(buyer, { id, metadata, ...trial })),
      wire.paid({ invoice: bill(), paidBy: paidBy(), ofSubscription: metadata }),
    );
  } else if (of('invoices')) {
    events.push(wire.paid({ invoice: bill(of('invoices')!.fields.metadata), paidBy: paidBy() }));
  } else {
    const { fields, id = newId('pi') } = of('paymentIntents') ?? {};
    const metadata = fields?.metadata ?? {};
    // Stripe copies the metadata of an intent to its charge.
    const paid = paidBy({ payment_intent: id, metadata });
    if (of('paymentIntents'))
      events.push(
        wire.event('payment_intent.succeeded', { id, customer: buyer, latest_charge: paid.id, created: paid.created, metadata }),
      );
    events.push(wire.charged(paid));
  }
  const isExcluded = calls.some(({ fields }) => fields.metadata?.['affiliate'] === 'false');
  return isExcluded ? [...events, ...binding(wire, buyer)] : events;
}

let bound = '';

/** A checkout that binds the customer of an excluded payment, which would earn otherwise. */
function binding(wire: VersionedEvents, buyer: string): WireEvent[] {
  return [wire.completed(checkoutSession({ client_reference_id: bound, customer: buyer, customer_details: null }))];
}

async function earned() {
  const commissions = (await shop.commissions()).filter(({ state }) => state !== 'voided');
  return commissions.map(({ amount_cents }) => amount_cents);
}

async function reasons() {
  return (await shop.merchant.call().sales.list({})).data.map(({ no_commission_reason }) => no_commission_reason);
}

test('every page has an example', () => {
  const pages = new Set(EXAMPLES.map(({ name }) => name.split(' ')[0]));
  expect(pages).toEqual(
    new Set(['checkout', 'elements', 'invoices', 'no-code', 'payment-links', 'pricing-table', 'subscriptions']),
  );
});

describe.each(API_VERSIONS)('in API version %s', (version) => {
  test.each(EXAMPLES)('the example $name earns as the page says, in any order of the events', async ({ code }) => {
    const isExcluded = code.includes("affiliate: 'false'");
    const wanted = isExcluded ? { earned: [], reasons: ['excluded'] } : { earned: [AMOUNT / 5], reasons: [null] };
    const tried = async (order?: readonly number[]) => {
      await shop.open();
      const { affiliateId: affiliate_id, campaignId: campaign_id } = shop.program;
      const { token } = await shop.merchant.call().links.create({ affiliate_id, campaign_id, url: 'https://shop.example' });
      bound = await shop.refer();
      const events = eventsOf(shop.in(version), await run(code, { referralId: bound, token }));
      const ordered = order?.map((index) => events[index]!) ?? events;
      await shop.deliver(...ordered);
      expect({ order, earned: await earned(), reasons: await reasons() }).toEqual({ order, ...wanted });
      return events.length;
    };
    const length = await tried();
    const indexes = Array.from({ length }, (_, index) => index);
    for (const order of length === 3 ? TRIED_ORDERS : orders(indexes)) await tried(order);
  });
});
