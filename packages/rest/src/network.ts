import { clientNetwork } from '@affiliate/core';
import type { Request } from 'express';
import { stateOf } from './request-state.ts';

/** Returns the network of the client's address, under which its requests are counted. */
export function networkOf(request: Request): string {
  return (stateOf(request).network ??= clientNetwork(request.ip ?? 'unknown'));
}
