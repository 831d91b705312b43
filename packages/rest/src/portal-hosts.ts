import { DomainError, PROOF_PATH, type Services, findPortalHosts, notFound, proofOf } from '@affiliate/core';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { stateOf, urlOf } from './request-state.ts';

/** Maximum time until every process knows that a host was verified or removed. */
const REFRESH_MS = 5_000;
/** Paths that are served under a portal host. There, `/trpc` serves only some procedures (trpc.ts), `/logos` only the account's own logo, and `/t` only its links. */
const PORTAL_PATHS = /^\/((portal|join)(\/|$)|(assets|trpc|logos|files|t)\/|icon\.svg$)/i;
type AccountOf = (host: string) => Promise<string | undefined>;
const NONCE = /^[0-9a-f]{32}$/;
/**
 * Paths that are served under PUBLIC_URL only. Another host name that resolves to this service may be a merchant's name that is not verified
 * yet or no longer verified.
 */
const SIGN_IN_PATHS = /^\/auth(\/|$)/i;
/** Matches names that could be portal hosts. IP addresses and names without a dot belong to the operator's network and need no look-up. */
const MAY_BE_PORTAL_HOST = /\.[a-z][a-z0-9-]*$/;

/**
 * Recognizes merchants' own host names (docs/rules/portal.md#portal-hosts). Under these names, only the portal of the account is served:
 * its pages, its logo, and the procedures that the pages call, and the tracked links of the account are followed. Sessions and API keys are
 * ignored there.
 * Under a host name that is neither a merchant's nor the one in PUBLIC_URL, nobody can sign in, and pages redirect to PUBLIC_URL. This
 * restriction does not apply to IP addresses and names without a dot, nor if PUBLIC_URL itself has such a host.
 */
export function portalHosts(services: Services, accountOf: AccountOf): RequestHandler {
  const { host, hostname } = new URL(services.publicUrl);
  const atOtherName: RequestHandler = async (request, response, next) => {
    const name = nameOf(request.headers.host ?? '');
    // `url` may be an absolute URL. Express reads only its path.
    const { path } = request;
    // Answered even before the host is verified, because the verification requests this path.
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
  // Most requests use the host of PUBLIC_URL, and visitors of merchants wait for the responses. These requests therefore skip all other
  // checks.
  return (request, response, next) => (request.headers.host === host ? next() : atOtherName(request, response, next));
}

/** Responds to the verification of a host: sends the proof for the nonce in the path, as HTML, because the verification reads HTML pages. */
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
 * Serves `GET /portal-hosts/certificate?domain=…`, where a proxy asks whether it may get a certificate for a name (`on_demand_tls` of Caddy).
 * Answers 200 only for verified hosts, of which each account has at most one. Requests are not limited, because the proxy asks on behalf of
 * all its clients and the answer takes only a look-up in memory.
 */
export function certificates(accountOf: AccountOf): Router {
  return Router().get('/portal-hosts/certificate', async (request, response) => {
    stateOf(request).route = '/portal-hosts/certificate';
    const name = nameOf(urlOf(request).searchParams.get('domain') ?? '');
    if ((await accountOf(name)) === undefined) throw notFound('portal host');
    response.setHeader('Cache-Control', 'no-store').type('text').send('This is a portal host.\n');
  });
}

/** Returns the host name of a header, without the port and without the trailing dot of an absolute name. */
function nameOf(header: string): string {
  return header.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
}

/**
 * Returns a function that finds an account by its verified host. All hosts are read with one statement and cached, so that requests for
 * made-up names do not cost a statement each. While the database fails, the hosts from the last successful read are used. Until
 * the hosts have been read once, the returned function throws UNAVAILABLE, because any name could be a merchant's.
 */
export function accountsByHost(services: Services): AccountOf {
  let known: ReadonlyMap<string, string> | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  const read = async () => {
    try {
      known = await findPortalHosts(services);
    } catch (error) {
      services.log.warn({ err: error }, 'portal hosts could not be read; the last known hosts are used');
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
