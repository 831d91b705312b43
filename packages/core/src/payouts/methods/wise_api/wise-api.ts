import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { z } from 'zod';
import { decimalAmount } from '../../../platform/money/money.ts';
import { plusDays } from '../../../platform/time/instant.ts';
import { idOfUuid, uuidOf } from '../../../platform/wire/ids.ts';
import type { Delivery, ProviderMode } from '../../../sources/port/port.ts';
import { decimalMinorUnits } from '../../../sources/port/read-message.ts';
import type { Outgoing, PayoutItem, Quote as QuotedPayment, SendingMethod } from '../../port/method.ts';
import { inEitherMode } from '../../port/rail-request.ts';
import { type Notice, type RailAccess, RailError, type Word } from '../../port/rail.ts';
import { PAYOUT_REASONS } from '../../port/reasons.ts';
import { referenceAtWise, WISE } from '../wise/wise.ts';
import { WISE_REASONS } from './reasons.ts';
import { addressKindAtWise, receiverProblems, recipientOf } from './receivers.ts';
import { FROM_BALANCE, paidBy, Quote, tellTransfer, Transfer, WAITING } from './tell.ts';
import { wiseCaller, type WiseOptions, WiseRefusal } from './wise-client.ts';

/** Days for which a payment without an answer is sent again. Wise knows its id for longer, but cancels a transfer that nobody has paid in after 14 days. */
const KEY_DAYS = 14;
/** Payments within a minute, each with seven requests. */
const PER_MINUTE = 60;
/** Questions about fees within a minute, each with one request. */
const QUOTES_PER_MINUTE = 300;
/** Quotes that are asked for at the same time. */
const QUOTES_AT_ONCE = 5;
const PAGE = 100;
/** Most pages of transfers in which a payment is sought. */
const MAX_PAGES = 50;

/** The keys with which Wise signs its notices. */
const PUBLIC_KEYS: Readonly<Record<ProviderMode, string>> = {
  live: pem(`MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAvO8vXV+JksBzZAY6GhSOXdoTCfhXaaiZ+qAbtaDBiu2AGkGVpmEygFmWP4Li9m5+Ni85BhVvZOodM9epgW3F
bA5Q1SexvAF1PPjX4JpMstak/QhAgl1qMSqEevL8cmUeTgcMuVWCJmlge9h7B1CSD4rtlimGZozG39rUBDg6Qt2K+P4wBfLblL0k4C4YUdLnpGYEDIth+i8XsRpFlogxCAFyH9+knYsD
bR43UJ9shtc42Ybd40Afihj8KnYKXzchyQ42aC8aZ/h5hyZ28yVyOj3Vos0VdBIs/gAyJ/4yyQFCXYte64I7ssrlbGRaco4nKF3HmaNhxwyKyJafz19eHwIDAQAB`),
  test: pem(`MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwpb91cEYuyJNQepZAVfPZIlPZfNUefH+n6w9SW3fykqKu938cR7WadQv87oF2VuT+fDt7kqeRziTmPSUhqPU
ys/V2Q1rlfJuXbE+Gga37t7zwd0egQ+KyOEHQOpcTwKmtZ81ieGHynAQzsn1We3jwt760MsCPJ7GMT141ByQM+yW1Bx+4SG3IGjXWyqOWrcXsxAvIXkpUD/jK/L958CgnZEgz0BSEh0Q
xYLITnW1lLokSx/dTianWPFEhMC9BgijempgNXHNfcVirg1lPSygz7KqoKUN0oHqWLr2U1A+7kqrl6O2nx3CKs1bj1hToT1+p4kcMoHXA7kA+VBLUpEsVwIDAQAB`),
};

const SUBSCRIBED = ['transfers#state-change', 'transfers#refund', 'transfers#payout-failure'];

const text = z.string().min(1).max(300);
const Profiles = z.array(z.object({ id: z.int().positive(), type: z.string() }));
const Balances = z.array(z.object({ amount: z.object({ value: z.number(), currency: z.string() }) }));
const Subscription = z.object({ id: text, trigger_on: text, delivery: z.object({ url: z.string() }) });
const Event = z.object({
  event_type: text,
  data: z.object({
    resource: z
      .object({ id: z.int(), profile_id: z.int(), refund_amount: z.number(), refund_currency: z.string() })
      .partial()
      .default({}),
    transfer_id: z.int().optional(),
    profile_id: z.int().optional(),
  }),
});

