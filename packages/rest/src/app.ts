import { type Services, asParty, countingResults, notFound } from '@affiliate/core';
import express, { type Express, type Request, type RequestHandler, type Response, Router } from 'express';
import { accessLog } from './access-log.ts';
import { auth } from './auth.ts';
import { cardPictures } from './cards.ts';
import { recognizeCaller } from './credentials.ts';
import { dispatch, findRoute, hasRoute } from './dispatcher.ts';
import { embedLoader } from './embedding/embed-loader.ts';
import { errorHandler } from './error-handler.ts';
import { files } from './files.ts';
import { type Health, createHealth, healthRoutes } from './health.ts';
import { readJson } from './json-body.ts';
import { logos } from './logos.ts';
import { mailReports, oneClickUnsubscribe } from './mail-requests.ts';
import { manualRoutes } from './manuals.ts';
import { type Metrics, createMetrics, showMetrics } from './metrics.ts';
import { oauth } from './oauth.ts';
import { FIRST_PARTY, openOperations } from './open-operations.ts';
import { contractRoutes } from './openapi/contract-routes.ts';
import { packageRoutes } from './packages.ts';
import { pages } from './pages.ts';
import { accountsByHost, certificates, portalHosts } from './portal-hosts.ts';
import { DEFAULT_RATE_LIMITS, type RateLimitSettings, type RateLimits, createRateLimits } from './rate-limits.ts';
import { assertReadable } from './readable-request.ts';
import { networkOf, identifyRequest, stateOf } from './request-state.ts';
import { securityHeaders } from './security-headers.ts';
import { sourceEvents } from './source-events.ts';
import { trackingScript } from './tracking/script.ts';
import { trpc } from './trpc.ts';
import { type UnreadAnswers, createUnreadAnswers } from './unread-answers.ts';

/** Functions for the other entry points on this port, such as MCP, so that they share the rate limits and the request ids of REST. */
interface DoorHost extends RateLimits {
  requestIdOf(request: Request): string;
  /** Reads the JSON in the body of a caller whose credentials have been checked. */
  readJson(request: Request, response: Response): Promise<unknown>;
}

export interface RestOptions {
  rateLimits?: RateLimitSettings;
  /** Number of reverse proxies in front of the service. The `X-Forwarded-For` header that they send is trusted. */
  trustedProxies?: number | undefined;
  /** Header in which a proxy in front of the service names the visitor's country, e.g. `CF-IPCountry`. */
  countryHeader?: string | undefined;
  /** Token of the mail provider's webhooks. Without it, the service takes none. */
  mailReportsToken?: string | undefined;
  /** Bearer token for `/metrics`. Without it, anyone who reaches the port can read the metrics. */
  metricsToken?: string | undefined;
  /** Metrics of this process, shared with the worker that runs in it. */
  metrics?: Metrics;
  /** Readiness of this process, which `/readyz` reports. */
  health?: Health;
  /** Other entry points on the same port, by path. They share the rate limits and the error responses. */
  doors?: Readonly<Record<string, (host: DoorHost) => RequestHandler>>;
  /** Version of the service, which `/healthz` and the contract report. */
  version?: string;
  /** Commit of the service's build, which `/healthz` reports. Null if the process runs the sources. */
  commit?: string | null;
  /** Directory of the built pages. Without it, no pages are served. */
  pages?: string;
}

