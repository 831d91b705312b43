import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { reasons } from '../../../platform/texts/reason.ts';
import { toInstant } from '../../../platform/time/instant.ts';
import type { Delivery, ProviderMode } from '../../../sources/port/port.ts';
import { isEqual } from '../../../sources/port/standard-webhooks.ts';
import { providerUnit, toMinorUnit, toProviderAmount } from '../../../sources/stripe/values/minor-unit.ts';
import { wordsOfService } from '../../port/method-words.ts';
import { nameOf, noteOf, type Outgoing, type SendingMethod } from '../../port/method.ts';
import { parsedBy, type RailAnswer, RailRefusal, requestOf } from '../../port/rail-request.ts';
import { type Credentials, type Notice, RailError, type Word } from '../../port/rail.ts';
import { PAYOUT_REASONS } from '../../port/reasons.ts';

/** Reasons that name Stripe, or the forms of its keys and ids. */
const STRIPE_REASONS = reasons({
  account_form: {
    en: 'Enter the id of an account at Stripe, e.g. acct_1032D82eZvKYlo2C.',
    de: 'Bitte geben Sie die ID eines Kontos bei Stripe ein, z. B. acct_1032D82eZvKYlo2C.',
  },
  key_form: {
    en: 'Enter a restricted key, e.g. rk_live_….',
    de: 'Bitte geben Sie einen eingeschränkten Schlüssel ein, z. B. rk_live_….',
  },
});

const KIND = 'stripe';
const NAME = 'Stripe';
const API = 'https://api.stripe.com';
/** The version in which requests and events are written, as in Stripe's library. */
const API_VERSION = '2026-10-28.endive';
/** Hours for which Stripe certainly knows an idempotency key. */
const KEY_HOURS = 24;
/** Calls of an average minute. Stripe takes 25 in a second in test mode, and more in live mode. */
const PER_MINUTE = 600;
/** Maximum number of seconds by which the time of a notice may differ from now. */
const TOLERANCE_SECONDS = 300;
const EVENT_TYPES = ['transfer.created', 'transfer.updated', 'transfer.reversed'];

/** Refusals that concern the merchant's account, so that every further payment would be refused, too. */
const STOPPING = new Set(['balance_insufficient', 'insufficient_funds', 'platform_account_required', 'api_key_expired']);

const text = z.string().min(1).max(300);
const Entry = z.object({
  amount: z.number(),
  fee: z.number(),
  net: z.number(),
  currency: text,
  exchange_rate: z.number().nullish(),
});
const Transfer = z.object({
  id: text,
  amount: z.int(),
  amount_reversed: z.int(),
  reversed: z.boolean(),
  currency: text,
  transfer_group: z.string().nullish(),
  balance_transaction: z.union([z.string(), Entry]).nullish(),
});
type Transfer = z.infer<typeof Transfer>;
const TransferList = z.object({ data: z.array(Transfer), has_more: z.boolean() });
const Balance = z.object({ available: z.array(z.object({ amount: z.int(), currency: text })) });
const Endpoint = z.object({ id: text, url: z.string(), secret: z.string().optional() });
const Event = z.object({
  id: text,
  type: text,
  data: z.object({ object: z.object({ id: text, transfer_group: z.string().nullish() }) }),
});
const Refusal = z.object({
  error: z
    .object({
      type: z.string().catch(''),
      code: z.string().optional().catch(undefined),
      message: z.string().catch(''),
    })
    .catch({ type: '', message: '' }),
});

export interface StripeOptions {
  /** Another server for the requests, such as a proxy. */
  base?: string | undefined;
  timeoutMs: number;
}

function refusalIn(answer: RailAnswer): RailRefusal {
  const { type, code, message } = Refusal.parse(answer.value).error;
  return new RailRefusal(NAME, answer, {
    // A message about a key quotes it.
    words: answer.status === 401 ? '' : message,
    word: code ?? type,
    stopsRail: STOPPING.has(code ?? ''),
    // Another request under the same key would be a mistake of this service, which says nothing about the payment.
    outcomeUnknown: type === 'idempotency_error',
  });
}

/**
 * Transfers to accounts of affiliates that are connected to the merchant's platform at Stripe. A transfer is in the account of the affiliate at once, so it
 * arrives when it is made. It is recognized by its idempotency key for a day, and by its group from then on.
 */
