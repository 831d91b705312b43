import type { Request } from 'express';
import { networkOf } from './network.ts';
import { stateOf } from './request-state.ts';

/** Returns the party whose share of the processor a request uses: the caller's account, or the network of a caller who is not known. */
export function partyOf(request: Request): string {
  const { caller } = stateOf(request);
  return caller && caller.kind !== 'visitor' ? caller.account_id : networkOf(request);
}