/** Creates the HTTP application with all its routes. Does not listen: the caller passes the application to `listen`. */
export function createApp(services: Services, options: RestOptions = {}): Express {
  const metrics = options.metrics ?? createMetrics(options);
  metrics.watchVisits(services);
  metrics.watchDatabase(services);
  const unread = createUnreadAnswers();
  const limits = alsoBySize(createRateLimits(services, options.rateLimits ?? DEFAULT_RATE_LIMITS), unread);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', options.trustedProxies ?? 0);
  app.use(identifyRequest, accessLog(services, metrics), securityHeaders(services.publicUrl), assertReadable);
  if (!options.trustedProxies) app.use(warnOfForwardedHeader(services));
  const accountOfHost = accountsByHost(services);
  app.use(portalHosts(services, accountOfHost));
  const open = openOperations(services, limits, options.countryHeader);
  // Tracked links are matched before all other routes, because every visitor of every merchant waits for the redirect.
  app.use((request, response, next) => {
    if (request.url.startsWith('/t/')) asParty(ANYONE, () => open(request, response, next));
    else next();
  });
  app.use(healthRoutes(services, options.health ?? createHealth(), options), waitAsAnyone);
  app.use((request, response, next) => {
    unread.begin(networkOf(request), response);
    stateOf(request).unread = unread;
    next();
  });
  // Mounted early, because most requests are API requests and each earlier middleware would slow them down.
  app.use('/api/v1', guardedOperations(services, limits));
  app.use('/api/settings/v1', guardedOperations(services, limits));
  app.use('/track', guardedOperations(services, limits, { passesOn: true }));
  app.get('/metrics', showMetrics(metrics, options.metricsToken));
  app.use(contractRoutes(services.publicUrl, options.version));
  app.use(manualRoutes(services.publicUrl));
  app.use(packageRoutes(services.publicUrl));
  app.use(open);
  app.use(trackingScript());
  app.use(embedLoader());
  app.use(FIRST_PARTY, open, trackingScript());
  app.use('/track', guardedOperations(services, limits));
  app.use(sourceEvents(services, limits));
  app.use('/trpc', trpc(services, limits));
  app.use(oauth(services, limits));
  app.use('/auth', auth(services, limits));
  app.use(oneClickUnsubscribe(services, limits));
  app.use(mailReports(services, limits, options.mailReportsToken));
  app.use(logos(services, limits));
  app.use(cardPictures(services, limits));
  app.use(files(services, limits));
  app.use(certificates(accountOfHost));
  const host: DoorHost = { ...limits, requestIdOf: (request) => stateOf(request).requestId, readJson };
  for (const [path, door] of Object.entries(options.doors ?? {})) app.use(path, noteRoute(path), door(host));
  // Limited by address, because these pages, unlike the others, query the database.
  app.get(['/embed', '/portal', '/join/*page'], limits.publicAddress);
  if (options.pages !== undefined) app.use(pages(options.pages, services));
  app.get('/', (_request, response) => void response.json(directions(services.publicUrl)));
  app.use(() => {
    throw notFound('path');
  });
  app.use(errorHandler(services));
  return app;
}

/** Says to a program, or to a person with a command line, where to find what. */
function directions(publicUrl: string): Record<string, string> {
  return {
    documentation: `${publicUrl}/docs`,
    contract: `${publicUrl}/openapi/v1.yaml`,
    api: `${publicUrl}/api/v1`,
    assistants: `${publicUrl}/mcp`,
  };
}

/**
 * Serves the operations that need credentials. Uses a router of its own, so that an error is answered one turn of the event loop later. By
 * then a small body has arrived completely, so the connection can be kept open.
 *
 * @param options.passesOn passes requests with unknown paths on to the next routes instead of answering 404
 */
function guardedOperations(services: Services, limits: RateLimits, { passesOn = false } = {}): Router {
  return Router().use(async (request, response, next) => {
    if (passesOn && !hasRoute(request)) return next();
    const match = findRoute(request, response);
    const caller = await recognizeCaller(services, limits, request, response);
    if (caller.kind === 'visitor') throw caller.refusal;
    // The response is for one account only, so caches must not store it.
    response.setHeader('Cache-Control', 'no-store');
    await dispatch(services, match, caller, request, response);
  });
}

/** Counts the answers of a caller also against the limit of unread bytes of the caller's account. */
function alsoBySize(limits: RateLimits, unread: UnreadAnswers): RateLimits {
  return {
    ...limits,
    countCaller: async (request, response, caller) => {
      await limits.countCaller(request, response, caller);
      if (caller.account_id !== null) unread.begin(caller.account_id, response);
    },
  };
}

const ANYONE = { lane: 'read', id: 'anyone' } as const;

/**
 * Until the caller of a request is known, its database work shares one queue with the requests of all unknown callers. What the request reads counts until its
 * answer has been sent.
 */
const waitAsAnyone: RequestHandler = (_request, response, next) => {
  response.once(
    'close',
    countingResults(() => asParty(ANYONE, next)),
  );
};

/** Warns once if a proxy names the clients but is not trusted, because all clients then share one address and its limits. */
function warnOfForwardedHeader({ log }: Services): RequestHandler {
  let hasWarned = false;
  return (request, _response, next) => {
    if (!hasWarned && request.headers['x-forwarded-for'] !== undefined) {
      hasWarned = true;
      log.warn({}, 'X-Forwarded-For is ignored because TRUSTED_PROXIES is 0; behind a proxy, set it to the number of proxies');
    }
    next();
  };
}

function noteRoute(path: string): RequestHandler {
  return (request, _response, next) => {
    stateOf(request).route = path;
    next();
  };
}