export function stripeTransfers({ base, timeoutMs }: StripeOptions): SendingMethod {
  const call = async <Schema extends z.ZodType>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    credentials: Credentials,
    schema: Schema,
    { form, key }: { form?: Readonly<Record<string, string>>; key?: string } = {},
  ): Promise<z.infer<Schema>> => {
    const headers = {
      Authorization: `Bearer ${credentials['secret_key']}`,
      'Stripe-Version': API_VERSION,
      ...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    };
    const body = form && new URLSearchParams(form).toString();
    const answer = await requestOf(NAME, `${base ?? API}${path}`, {
      method,
      headers,
      timeoutMs,
      ...(body !== undefined && { text: body }),
    });
    if (!answer.isOk) throw refusalIn(answer);
    return parsedBy(NAME, schema, answer.value);
  };

  /** Reads a transfer with its entry in the balance, if the key may read that. */
  const readTransfer = async (credentials: Credentials, id: string): Promise<Transfer> => {
    const path = `/v1/transfers/${encodeURIComponent(id)}`;
    try {
      return await call('GET', `${path}?expand[]=balance_transaction`, credentials, Transfer);
    } catch (error) {
      if (error instanceof RailRefusal && error.httpStatus === 403) return call('GET', path, credentials, Transfer);
      throw error;
    }
  };

  const findTransfer = async (credentials: Credentials, key: string): Promise<Transfer | null> => {
    const path = `/v1/transfers?limit=100&transfer_group=${encodeURIComponent(key)}`;
    const { data, has_more } = await call('GET', path, credentials, TransferList);
    if (data.length > 1 || has_more)
      throw new RailError({ said: PAYOUT_REASONS.rail_several_transfers({ rail: NAME }), outcomeUnknown: true });
    return data[0] ?? null;
  };

  return {
    kind: KIND,
    words: wordsOfService(
      NAME,
      { en: 'in the Stripe account within minutes', de: 'in wenigen Minuten im Stripe-Konto' },
      { en: 'Stripe account', de: 'Stripe-Konto' },
    ),
    addressSchema: z.strictObject({
      account_id: z
        .string()
        .trim()
        .regex(/^acct_[A-Za-z0-9]{6,40}$/, STRIPE_REASONS.account_form),
    }),
    currencies: null,
    unitOf: providerUnit,
    limits: { items: 10_000, keyMs: KEY_HOURS * 3_600_000, perMinute: PER_MINUTE },
    recalls: ['arrived'],
    problems: (items) =>
      items.flatMap((item) =>
        item.addresses[KIND]
          ? []
          : [
              {
                payout_id: item.payout_id,
                code: 'missing_address' as const,
                message: PAYOUT_REASONS.address_missing({ name: nameOf(item), payout: item.payout_id, method: NAME }),
              },
            ],
      ),

    send: async (payment, access) => {
      const { credentials } = access!;
      const { id } = await call('POST', '/v1/transfers', credentials, Transfer, {
        form: formOf(payment),
        key: payment.key,
      }).catch((error: unknown) => {
        // Stripe answers a repeated request as it answered the first one. A refusal of the key comes before that, so it says nothing about the first request.
        const isBefore = error instanceof RailRefusal && error.stopsRail && !STOPPING.has(error.word ?? '');
        throw isBefore && payment.isRepeat ? error.as({ outcomeUnknown: true }) : error;
      });
      // The answer may be that of the first time, and the transfer may be reversed since.
      return tellTransfer(await readTransfer(credentials, id));
    },

    look: async ({ key, provider_item_id }, access) => {
      const transfer = await readTransfer(access!.credentials, provider_item_id!);
      if (transfer.transfer_group !== key)
        throw new RailError({ said: PAYOUT_REASONS.rail_other_transfer({ rail: NAME }), outcomeUnknown: true });
      return tellTransfer(transfer);
    },

    find: async ({ key }, access) => {
      const transfer = await findTransfer(access!.credentials, key);
      return transfer && tellTransfer(await readTransfer(access!.credentials, transfer.id));
    },

    cancel: async ({ key, provider_item_id }, access) => {
      const { credentials } = access!;
      const transfer = await readTransfer(credentials, provider_item_id!);
      const path = `/v1/transfers/${encodeURIComponent(transfer.id)}/reversals`;
      // The amount that is reversed already makes the key another one, because a refusal is repeated for a day.
      const idempotent = { form: {}, key: `${key}:${transfer.amount_reversed}` };
      if (!transfer.reversed) await call('POST', path, credentials, z.object({ id: text }), idempotent);
      return tellTransfer(await readTransfer(credentials, transfer.id));
    },

    onboarding: {
      open: async ({ key, email, country }, { credentials }) => {
        const platform = await call('GET', '/v1/account', credentials, z.object({ country: z.string().nullish() }));
        // The agreement with which accounts abroad may be paid by the platform.
        const isAbroad = country !== null && country !== platform.country;
        const form = {
          email,
          ...(country !== null && { country }),
          'controller[stripe_dashboard][type]': 'express',
          'controller[fees][payer]': 'application',
          'controller[losses][payments]': 'application',
          'capabilities[transfers][requested]': 'true',
          ...(isAbroad && { 'tos_acceptance[service_agreement]': 'recipient' }),
          'metadata[affiliate]': key,
        };
        const { id } = await call('POST', '/v1/accounts', credentials, z.object({ id: text }), { form, key: `account:${key}` });
        return { account_id: id };
      },
      link: async ({ account_id = '' }, returnUrl, { credentials }) => {
        const form = { account: account_id, type: 'account_onboarding', return_url: returnUrl, refresh_url: returnUrl };
        const Link = z.object({ url: z.url(), expires_at: z.int() });
        const { url, expires_at } = await call('POST', '/v1/account_links', credentials, Link, { form });
        return { url, expires_at: toInstant(new Date(expires_at * 1_000)) };
      },
    },

    balances: async (access) => {
      const { available } = await call('GET', '/v1/balance', access!.credentials, Balance);
      return available.map(({ amount, currency }) => amountOf(amount, currency));
    },

    accounts: {
      name: NAME,
      fields: [{ name: 'secret_key', placeholder: 'rk_live_…', isSecret: true }],
      schema: z.strictObject({
        secret_key: z
          .string()
          .trim()
          .regex(/^[sr]k_(?:live|test)_\w+$/, STRIPE_REASONS.key_form),
      }) as unknown as z.ZodType<Record<string, string>>,
      connect: async (credentials) => {
        const { id } = await call('GET', '/v1/account', credentials, z.object({ id: text }));
        return { mode: modeOf(credentials), accountId: id };
      },
      notices: {
        createEndpoint: async ({ credentials }, url) => {
          const { data } = await call(
            'GET',
            '/v1/webhook_endpoints?limit=100',
            credentials,
            z.object({ data: z.array(Endpoint) }),
          );
          // The secret of an endpoint is told only once.
          for (const { id } of data.filter((each) => each.url === url))
            await call('DELETE', `/v1/webhook_endpoints/${id}`, credentials, z.unknown());
          const events = Object.fromEntries(EVENT_TYPES.map((type, at) => [`enabled_events[${at}]`, type]));
          const form = { url, api_version: API_VERSION, ...events };
          const { id, secret = null } = await call('POST', '/v1/webhook_endpoints', credentials, Endpoint, { form });
          return { id, secret };
        },
        deleteEndpoint: async ({ credentials }, endpointId) => {
          await call('DELETE', `/v1/webhook_endpoints/${encodeURIComponent(endpointId)}`, credentials, z.unknown());
        },
        verify: ({ endpointSecret }, delivery, now) =>
          Promise.resolve(endpointSecret === null ? null : noticeIn(delivery, endpointSecret, now)),
      },
    },
  };
}

