import { z } from 'zod';
import { emailFor, emailProblems } from '../../port/email-address.ts';
import { nameOf, noteOf, type Outgoing, type PayoutItem, type Problem, type SendingMethod } from '../../port/method.ts';
import { inEitherMode } from '../../port/rail-request.ts';
import { type Notice, type RailAccess, RailError, type Word } from '../../port/rail.ts';
import { amountAtPayPal, PAYPAL, unitAtPayPal } from '../paypal/paypal.ts';
import { PAYPAL_REASONS } from '../paypal/reasons.ts';
import { parsed, PayPalClient, type PayPalOptions, PayPalRefusal } from './paypal-client.ts';
import { Batch, Item, tellBatch, tellItem } from './tell.ts';

/** Currencies that the API pays at least in some countries. PayPal decides on the others of its lists. */
const CURRENCIES = [...PAYPAL.currencies!, 'IDR', 'INR', 'RUB'];
/** Days for which PayPal knows a `sender_batch_id`. */
const KEY_DAYS = 30;
/** Calls of an average minute. PayPal takes 400 requests to pay. */
const PER_MINUTE = 200;
/** Length of a receiver's address. */
const MAX_RECEIVER = 127;

/** Refusals of the request itself. The same request was refused before, too. */
const OF_REQUEST = new Set(['VALIDATION_ERROR', 'INVALID_REQUEST', 'MALFORMED_REQUEST']);
/** PayPal's name of the error for a `sender_batch_id` that it knows, among other errors. */
const MAY_BE_DUPLICATE = 'USER_BUSINESS_ERROR';

const ITEM_EVENTS = 'SUCCEEDED FAILED UNCLAIMED RETURNED HELD BLOCKED REFUNDED DENIED CANCELED'.split(' ');
const BATCH_EVENTS = 'DENIED PROCESSING SUCCESS'.split(' ');
const EVENT_TYPES = [
  ...BATCH_EVENTS.map((name) => `PAYMENT.PAYOUTSBATCH.${name}`),
  ...ITEM_EVENTS.map((name) => `PAYMENT.PAYOUTS-ITEM.${name}`),
];

/** Hosts from which certificates of PayPal's signatures come. */
const CERTIFICATE_HOSTS = new Set(['api.paypal.com', 'api.sandbox.paypal.com', 'api-m.paypal.com', 'api-m.sandbox.paypal.com']);

const text = z.string().min(1).max(300);
const Created = z.object({ batch_header: z.object({ payout_batch_id: text, batch_status: z.string() }) });
const Endpoints = z.object({ webhooks: z.array(z.object({ id: text, url: z.string() })) });
const Event = z.object({
  id: text,
  event_type: text,
  resource: z
    .object({
      sender_batch_id: text,
      payout_item_id: text,
      payout_batch_id: text,
      payout_item: z.object({ sender_item_id: text }).partial(),
      batch_header: z
        .object({ payout_batch_id: text, sender_batch_header: z.object({ sender_batch_id: text }).partial() })
        .partial(),
    })
    .partial(),
});

/**
 * PayPal's Payouts API. Each payment is a batch of its own at PayPal, whose `sender_batch_id` is the key of the payment: that is the only id by which
 * PayPal recognizes a payment that it has made already, for 30 days.
 */
