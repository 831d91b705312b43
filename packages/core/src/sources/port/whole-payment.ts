/**
 * Pure: what sources tell whose provider tells each payment as a whole, e.g. as the order of a shop, and the entries that merchants write into the
 * custom data of its checkout.
 */
import { trimEnds, withoutControls } from '../../platform/wire/typed-text.ts';
import type { Payer, PayerSeen, PaymentSeen, SubscriptionSeen } from './seen.ts';

/** Keys that say who sent the customer. */
const REFERRAL_KEYS = ['referral', 'affiliate_referral', 'reference_id'] as const;
/** Keys of the merchant's own id of the customer. */
const CUSTOMER_KEYS = ['customer_id', 'external_customer_id', 'user_id'] as const;
/** Keys that exclude a payment if their value is `false`: the key of this service, and those of other affiliate tools. */
const EXCLUDING_KEYS = ['affiliate', 'rewardful', 'referralstack'] as const;
/** Longer values are no reference and no id. */
const MAX_LENGTH = 255;

export interface CustomData {
  referrals: string[];
  externalId: string | null;
  excluded: boolean;
}

/** Reads custom data. Buyers may be able to change it, so that values are only looked up, and other keys mean nothing. */
export function readCustomData(data: unknown): CustomData {
  const known = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  const values = (keys: readonly string[]) => keys.flatMap((key) => textOf(known[key]) ?? []);
  return {
    referrals: values(REFERRAL_KEYS),
    externalId: values(CUSTOMER_KEYS)[0] ?? null,
    excluded: values(EXCLUDING_KEYS).some((value) => value.toLowerCase() === 'false'),
  };
}

function textOf(value: unknown): string | null {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return null;
  const text = trimEnds(withoutControls(String(value)).toWellFormed());
  return text === '' || text.length > MAX_LENGTH ? null : text;
}

/** Parameters of a landing page that say who sent the visitor: those of this service, and others that merchants choose. */
const PARAMETERS = ['referral', 'via', 'ref'] as const;

/** Returns what the address of a landing page, which may lack its host, says of who sent the visitor. */
export function referralsInAddress(address: string | null): string[] {
  const parameters = URL.parse(address ?? '', 'https://shop.example')?.searchParams;
  return PARAMETERS.flatMap((name) => textOf(parameters?.get(name)) ?? []);
}

/** The connection that tells, and the mode of what it tells. */
export type Origin = Pick<PaymentSeen, 'source' | 'connectionId' | 'mode'>;
type Told = 'names' | 'payer' | 'charged' | 'lines' | 'excluded' | 'refunds' | 'disputes' | 'subscription' | 'version';

interface WholePayment extends Origin, Pick<PaymentSeen, Told> {
  /** Values that say who sent the customer, from the custom data of the checkout. */
  referrals: readonly string[];
  /** Time at which they were said. */
  saidAt: string;
  /** True for a later payment of a subscription. Providers copy the custom data of its checkout into it, but it is not a visit. */
  isRenewal: boolean;
  /** The texts of the codes that were redeemed. */
  codes: readonly (string | null)[];
}

/** Returns a payment, and what its checkout says of the payer. */
export function wholePayment({ referrals, saidAt: at, isRenewal, codes, ...told }: WholePayment): (PaymentSeen | PayerSeen)[] {
  const payment: PaymentSeen = {
    ...told,
    kind: 'payment',
    group: null,
    references: referrals.map((value) => ({ value, place: isRenewal ? 'renewal' : 'checkout', ofPayment: true, at })),
    codes: codes.flatMap((text) => (text === null ? [] : [{ id: null, text, at: null }])),
    way: isRenewal ? 'subscription' : 'checkout',
    paidOutside: false,
    description: null,
  };
  const isCheckout = payment.charged !== null && !isRenewal && referrals.length > 0;
  return isCheckout ? [checkoutSeen(told, told.payer, referrals, at), payment] : [payment];
}

/** Returns what the record of a customer says. */
export function recordSeen({ source, connectionId, mode }: Origin, payer: Payer, at: string): PayerSeen {
  const nothing = { formerEmail: null, references: [], redemptions: [], exclusion: null };
  return { kind: 'payer', source, connectionId, mode, place: 'record', payer, ...nothing, at };
}

function checkoutSeen(of: Origin, payer: Payer, referrals: readonly string[], at: string): PayerSeen {
  const references = referrals.map((value) => ({ value, place: 'checkout' as const, from: null, at }));
  return { ...recordSeen(of, payer, at), place: 'checkout', references };
}

/** Returns a subscription with its trial, and what its checkout says of the payer. */
export function subscriptionTold(
  trial: Omit<SubscriptionSeen, 'kind'>,
  referrals: readonly string[],
  createdAt: string,
): (PayerSeen | SubscriptionSeen)[] {
  const seen: SubscriptionSeen = { kind: 'subscription', ...trial };
  return referrals.length === 0 ? [seen] : [checkoutSeen(trial, trial.payer, referrals, createdAt), seen];
}
