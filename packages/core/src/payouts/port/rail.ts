import type { z } from 'zod';
import type { AttemptState, PayoutAttempt } from '../../ledger/payouts/payout-attempt.entity.ts';
import { OutsideError } from '../../platform/operations/operation.ts';
import type { Reason } from '../../platform/texts/reason.ts';
import type { Delivery, ProviderMode } from '../../sources/port/port.ts';

/** The values that a merchant has entered to connect an account at a rail, by the names of the fields. */
export type Credentials = Readonly<Record<string, string>>;

/** An amount in the minor unit of its currency. */
export interface Amount {
  cents: number;
  currency: string;
}

/** A merchant's account at a rail, ready for calls. */
export interface RailAccess {
  mode: ProviderMode;
  credentials: Credentials;
  /** The merchant's account, as `connect` has returned it. */
  accountId: string;
  /** The endpoint for notices that this service has created at the rail. Null if there is none. */
  endpointId: string | null;
  /** The secret of this endpoint, if the rail signs its notices with one. */
  endpointSecret: string | null;
}

/** How accounts at a rail are connected (docs/rules/payouts.md#rails). */
export interface RailAccounts {
  /** Name of the service that pays. */
  name: string;
  fields: readonly { name: string; placeholder: string; isSecret: boolean; isOptional?: true }[];
  /** Form of the credentials, as far as it can be checked without the rail. */
  schema?: z.ZodType<Credentials>;
  /** Returns the account that the credentials belong to. Without modes at the rail (null), it pays in the mode of the account here. Throws `RailError`. */
  connect(credentials: Credentials): Promise<{ mode: ProviderMode | null; accountId: string }>;
  /** Absent for a rail that sends no notices. */
  notices?: RailNotices;
}

/** How notices of a rail are received. */
interface RailNotices {
  /** Creates the endpoint for notices, or finds it. Throws `RailError`: without an endpoint, the service only asks. */
  createEndpoint(access: RailAccess, url: string): Promise<RailEndpoint>;
  deleteEndpoint(access: RailAccess, endpointId: string): Promise<void>;
  /** Verifies a notice. Returns null if the rail did not send it, or not for this endpoint. Throws `RailError`. */
  verify(access: RailAccess, delivery: Delivery, now: Date): Promise<Notice | null>;
}

/** The address for notices that this service has created at a rail. */
export interface RailEndpoint {
  id: string;
  /** With which the rail signs its notices. Null if it signs in another way. */
  secret: string | null;
}

/** A notice of a rail, which only says that something has changed: the payment is then read. */
export interface Notice {
  id: string;
  type: string;
  /** Keys of the payments that it may be about. Empty for a notice that is about none, such as a test. */
  keys: readonly string[];
  provider_batch_id: string | null;
  provider_item_id: string | null;
  /** Amount that came back, if only notices of the rail tell it. */
  returned?: Amount | null;
}

interface RailErrorDetail {
  said: Reason;
  outcomeUnknown: boolean;
  /** The rail's own name of the error. */
  word?: string | undefined;
  /** True if the account at the rail cannot pay at all, e.g. because its key was revoked. */
  stopsRail?: boolean;
  /** Seconds for which the rail asks to wait before the next call. */
  retryAfter?: number | null;
}

/** A failed call to a rail. The message contains no secret and no address. */
export class RailError extends OutsideError {
  override readonly name = 'RailError';
  readonly replayed = false;
  readonly said: Reason;
  readonly outcomeUnknown: boolean;
  readonly word: string | undefined;
  readonly stopsRail: boolean;
  readonly retryAfter: number | null;

  constructor({ said, outcomeUnknown, word, stopsRail = false, retryAfter = null }: RailErrorDetail) {
    super(String(said));
    this.said = said;
    this.outcomeUnknown = outcomeUnknown;
    this.word = word;
    this.stopsRail = stopsRail;
    this.retryAfter = retryAfter;
  }
}

/** Facts of an attempt that only its rail knows. */
type RailFacts = Pick<
  PayoutAttempt,
  | 'provider_batch_id'
  | 'provider_item_id'
  | 'receiver_name'
  | 'expires_at'
  | 'debited_cents'
  | 'debited_currency'
  | 'credited_cents'
  | 'credited_currency'
  | 'exchange_rate'
  | 'fee_cents'
  | 'fee_currency'
  | 'returned_cents'
>;

/** The statement of a rail about a payment. */
export interface Word {
  state: Extract<AttemptState, 'sent' | 'in_transit' | 'unclaimed' | 'arrived' | 'returned' | 'failed'>;
  /** The rail's own name of the state. */
  raw_state: string;
  /** Why the payment failed or came back. */
  reason?: string;
  /** The amount of the payment, if the rail repeats it. */
  amount?: { amount_cents: number; currency: string };
  facts?: Partial<RailFacts>;
  /** True if the account at the rail is the cause, so that no further payment is sent until a person has looked. */
  stopsRail?: boolean;
}

/**
 * Returns the state of an attempt after its rail has spoken, or null if the word changes nothing. A payment that has arrived can still come back, even
 * if the rail calls that a failure. An attempt that ended otherwise stays as it is, because its payout may have been paid in another way since.
 */
export function stateAfter(state: PayoutAttempt['state'], word: Word): AttemptState | null {
  if (state === 'arrived') return word.state === 'returned' || word.state === 'failed' ? 'returned' : null;
  if (state === 'sent' || state === 'unknown' || state === 'in_transit' || state === 'unclaimed') return word.state;
  return null;
}