export function payPalApi(options: PayPalOptions): SendingMethod {
  const client = new PayPalClient(options);

  const readBatch = async (access: RailAccess, id: string, key: string): Promise<Word> => {
    const path = `/v1/payments/payouts/${encodeURIComponent(id)}?page_size=1000&total_required=true`;
    return tellBatch(parsed(Batch, await client.call('GET', path, access)), key);
  };

  return {
    kind: PAYPAL.kind,
    addressSchema: PAYPAL.addressSchema,
    currencies: new Set(CURRENCIES),
    unitOf: unitAtPayPal,
    limits: { items: 15_000, keyMs: KEY_DAYS * 86_400_000, perMinute: PER_MINUTE },
    problems: (items) => [...emailProblems(PAYPAL.kind, 'PayPal', items), ...addressProblems(items)],

    send: async (payment, railAccess) => {
      const access = railAccess!;
      try {
        const answer = await client.call('POST', '/v1/payments/payouts', access, bodyOf(payment));
        const { batch_header } = parsed(Created, answer);
        return {
          state: 'sent',
          raw_state: batch_header.batch_status,
          facts: { provider_batch_id: batch_header.payout_batch_id },
        };
      } catch (error) {
        if (!(error instanceof PayPalRefusal)) throw error;
        const former = error.kind === MAY_BE_DUPLICATE ? formerBatch(error.links) : null;
        if (former !== null) return readBatch(access, former, payment.key);
        throw isCertain(error, payment) ? error : error.as({ outcomeUnknown: true });
      }
    },

    look: async ({ key, provider_batch_id, provider_item_id }, railAccess) => {
      if (provider_item_id === null) return readBatch(railAccess!, provider_batch_id!, key);
      const path = `/v1/payments/payouts-item/${encodeURIComponent(provider_item_id)}`;
      const item = parsed(Item, await client.call('GET', path, railAccess!));
      if (item.payout_item.sender_item_id !== key)
        throw new RailError({ said: PAYPAL_REASONS.other_payment, outcomeUnknown: true });
      return tellItem(item);
    },

    recalls: ['unclaimed'],
    cancel: async ({ provider_item_id }, railAccess) => {
      const path = `/v1/payments/payouts-item/${encodeURIComponent(provider_item_id!)}/cancel`;
      return tellItem(parsed(Item, await client.call('POST', path, railAccess!)));
    },

    accounts: {
      name: 'PayPal',
      fields: [
        { name: 'client_id', placeholder: 'AbC1', isSecret: false },
        { name: 'client_secret', placeholder: 'EFg2', isSecret: true },
      ],
      connect: (credentials) =>
        inEitherMode(async (mode) => {
          await client.token(mode, credentials);
          return { mode, accountId: credentials['client_id']! };
        }),
      notices: {
        createEndpoint: async (access, url) => {
          const path = '/v1/notifications/webhooks';
          const { webhooks } = parsed(Endpoints, await client.call('GET', path, access));
          const known = webhooks.find((each) => each.url === url);
          if (known) return { id: known.id, secret: null };
          const body = JSON.stringify({ url, event_types: EVENT_TYPES.map((name) => ({ name })) });
          return { ...parsed(z.object({ id: text }), await client.call('POST', path, access, body)), secret: null };
        },
        deleteEndpoint: async (access, endpointId) => {
          await client.call('DELETE', `/v1/notifications/webhooks/${encodeURIComponent(endpointId)}`, access);
        },
        verify: async (access, { rawBody, header }) => {
          const event = eventIn(rawBody);
          const signed = SIGNED_HEADERS.map(([field, name]) => [field, header(name) ?? ''] as const);
          const certificate = signed.find(([field]) => field === 'cert_url')![1];
          if (event === null || !isOfPayPal(certificate) || signed.some(([, value]) => value === '')) return null;
          const fields = [...signed, ['webhook_id', access.endpointId] as const].map(
            ([field, value]) => `"${field}":${JSON.stringify(value)}`,
          );
          // The signature covers the bytes of the event, so they are passed on as they are.
          const body = `{${fields.join(',')},"webhook_event":${event.source}}`;
          const answer = await client.call('POST', '/v1/notifications/verify-webhook-signature', access, body);
          return parsed(z.object({ verification_status: z.string() }), answer).verification_status === 'SUCCESS'
            ? event.notice
            : null;
        },
      },
    },
  };
}

const SIGNED_HEADERS = [
  ['auth_algo', 'paypal-auth-algo'],
  ['cert_url', 'paypal-cert-url'],
  ['transmission_id', 'paypal-transmission-id'],
  ['transmission_sig', 'paypal-transmission-sig'],
  ['transmission_time', 'paypal-transmission-time'],
] as const;

/** The request has the same bytes however often the payment is sent. */
function bodyOf(payment: Outgoing): string {
  const { key, currency } = payment;
  return JSON.stringify({
    sender_batch_header: { sender_batch_id: key, recipient_type: 'EMAIL', email_subject: 'Your affiliate commissions' },
    items: [
      {
        recipient_type: 'EMAIL',
        receiver: emailFor(PAYPAL.kind, payment),
        amount: { currency, value: amountAtPayPal(payment) },
        note: noteOf(payment),
        sender_item_id: key,
        recipient_wallet: 'PAYPAL',
        purpose: 'SERVICES',
      },
    ],
  });
}

function addressProblems(items: readonly PayoutItem[]): Problem[] {
  return items
    .filter((item) => emailFor(PAYPAL.kind, item).length > MAX_RECEIVER)
    .map((item) => ({
      payout_id: item.payout_id,
      code: 'unsupported_address' as const,
      message: PAYPAL_REASONS.address_too_long({ name: nameOf(item), payout: item.payout_id, max: MAX_RECEIVER }),
    }));
}

/** True if PayPal has certainly not made the payment. A refusal of a repeated request says nothing about the first time, unless it is about its content. */
function isCertain({ kind, outcomeUnknown }: PayPalRefusal, { isRepeat }: Outgoing): boolean {
  return !outcomeUnknown && kind !== MAY_BE_DUPLICATE && (!isRepeat || OF_REQUEST.has(kind));
}

/** Returns the id of the batch that PayPal names as the former one. Only the id is taken from the address, which is never requested. */
function formerBatch(links: readonly string[]): string | null {
  return links.map((href) => /\/payments\/payouts\/([\w-]{1,64})$/.exec(href)?.[1]).find((id) => id !== undefined) ?? null;
}

function isOfPayPal(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'https:' && CERTIFICATE_HOSTS.has(new URL(url).host);
}

/** Reads an event. Returns null for a body that is not one of PayPal's events of payments. */
function eventIn(rawBody: Uint8Array): { notice: Notice; source: string } | null {
  const source = new TextDecoder().decode(rawBody);
  try {
    const { id, event_type, resource } = Event.parse(JSON.parse(source));
    const { sender_batch_id, payout_item_id, payout_batch_id, payout_item, batch_header } = resource;
    const keys = [payout_item?.sender_item_id, sender_batch_id, batch_header?.sender_batch_header?.sender_batch_id];
    return {
      source,
      notice: {
        id,
        type: event_type,
        keys: keys.filter((key) => key !== undefined),
        provider_batch_id: payout_batch_id ?? batch_header?.payout_batch_id ?? null,
        provider_item_id: payout_item_id ?? null,
      },
    };
  } catch {
    return null;
  }
}
