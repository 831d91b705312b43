import type { IncomingMessage } from 'node:http';
import type { ErrorCode, Principal, Visitor } from '@affiliate/core';

/** What one step of a request leaves for the steps after it. */
export interface RequestState {
  /** Names the request in logs and in its answer. */
  readonly requestId: string;
  /** Template of the path, for logs and metrics: a bounded number of them, whatever addresses strangers try. */
  route?: string;
  /** Set once the credentials were accepted, or found missing where none are needed. */
  caller?: Principal | Visitor;
  /** Code of the error that was answered. */
  errorCode?: ErrorCode;
  /** Refusal of a body on /trpc, answered once the caller is known. */
  bodyRefusal?: unknown;
}

const states = new WeakMap<IncomingMessage, RequestState>();

/** Starts the state of a request. The first step of every request. */
export function beginState(request: IncomingMessage, requestId: string): void {
  states.set(request, { requestId });
}

/** The state of a request that `beginState` has seen. */
export function stateOf(request: IncomingMessage): RequestState {
  const state = states.get(request);
  if (!state) throw new Error('This request has no state.');
  return state;
}
