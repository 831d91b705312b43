import type { Method } from '../method/method.ts';
import { BY_HAND } from './by_hand/by-hand.ts';
import { CSV } from './csv/csv.ts';
import { PAYPAL } from './paypal/paypal.ts';
import { WISE } from './wise/wise.ts';

/** All methods. */
const METHODS: readonly Method[] = [BY_HAND, CSV, PAYPAL, WISE];

const BY_KIND = new Map(METHODS.map((method) => [method.kind, method]));

/** Returns the method of a kind that a stored row names. */
export function getMethod(kind: string): Method {
  const method = BY_KIND.get(kind);
  if (!method) throw new Error(`There is no payout method ${kind}.`);
  return method;
}