/**
 * Wise's API. Each payment is a transfer with its own id (`customerTransactionId`), which Wise makes once. It is paid in from the balance, where Wise lets
 * a token do that. Elsewhere it waits for a person to pay it in at Wise, and Wise pays nothing before.
 */
export function wiseApi(options: WiseOptions): SendingMethod {
  const call = wiseCaller(options);
  const keyFor = (mode: ProviderMode) => options.publicKey ?? PUBLIC_KEYS[mode];

  const getTransfer = (access: RailAccess, id: string) =>
    call('GET', `/v1/transfers/${encodeURIComponent(id)}`, access, Transfer);

  const quoteFor = (access: RailAccess, item: PayoutItem, targetAccount?: number) =>
    call('POST', `/v3/profiles/${access.accountId}/quotes`, access, Quote, {
      sourceCurrency: access.credentials['source_currency'] ?? item.currency,
      targetCurrency: item.currency,
      targetAmount: Number(decimalAmount(item.amount_cents, item.currency)),
      preferredPayIn: FROM_BALANCE,
      ...(targetAccount !== undefined && { targetAccount }),
    });

  /** Makes the transfer of a payment, or gets the one that Wise has made. */
  const createTransfer = async (access: RailAccess, payment: Outgoing): Promise<Transfer> => {
    const recipient = recipientOf(payment, Number(access.accountId));
    const { id: targetAccount } = await call('POST', '/v1/accounts', access, z.object({ id: z.int() }), recipient);
    const quote = await quoteFor(access, payment, targetAccount);
    return call('POST', '/v1/transfers', access, Transfer, {
      targetAccount,
      quoteUuid: quote.id,
      customerTransactionId: uuidOf(payment.key),
      details: { reference: referenceAtWise(payment) },
    });
  };

  /** Finds the transfer of a payment among those that were made since it was first sent. */
  const findTransfer = async (access: RailAccess, { key, first_posted_at }: Outgoing): Promise<Transfer | null> => {
    const id = uuidOf(key);
    const since = plusDays(first_posted_at, -1);
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query = `profile=${access.accountId}&createdDateStart=${since}&limit=${PAGE}&offset=${page * PAGE}`;
      const transfers = await call('GET', `/v1/transfers?${query}`, access, z.array(Transfer));
      const found = transfers.find(({ customerTransactionId }) => customerTransactionId === id);
      if (found) return found;
      if (transfers.length < PAGE) return null;
    }
    return null;
  };

  /** Returns what Wise says of a transfer, with its fee once it is paid in. */
  const tell = async (access: RailAccess, transfer: Transfer): Promise<Word> => {
    const isPaidIn = transfer.status !== WAITING && transfer.status !== 'cancelled';
    return tellTransfer(transfer, isPaidIn ? await paidFor(access, transfer) : null);
  };

  /** Returns the fee and the sum that were paid in, or null if Wise does not say. */
  const paidFor = async (access: RailAccess, { id, quoteUuid }: Transfer) => {
    if (!quoteUuid) return null;
    try {
      const Payments = z.array(z.object({ method: z.string() }));
      const [payment] = await call('GET', `/v1/transfers/${id}/payments`, access, Payments);
      const path = `/v3/profiles/${access.accountId}/quotes/${encodeURIComponent(quoteUuid)}`;
      return payment ? paidBy(await call('GET', path, access, Quote), payment.method) : null;
    } catch (error) {
      if (error instanceof RailError) return null;
      throw error;
    }
  };

  /**
   * Pays a transfer in that waits for it. A transfer that Wise does not let us pay in at all is left to a person. One that it refuses to pay in, e.g. for the
   * lack of money, is cancelled, because somebody could pay it in later, when its payout has been paid in another way.
   */
  const fund = async (access: RailAccess, transfer: Transfer): Promise<Transfer> => {
    if (transfer.status !== WAITING) return transfer;
    const path = `/v3/profiles/${access.accountId}/transfers/${transfer.id}/payments`;
    const Funding = z.object({ status: z.string(), errorCode: z.string().nullish() });
    const funding = await call('POST', path, access, Funding, { type: FROM_BALANCE }).catch((error: unknown) => {
      if (error instanceof WiseRefusal && error.httpStatus === 403) return null;
      throw error instanceof WiseRefusal ? error.as({ outcomeUnknown: true }) : error;
    });
    if (funding === null) return transfer;
    if (funding.status === 'COMPLETED') return getTransfer(access, String(transfer.id));
    const word = funding.errorCode ?? funding.status;
    const { status } = await call('PUT', `/v1/transfers/${transfer.id}/cancel`, access, Transfer).catch((error: unknown) => {
      throw error instanceof WiseRefusal ? error.as({ outcomeUnknown: true }) : error;
    });
    const isCancelled = status === 'cancelled';
    throw new RailError({
      said: WISE_REASONS.balance_not_taken({ word }),
      word,
      outcomeUnknown: !isCancelled,
      stopsRail: /insufficient|balance/i.test(word),
    });
  };

  return {
    kind: WISE.kind,
    addressSchema: WISE.addressSchema,
    currencies: null,
    limits: { items: 10_000, keyMs: KEY_DAYS * 86_400_000, perMinute: PER_MINUTE, quotesPerMinute: QUOTES_PER_MINUTE },
    addressKind: addressKindAtWise,
    problems: receiverProblems,

    send: async (payment, railAccess) => {
      const access = railAccess!;
      const known = payment.isRepeat ? await findTransfer(access, payment) : null;
      const transfer =
        known ??
        (await createTransfer(access, payment).catch((error: unknown) => {
          // Another refusal of a repeated request says nothing about the first time.
          const isOpen = error instanceof WiseRefusal && payment.isRepeat && !error.isOfContent;
          throw isOpen ? error.as({ outcomeUnknown: true }) : error;
        }));
      assertIsOf(transfer, payment);
      return tell(access, await fund(access, transfer));
    },

    look: async (payment, railAccess) => {
      const transfer = await getTransfer(railAccess!, payment.provider_item_id!);
      assertIsOf(transfer, payment);
      return tell(railAccess!, transfer);
    },

    find: async (payment, railAccess) => {
      const transfer = await findTransfer(railAccess!, payment);
      return transfer && tell(railAccess!, transfer);
    },

    recalls: ['sent', 'in_transit', 'unclaimed'],
    cancel: async ({ provider_item_id }, railAccess) => {
      const path = `/v1/transfers/${encodeURIComponent(provider_item_id!)}/cancel`;
      const transfer = await call('PUT', path, railAccess!, Transfer).catch((error: unknown) => {
        const isDecided = error instanceof WiseRefusal && error.httpStatus === 409;
        throw isDecided ? error.as({ outcomeUnknown: false }) : error;
      });
      return tell(railAccess!, transfer);
    },

    quote: async (items, railAccess) => {
      const quotes: (QuotedPayment | null)[] = [];
      for (let start = 0; start < items.length; start += QUOTES_AT_ONCE) {
        const some = items.slice(start, start + QUOTES_AT_ONCE).map(async (item) => {
          const quote = await quoteFor(railAccess!, item).catch((error: unknown) => {
            if (error instanceof WiseRefusal && error.isOfContent) return null;
            throw error;
          });
          return quote && paidBy(quote, FROM_BALANCE);
        });
        quotes.push(...(await Promise.all(some)));
      }
      return quotes;
    },

    balances: async (railAccess) => {
      const path = `/v4/profiles/${railAccess!.accountId}/balances?types=STANDARD`;
      const balances = await call('GET', path, railAccess!, Balances);
      return balances.map(({ amount: { value, currency } }) => ({ cents: decimalMinorUnits(String(value), currency), currency }));
    },

    accounts: {
      name: 'Wise',
      fields: [
        { name: 'api_token', placeholder: '01234567-89ab-…', isSecret: true },
        { name: 'profile_id', placeholder: '16055450', isSecret: false, isOptional: true },
        { name: 'source_currency', placeholder: 'EUR', isSecret: false, isOptional: true },
      ],
      schema: z.strictObject({
        api_token: z.string().trim().min(1),
        profile_id: z
          .string()
          .trim()
          .regex(/^\d{1,15}$/, WISE_REASONS.profile_form)
          .optional(),
        source_currency: z
          .string()
          .trim()
          .toUpperCase()
          .regex(/^[A-Z]{3}$/, WISE_REASONS.currency_form)
          .optional(),
      }) as unknown as z.ZodType<Record<string, string>>,
      connect: (credentials) =>
        inEitherMode(async (mode) => {
          const profiles = await call('GET', '/v2/profiles', { mode, credentials }, Profiles);
          return { mode, accountId: profileOf(profiles, credentials['profile_id']) };
        }),
      notices: {
        createEndpoint: async (access, url) => {
          const path = `/v3/profiles/${access.accountId}/subscriptions`;
          const known = await call('GET', path, access, z.array(Subscription));
          const ids: string[] = [];
          for (const trigger_on of SUBSCRIBED) {
            const former = known.find((each) => each.trigger_on === trigger_on && each.delivery.url === url);
            const wanted = { name: 'Affiliate payments', trigger_on, delivery: { version: '2.0.0', url } };
            ids.push((former ?? (await call('POST', path, access, Subscription, wanted))).id);
          }
          return { id: ids.join(' '), secret: null };
        },
        deleteEndpoint: async (access, endpointId) => {
          const path = `/v3/profiles/${access.accountId}/subscriptions`;
          for (const id of endpointId.split(' ')) await call('DELETE', `${path}/${encodeURIComponent(id)}`, access, z.unknown());
        },
        verify: async (access, delivery) => {
          const notice = noticeIn(delivery, keyFor(access.mode));
          // Wise signs the notices of all its customers with the same key.
          if (notice === null || String(notice.profileId) !== access.accountId) return null;
          const { profileId: _, ...known } = notice;
          if (delivery.header('x-test-notification') === 'true') return known;
          const { customerTransactionId, status } = await getTransfer(access, known.provider_item_id!);
          const key = customerTransactionId ? keyOf(customerTransactionId) : null;
          // A transfer whose id is known is only looked at. One that nobody has paid in since its answer was lost has to be paid in.
          const provider_item_id = status === WAITING ? null : known.provider_item_id;
          return { ...known, provider_item_id, keys: key === null ? [] : [key] };
        },
      },
    },
  };
}

