import { DomainError, PROOF_PATH, type Services, findPortalHosts, notFound, proofOf } from '@affiliate/core';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { stateOf } from './request-state.ts';
import { urlOf } from './url.ts';

/** A host that was verified or removed counts in every process after this time. */
const REFRESH_MS = 5_000;
/** The paths of a portal host. `/trpc` serves some procedures there only (trpc.ts), and `/logos` the account's own. */
const PORTAL_PATHS = /^\/((portal|join)(\/|$)|(assets|trpc|logos)\/|icon\.svg$)/i;
/** The account of a verified host. */
type AccountOf = (host: string) => Promise<string | undefined>;
const NONCE = /^[0-9a-f]{32}$/;
/** People sign in at PUBLIC_URL only: a name that leads here may be that of a merchant whom no check has verified yet, or any more. */
const SIGN_IN_PATHS = /^\/auth(\/|$)/i;
/** Addresses and names without a dot belong to the operator's network. Their requests ask no database. */
const MAY_BE_PORTAL_HOST = /\.[a-z][a-z0-9-]*$/;

/**
 * Recognizes the host names of merchants' own. Under them only the portal of the account is served: pages, logo, and the procedures that they
 * call. No cookie and no API key is read there (docs/domain-rules.md#portal-hosts). Under other names than that of PUBLIC_URL nobody signs in, and
 * pages lead there, unless PUBLIC_URL itself has no name that others could have.
 */
export function portalHosts(services: Services, accountOf: AccountOf): RequestHandler {
  const { host, hostname } = new URL(services.publicUrl);
  const atOtherName: RequestHandler = async (request, response, next) => {
    const name = nameOf(request.headers.host ?? '');
    // Express reads the path of an absolute address; `url` may hold all of it.
    const { path } = request;
    // Before the host is verified, too.
    if (path.startsWith(PROOF_PATH)) {
      answerProof(services, name, request, response);
      return;
    }
    const isOwn = name === hostname || !MAY_BE_PORTAL_HOST.test(name);
    const account = isOwn ? undefined : await accountOf(name);
    if (account === undefined) {
      if (!isOwn && MAY_BE_PORTAL_HOST.test(hostname)) {
        if (SIGN_IN_PATHS.test(path)) throw notFound('path');
        stateOf(request).isOtherName = true;
      }
      next();
    } else if (path === '/') {
      response.redirect('/portal');
    } else if (PORTAL_PATHS.test(path)) {
      stateOf(request).hostAccountId = account;
      next();
    } else {
      throw notFound('path');
    }
  };
  // Most requests: every visitor of every merchant waits for it.
  return (request, response, next) => (request.headers.host === host ? next() : atOtherName(request, response, next));
}

/** Answers to a nonce, as a page, because the check reads pages. */
function answerProof(services: Services, host: string, request: Request, response: Response): void {
  const nonce = request.path.slice(PROOF_PATH.length);
  stateOf(request).route = PROOF_PATH;
  if (!NONCE.test(nonce)) throw notFound('path');
  response
    .setHeader('Cache-Control', 'no-store')
    .type('html')
    .send(proofOf(services, host, nonce));
}

/**
 * `GET /portal-hosts/certificate?domain=…`: whether a proxy may get a certificate for a name (`on_demand_tls` of Caddy). 200 for verified
 * hosts only, of which an account has one. Not limited: a proxy asks for all its clients, and the response takes a look-up in memory.
 */
export function certificates(accountOf: AccountOf): Router {
  return Router().get('/portal-hosts/certificate', async (request, response) => {
    stateOf(request).route = '/portal-hosts/certificate';
    const name = nameOf(urlOf(request).searchParams.get('domain') ?? '');
    if ((await accountOf(name)) === undefined) throw notFound('portal host');
    response.setHeader('Cache-Control', 'no-store').type('text').send('This is a portal host.\n');
  });
}

/** The host name of a header: without port and the dot of an absolute name. */
function nameOf(header: string): string {
  return header.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
}

/**
 * Finds accounts by verified host. All are read together and kept for a while, so that requests for names that a stranger makes up cost no
 * statement each. While the database fails, the last known ones count; before the first ones are known, every name could be a merchant's.
 *
 * @throws UNAVAILABLE, from the function that it returns, until the hosts have been read once
 */
export function accountsByHost(services: Services): AccountOf {
  let known: ReadonlyMap<string, string> | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  const read = async () => {
    try {
      known = await findPortalHosts(services);
    } catch (error) {
      services.log.warn({ err: error }, 'portal hosts not read; the last known ones count');
    }
    readAt = services.clock.now().getTime();
    reading = null;
  };
  return async (host) => {
    if (services.clock.now().getTime() - readAt >= REFRESH_MS) await (reading ??= read());
    if (known === null) throw new DomainError('UNAVAILABLE');
    return known.get(host);
  };
}
