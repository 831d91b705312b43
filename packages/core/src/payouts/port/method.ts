import type { z } from 'zod';
import type { MethodWords } from '../../ledger/payouts/payment-outlook.ts';
import type { AttemptState } from '../../ledger/payouts/payout-attempt.entity.ts';
import type { Reason } from '../../platform/texts/reason.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { PayoutAddress, PayoutAddresses } from '../../program/payout-methods/payout-addresses.ts';
import type { ProblemCode } from './problem-code.ts';
import type { Amount, Credentials, RailAccess, RailAccounts, Word } from './rail.ts';

/** The person who is paid, with the values of the moment when the payment was prepared. */
export interface Receiver {
  email: string;
  first_name: string | null;
  last_name: string | null;
  /** Addresses of all methods of the affiliate, by kind. */
  addresses: PayoutAddresses;
  payout_created_at: Instant;
  /** Name of the program and month of the preparation. Absent: the payment was prepared by an earlier version. */
  purpose?: string;
  /** Kind of the address to which is paid, if it is not that of the method. */
  paid_to?: string;
}

/** A payout that a method is asked to pay. */
export interface PayoutItem extends Receiver {
  payout_id: string;
  affiliate_id: string;
  amount_cents: number;
  currency: string;
  commissions_count: number;
}

/** A reason why a method cannot pay a payout. */
export interface Problem {
  payout_id: string;
  code: ProblemCode;
  message: Reason;
}

export interface FileItem extends PayoutItem {
  /** By which the bank tells of the payment. */
  attempt_id: string;
}

/** The payments of a file, and the values that the file repeats. The same content always makes the same bytes. */
export interface FileContent {
  id: string;
  created_at: Instant;
  /** Number of exports of the account with this method that were created before it on its day (UTC). */
  daily_number: number;
  /** The account from which is paid: the credentials of the rail, if the method has `accounts`. */
  payer: Credentials | null;
  items: readonly FileItem[];
}

/** A file in which a person takes payouts to a bank or another service. */
export interface MethodFile {
  /** End of the file's name. */
  extension: string;
  render(content: FileContent): Promise<string>;
  /** Reads what a bank reports of the payments of files. Throws `UnreadableReport`. */
  read?(report: string): Promise<BankStatement[]>;
}

/**
 * A way to pay payouts. Each is a folder of `payouts/methods`, and an entry in its `methods.ts`. Without `send`, a person pays, and says what has arrived. Two
 * entries of one kind, which pay to the same addresses, are a file and its API.
 */
export interface Method {
  kind: string;
  /** Names payments for people. Absent: the program pays in a way that it does not name. */
  words?: MethodWords;
  /** Kind of the method that pays to these addresses. Such an entry has nothing but addresses: another form in which the method takes them. */
  paidBy?: string;
  /** Form of the address that an affiliate gives. Null if the method needs no address. */
  addressSchema: z.ZodObject<Record<string, z.ZodType<string | undefined>>> | null;
  /** The currencies that the method pays. Null for all. */
  currencies: ReadonlySet<string> | null;
  /** Returns the smallest amount that the method pays in a currency. What is left of a payout is carried into the next one. Absent: a cent. */
  unitOf?(currency: string): number;
  limits: {
    /** Payouts in one file, or in one batch. */
    items: number;
    /** Time for which the rail knows the key of a payment, in milliseconds. Only of a method that sends. */
    keyMs?: number;
    /** Calls of an average minute for an account at the rail. A burst may have twice as many. Default: no limit. */
    perMinute?: number;
    /** The same for questions about the fee of one payment, if they cost the rail less than a payment. Both share the limit. */
    quotesPerMinute?: number;
  };
  /** Returns the kind of the address to which a payout goes. Absent: that of the method. */
  addressKind?(item: PayoutItem): string;
  /** Returns all reasons why the method cannot pay these payouts together, except their number and currencies that it does not pay. */
  problems(items: readonly PayoutItem[]): Problem[];
  file?: MethodFile;
  /** The accounts from which payments are sent, or files are paid. Absent if the method needs none: then `access` is null in the calls below. */
  accounts?: RailAccounts;
  /** Sends a payment. The same payment is sent again with the same key when there was no answer. Throws OutsideError: the outcome says if it is certain. */
  send?(payment: Outgoing, access: RailAccess | null): Promise<Word>;
  /** Asks the rail about a payment whose id, or whose batch, it has told. Required beside `send`. */
  look?(payment: Outgoing, access: RailAccess | null): Promise<Word>;
  /**
   * Finds a payment by its key when the rail may have forgotten the key for sending, so that it is not sent again. Null proves nothing, because the payment
   * may still reach the rail. Throws OutsideError.
   */
  find?(payment: Outgoing, access: RailAccess | null): Promise<Word | null>;
  /** Absent for a rail at which affiliates open no account, or open it by themselves. */
  onboarding?: Onboarding;
  /** The states in which payments can be called back. Required beside `cancel`. */
  recalls?: readonly AttemptState[];
  /** Calls a payment back whose id the rail has told. May be called again. Throws OutsideError: a certain one leaves the payment as it is. */
  cancel?(payment: Outgoing, access: RailAccess | null): Promise<Word>;
  /** Asks the rail what it will take for each payment. Null: it cannot say. Moves no money. Throws OutsideError. */
  quote?(items: readonly PayoutItem[], access: RailAccess | null): Promise<(Quote | null)[]>;
  /** Asks the rail how much is there to pay from, in the currencies that the account has. Throws OutsideError. */
  balances?(access: RailAccess | null): Promise<Amount[]>;
}

