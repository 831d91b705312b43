import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type ErrorCode, type Principal, type Visitor, clientNetwork, LANGUAGES, type Language } from '@affiliate/core';
import type { Request, RequestHandler } from 'express';
import type { UnreadAnswers } from './unread-answers.ts';

/** Facts about a request that earlier handlers record for later ones. */
export interface RequestState {
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
function beginState(request: Stated, requestId: string): void {
  request[STATE] = { requestId };
}

/** Returns the state of a request. Throws if `beginState` was not called. */
export function stateOf(request: Stated): RequestState {
  const state = request[STATE];
  if (!state) throw new Error('This request has no state.');
  return state;
}

/** Returns the network of the client's address, under which its requests are counted. */
export function networkOf(request: Request): string {
  return (stateOf(request).network ??= clientNetwork(request.ip ?? 'unknown'));
}

/** Returns the party whose share of the processor a request uses: the caller's account, or the network of a caller who is not known. */
export function partyOf(request: Request): string {
  const { caller } = stateOf(request);
  return caller && caller.kind !== 'visitor' ? caller.account_id : networkOf(request);
}

/**
 * Returns the path (below the mount point) and the query of a request. The URL is split by hand, because `new URL()` would take the `x` of
 * `//x/y` for a host and would resolve dot segments. The query is parsed only when it is read.
 */
export function urlOf({ url }: Request): { readonly pathname: string; readonly searchParams: URLSearchParams } {
  const at = url.indexOf('?');
  return {
    pathname: at === -1 ? url : url.slice(0, at),
    get searchParams() {
      return new URLSearchParams(at === -1 ? '' : url.slice(at));
    },
  };
}

/** Takes the id of the request from its X-Request-Id, or creates one if the header is missing or malformed. Sends the id back in the response. */
export const identifyRequest: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
  beginState(request, requestId);
  response.setHeader('X-Request-Id', requestId);
  next();
};

/**
 * Returns the language of the service that a browser or another program prefers. Facebook names it in a header of its own. Undefined if the request
 * states no preference or accepts none of these languages.
 */
export function languageOf(request: Request): Language | undefined {
  const ofFacebook = request.get('x-facebook-locale')?.slice(0, 2);
  if (ofFacebook !== undefined) return LANGUAGES.find((language) => language === ofFacebook);
  if ((request.headers['accept-language'] ?? '*') === '*') return undefined;
  return LANGUAGES.find((language) => language === request.acceptsLanguages(...LANGUAGES));
}