/** The request has the same bytes however often the payment is sent. */
function formOf(payment: Outgoing): Record<string, string> {
  const { key, amount_cents, currency, addresses } = payment;
  return {
    amount: String(toProviderAmount(amount_cents, currency)),
    currency: currency.toLowerCase(),
    destination: addresses[KIND]!['account_id']!,
    transfer_group: key,
    description: noteOf(payment),
    'metadata[affiliate_payout_attempt]': key,
  };
}

function amountOf(amount: number, code: string) {
  const currency = code.toUpperCase();
  return { cents: toMinorUnit(amount, currency), currency };
}

/** Returns what Stripe says of a payment. A transfer of which a part was reversed stays paid, with what came back. */
function tellTransfer({ id, amount, amount_reversed, reversed, currency, balance_transaction: entry }: Transfer): Word {
  const paid = amountOf(amount, currency);
  const returned = amount_reversed === 0 ? {} : { returned_cents: amountOf(amount_reversed, currency).cents };
  const isBooked = typeof entry === 'object' && entry !== null;
  const from = isBooked ? entry.currency.toUpperCase() : '';
  return {
    state: reversed ? 'returned' : 'arrived',
    raw_state: reversed ? 'reversed' : amount_reversed === 0 ? 'created' : 'partly_reversed',
    amount: { amount_cents: paid.cents, currency: paid.currency },
    facts: {
      provider_item_id: id,
      ...returned,
      ...(isBooked && {
        fee_cents: amountOf(entry.fee, from).cents,
        fee_currency: from,
        debited_cents: amountOf(-entry.net, from).cents,
        debited_currency: from,
      }),
      ...(isBooked &&
        from !== paid.currency &&
        entry.exchange_rate && {
          credited_cents: paid.cents,
          credited_currency: paid.currency,
          exchange_rate: String(entry.exchange_rate),
        }),
    },
  };
}

function modeOf({ secret_key = '' }: Credentials): ProviderMode {
  return /^[sr]k_live_/.test(secret_key) ? 'live' : 'test';
}

/** Reads a notice. Returns null for a body that is not an event of a transfer, or not signed with the secret within the last minutes. */
function noticeIn({ rawBody, header }: Delivery, secret: string, now: Date): Notice | null {
  const parts = (header('stripe-signature') ?? '').split(',', 20).map((part) => part.split('=', 2) as [string, string?]);
  const at = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(at) || Math.abs(now.getTime() / 1_000 - Number(at)) > TOLERANCE_SECONDS) return null;
  const expected = createHmac('sha256', secret).update(`${at}.`).update(rawBody).digest();
  if (!parts.some(([name, value = '']) => name === 'v1' && isEqual(expected, Buffer.from(value, 'hex')))) return null;
  try {
    const { id, type, data } = Event.parse(JSON.parse(new TextDecoder().decode(rawBody)));
    const { id: transferId, transfer_group } = data.object;
    return {
      id,
      type,
      keys: transfer_group?.startsWith('patt_') ? [transfer_group] : [],
      provider_batch_id: null,
      provider_item_id: transferId,
    };
  } catch {
    return null;
  }
}