function pem(base64: string): string {
  return `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----`;
}

/** Returns the key of which the id of a transfer was made, or null for a transfer that was not made here: ids of other makers are random. */
function keyOf(transactionId: string): string | null {
  return transactionId[14] === '7' ? idOfUuid('payout_attempt', transactionId) : null;
}

/** Throws a `RailError` unless a transfer is that of the payment, e.g. because a person entered the id of another one. */
function assertIsOf({ customerTransactionId }: Transfer, { key }: Outgoing): void {
  if (customerTransactionId !== uuidOf(key))
    throw new RailError({ said: PAYOUT_REASONS.rail_other_transfer({ rail: 'Wise' }), outcomeUnknown: true });
}

/** Returns the profile from which is paid: the given one, or the only one of a business. Throws a `RailError` if there is none, or several. */
function profileOf(profiles: z.infer<typeof Profiles>, wanted: string | undefined): string {
  const businesses = profiles.filter(({ type }) => type.toUpperCase() === 'BUSINESS');
  const found =
    wanted === undefined
      ? businesses.length === 1
        ? businesses[0]
        : undefined
      : profiles.find(({ id }) => String(id) === wanted);
  if (found) return String(found.id);
  throw new RailError({
    said: wanted === undefined ? WISE_REASONS.profile_ambiguous : WISE_REASONS.profile_foreign,
    outcomeUnknown: false,
  });
}

/** Reads a notice. Returns null for a body that is not one of Wise's events of transfers, or not signed by Wise. */
function noticeIn({ rawBody, header }: Delivery, publicKey: string): (Notice & { profileId: number | undefined }) | null {
  const signature = Buffer.from(header('x-signature-sha256') ?? '', 'base64');
  if (!verifySignature('sha256', rawBody, createPublicKey(publicKey), signature)) return null;
  try {
    const { event_type, data } = Event.parse(JSON.parse(new TextDecoder().decode(rawBody)));
    const { resource, transfer_id, profile_id } = data;
    const transferId = resource.id ?? transfer_id;
    if (transferId === undefined) return null;
    const { refund_amount, refund_currency } = resource;
    return {
      // The header with the id of the delivery is not signed.
      id: createHash('sha256').update(rawBody).digest('base64url'),
      type: event_type,
      keys: [],
      provider_batch_id: null,
      provider_item_id: String(transferId),
      returned:
        refund_amount === undefined || refund_currency === undefined
          ? null
          : { cents: decimalMinorUnits(String(refund_amount), refund_currency), currency: refund_currency },
      profileId: resource.profile_id ?? profile_id,
    };
  } catch {
    return null;
  }
}