/** How affiliates open accounts at a rail that pays nobody without one. */
interface Onboarding {
  /**
   * Opens an account for an affiliate, and returns it as an address. The same key opens the same account, as long as the rail knows the key. An account that
   * nobody uses does no harm. Throws OutsideError.
   */
  open(person: NewAccountHolder, access: RailAccess): Promise<PayoutAddress>;
  /** Makes an address at the rail where its owner enters what the rail asks for, and which leads to `returnUrl` afterwards. Throws OutsideError. */
  link(address: PayoutAddress, returnUrl: string, access: RailAccess): Promise<{ url: string; expires_at: Instant | null }>;
}

/** An affiliate for whom an account is opened. */
interface NewAccountHolder {
  key: string;
  email: string;
  /** Two letters. Null: the country of the merchant's account. */
  country: string | null;
}

/** The expected cost of a payment, as a rail states it. */
export interface Quote {
  fee: Amount;
  /** The amount with the fee, in the currency from which is paid. */
  debited: Amount;
}

/** A method whose payments the service sends. */
export type SendingMethod = Method & Required<Pick<Method, 'send' | 'look'>> & { limits: { keyMs: number } };

/** A payment that is sent, with the values of its preparation. */
export interface Outgoing extends PayoutItem {
  /** Time at which the payment was first sent. */
  first_posted_at: Instant;
  /** The idempotency key, which never changes. A new try of a payout that has failed has another key. */
  key: string;
  key_generation: number;
  /** True if the payment was sent before, so that a refusal says nothing about the first time unless it is about the payment itself. */
  isRepeat: boolean;
  livemode: boolean;
  provider_batch_id: string | null;
  provider_item_id: string | null;
}

export function receiverOf({ email, first_name, last_name, addresses, payout_created_at, purpose }: Receiver): Receiver {
  return { email, first_name, last_name, addresses, payout_created_at, ...(purpose !== undefined && { purpose }) };
}

/** Returns what the receiver reads beside a payment: who pays, for which month, and the id of the payout. */
export function noteOf({ purpose = 'Affiliate payout', payout_id }: Pick<PayoutItem, 'purpose' | 'payout_id'>): string {
  return `${purpose} ${payout_id}`;
}

/** Returns the affiliate's name, or the email address if the affiliate has no name. */
export function nameOf({ first_name, last_name, email }: Pick<Receiver, 'first_name' | 'last_name' | 'email'>): string {
  const name = [first_name, last_name].filter((part) => part !== null && part.trim() !== '').join(' ');
  return name === '' ? email : name;
}

/** The bank's outcome of a payment of a file, or of all payments of it. */
export type Outcome = 'booked' | 'rejected' | 'returned';

export interface BankStatement {
  /** A payment, or all payments of a file that have no statement of their own. */
  of: { attempt_id: string } | { export_id: string };
  outcome: Outcome;
  /** Amount of the payment, or of all of them together, if the report names it. */
  amount: { amount_cents: number; currency: string } | null;
  /** Number of payments, in a statement about all of them. */
  count: number | null;
  /** Why a payment was rejected or came back, in words. */
  reason: string | null;
  /** The bank's own word. */
  raw_state: string;
}

/** A report cannot be read as a whole. Nothing of it is applied. */
export class UnreadableReport extends Error {
  override readonly name = 'UnreadableReport';
}
