import type { Services } from '../../platform/call/context.ts';
import type { Method, SendingMethod } from '../port/method.ts';
import type { RailAccounts } from '../port/rail.ts';
import { BANK_ACH } from './bank_ach/bank-ach.ts';
import { BANK_SEPA } from './bank_sepa/bank-sepa.ts';
import { CSV } from './csv/csv.ts';
import { PAYPAL } from './paypal/paypal.ts';
import { payPalApi } from './paypal_api/paypal-api.ts';
import { stripeTransfers } from './stripe/stripe.ts';
import { WISE } from './wise/wise.ts';
import { WISE_ACCOUNTS } from './wise_api/receivers.ts';
import { wiseApi } from './wise_api/wise-api.ts';

/** Options of the calls to rails. */
export interface MethodOptions {
  /** Other servers for the requests, by kind of method. */
  apiBases?: Readonly<Record<string, string | undefined>>;
  /** Other keys with which notices are signed, in PEM, by kind of method. */
  publicKeys?: Readonly<Record<string, string | undefined>>;
  /** Time-out of a call, in milliseconds. */
  timeoutMs?: number;
}

/** Returns all methods of the service. Of two of one kind, the first one makes the files. */
export function createPayoutMethods({
  apiBases = {},
  publicKeys = {},
  timeoutMs = 30_000,
}: MethodOptions = {}): readonly Method[] {
  const own = (kind: string) => ({ base: apiBases[kind], publicKey: publicKeys[kind], timeoutMs });
  const wise = [WISE, wiseApi(own(WISE.kind)), ...WISE_ACCOUNTS];
  return [CSV, PAYPAL, payPalApi(own(PAYPAL.kind)), ...wise, stripeTransfers(own('stripe')), BANK_SEPA, BANK_ACH];
}

/** The methods with the usual servers. For their files and addresses, which need no server. */
export const METHODS: readonly Method[] = createPayoutMethods();

declare module '../../ledger/payouts/payment-outlook.ts' {
  interface KnownMethod extends Method {}
}

type Needed = Pick<Services, 'payoutMethods'>;

/** Returns the method of a kind that makes its files and knows its addresses, or null. */
export function findMethod({ payoutMethods }: Needed, kind: string): Method | null {
  return payoutMethods.find((method) => method.kind === kind) ?? null;
}

/** Returns the methods whose payments the service sends, by kind. */
export function sendingMethods({ payoutMethods }: Needed): Map<string, SendingMethod> {
  return new Map(payoutMethods.flatMap((method) => (method.send ? [[method.kind, method as SendingMethod]] : [])));
}

/** Returns the methods that pay from accounts which merchants connect, by kind. */
export function methodsWithAccounts({ payoutMethods }: Needed): Map<string, Method & { accounts: RailAccounts }> {
  return new Map(
    payoutMethods.flatMap((method) => (method.accounts ? [[method.kind, method as Method & { accounts: RailAccounts }]] : [])),
  );
}
