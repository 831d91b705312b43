import type { IncomingMessage } from 'node:http';
import type { ErrorCode, Principal, Visitor } from '@affiliate/core';

/** Facts about a request that its steps pass on to later ones. */
export interface RequestState {
  /** Names the request in logs and in its response. */
  readonly requestId: string;
  /** Template of the path, for logs and metrics. */
  route?: string;
  /** Set when a request with credentials, or to /trpc without any, has been counted. */
  caller?: Principal | Visitor;
  /** The network of the client's address, once it has been found. */
  network?: string;
  /** The account under whose own host name the request came (portal-hosts.ts). */
  hostAccountId?: string;
  /** The request came under a name that is neither that of PUBLIC_URL nor a merchant's. Pages lead to PUBLIC_URL. */
  isOtherName?: true;
  /** Code of the error response. */
  errorCode?: ErrorCode;
  /** Error in the body of a call over /trpc. It is answered once the caller is known. */
  bodyRefusal?: unknown;
}

const states = new WeakMap<IncomingMessage, RequestState>();

/** Creates the state of a request. Every request starts with it. */
export function beginState(request: IncomingMessage, requestId: string): void {
  states.set(request, { requestId });
}

/** The state of a request. Throws without `beginState`. */
export function stateOf(request: IncomingMessage): RequestState {
  const state = states.get(request);
  if (!state) throw new Error('This request has no state.');
  return state;
}
