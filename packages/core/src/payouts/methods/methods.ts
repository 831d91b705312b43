import type { Services } from '../../platform/call/context.ts';
import type { Method, SendingMethod } from '../method/method.ts';
import { BY_HAND } from './by_hand/by-hand.ts';
import { CSV } from './csv/csv.ts';
import { PAYPAL } from './paypal/paypal.ts';
import { WISE } from './wise/wise.ts';

/** All methods of the service. */
export const METHODS: readonly Method[] = [BY_HAND, CSV, PAYPAL, WISE];

declare module '../../platform/call/context.ts' {
  interface Services {
    /** The methods by which payouts are paid. Default: `METHODS`. */
    payoutMethods?: readonly Method[] | undefined;
  }
}

type Needed = Pick<Services, 'payoutMethods'>;

/** Returns the method of a kind, or null. */
export function findMethod({ payoutMethods = METHODS }: Needed, kind: string): Method | null {
  return payoutMethods.find((method) => method.kind === kind) ?? null;
}

/** Returns the methods whose payments the service sends, by kind. */
export function sendingMethods({ payoutMethods = METHODS }: Needed): Map<string, SendingMethod> {
  return new Map(payoutMethods.flatMap((method) => (method.send ? [[method.kind, method as SendingMethod]] : [])));
}
