/** Pure: what sources tell whose provider tells each payment as a whole, e.g. as the order of a shop. */
import type { Payer, PayerSeen, PaymentSeen, SubscriptionSeen } from './seen.ts';

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
