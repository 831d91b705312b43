import type { z } from 'zod';
import type { Instant } from '../../platform/time/instant.ts';
import type { PayoutAddresses } from '../../program/payout-methods/payout-address.ts';
import type { ProblemCode } from './problem-code.ts';

/** The person who is paid, with the values of the moment when the payment was prepared. */
export interface Receiver {
  email: string;
  first_name: string | null;
  last_name: string | null;
  /** Addresses of all methods of the affiliate, by kind. */
  addresses: PayoutAddresses;
  payout_created_at: Instant;
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
  message: string;
}

/** A file in which a person takes payouts to a bank or another service. */
export interface MethodFile {
  /** Names of the columns, if the file has a line with them. */
  header: readonly string[] | null;
  rowOf: (item: PayoutItem) => string[];
}

/**
 * A way to pay payouts. Each is a folder beside this file, and an entry in `methods.ts`. Without `send`, a person pays, and says what has arrived.
 */
export interface Method {
  kind: string;
  /** Form of the address that an affiliate gives. Null if the method needs no address. */
  addressSchema: z.ZodObject<Record<string, z.ZodType<string>>> | null;
  /** The currencies that the method pays. Null for all. */
  currencies: ReadonlySet<string> | null;
  limits: { items: number };
  /** Returns all reasons why the method cannot pay these payouts together, except the number of items. */
  problems(items: readonly PayoutItem[]): Problem[];
  file?: MethodFile;
}

export function receiverOf({ email, first_name, last_name, addresses, payout_created_at }: PayoutItem): Receiver {
  return { email, first_name, last_name, addresses, payout_created_at };
}

/** Returns the affiliate's name, or the email address if the affiliate has no name. */
export function nameOf({ first_name, last_name, email }: Pick<Receiver, 'first_name' | 'last_name' | 'email'>): string {
  const name = [first_name, last_name].filter((part) => part !== null && part.trim() !== '').join(' ');
  return name === '' ? email : name;
}
