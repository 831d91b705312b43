import type { IncomingMessage } from 'node:http';
import type { ErrorCode, Principal, Visitor } from '@affiliate/core';
import type { UnreadAnswers } from './unread-answers.ts';

/** Facts about a request that earlier handlers record for later ones. */
export interface RequestState {
  /** Id of the request in logs and in the response. */
  readonly requestId: string;
  /** Template of the path, for logs and metrics. */
  route?: string;
  /**
   * Caller of the request. Set when the request is counted against its caller's limit. Requests to public REST operations count only against
   * the limit of their address, so they have no `caller`.
   */
  caller?: Principal | Visitor;
  /** Network of the client's address, set when it is first needed. */
  network?: string;
  /** The answers that clients have not read yet, if this one counts among them. */
  unread?: UnreadAnswers;
  /** Account whose own host name the request used (portal-hosts.ts). */
  hostAccountId?: string;
  /** True if the host name of the request is neither that of PUBLIC_URL nor a merchant's. Pages then redirect to PUBLIC_URL. */
  isOtherName?: true;
  /** Code of the error response. */
  errorCode?: ErrorCode;
  /** Error found before tRPC handles a call over /trpc. tRPC reports it in its own format. */
  refusal?: unknown;
}

const STATE = Symbol('state of a request');

/**
 * A request with its state, in a property. In a `WeakMap`, V8 would keep the state and all that it refers to until a full garbage collection, because
 * a young collection takes the values of an old map for alive.
 */
interface Stated extends IncomingMessage {
  [STATE]?: RequestState;
}

/** Creates the state of a request. Must be called before `stateOf`. */
export function beginState(request: Stated, requestId: string): void {
  request[STATE] = { requestId };
}

/** Returns the state of a request. Throws if `beginState` was not called. */
export function stateOf(request: Stated): RequestState {
  const state = request[STATE];
  if (!state) throw new Error('This request has no state.');
  return state;
}
