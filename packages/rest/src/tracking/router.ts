import {
  DomainError,
  type Services,
  TrackLead,
  TrackVisit,
  followLink,
  invalid,
  parseInput,
  trackLead,
  trackVisit,
} from '@affiliate/core';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import { readJsonBody } from '../json-body.ts';
import { urlOf } from '../url.ts';
import { readReferralCookie, referralCookie } from './cookie.ts';
import { TRACKING_SCRIPT } from './script.ts';

/** What browsers call: no credentials, readable from any page, unable to create money (docs/domain-rules.md#tracking). */
export function publicTracking(services: Services): Router {
  const router = Router();
  router.get('/t/:token', redirectVisitor(services));
  router.get('/track.js', sendScript);
  router.options(['/track/visits', '/track/leads'], allowAnyOrigin, (_request, response) => {
    response.status(204).end();
  });
  router.post('/track/visits', allowAnyOrigin, async (request, response) => {
    const input = await readReport(TrackVisit, request, response);
    response.json(await trackVisit(services, input, requestIdOf(response)));
  });
  router.post('/track/leads', allowAnyOrigin, async (request, response) => {
    const input = await readReport(TrackLead, request, response);
    response.json(await trackLead(services, input, requestIdOf(response)));
  });
  return router;
}

/** Throws VALIDATION_ERROR, also for parameters in the query: a report has none. */
async function readReport<Schema extends z.ZodType>(
  schema: Schema,
  request: Request,
  response: Response,
): Promise<z.infer<Schema>> {
  const [foreign] = urlOf(request).searchParams.keys();
  if (foreign !== undefined) throw invalid(foreign, 'This field or parameter is not known here.', 'unrecognized_key');
  return parseInput(schema, await readJsonBody(request, response));
}

function redirectVisitor(services: Services): RequestHandler<{ token: string }> {
  return async (request, response) => {
    const landing = await followLink(services, {
      token: request.params.token,
      accountId: urlOf(request).searchParams.get('account_id') ?? undefined,
      referralOf: (accountId) => readReferralCookie(request.headers.cookie, accountId),
      requestId: requestIdOf(response),
      countable: request.method === 'GET' && !isPrefetch(request.headers['sec-purpose']),
    });
    if (!landing) throw new DomainError('NOT_FOUND', 'No such link.');
    if (landing.referral) {
      const secure = services.publicUrl.startsWith('https:');
      response.setHeader('Set-Cookie', referralCookie(landing.accountId, landing.referral, services.clock.now(), secure));
    }
    response.setHeader('Cache-Control', 'no-store');
    response.redirect(302, landing.url);
  };
}

const sendScript: RequestHandler = (_request, response) => {
  response.setHeader('Cache-Control', 'public, max-age=3600');
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.type('text/javascript').send(TRACKING_SCRIPT);
};

/** Browsers fetch pages that nobody has clicked on yet. */
function isPrefetch(purpose: string | string[] | undefined): boolean {
  return typeof purpose === 'string' && purpose.includes('prefetch');
}

/** Any page may call, and read the answer; no cookies are sent or taken. */
const allowAnyOrigin: RequestHandler = (_request, response, next) => {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Allow-Methods', 'POST, OPTIONS');
  response.setHeader('Access-Control-Allow-Headers', 'Content-Type');
  response.setHeader('Access-Control-Max-Age', '86400');
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  next();
};

function requestIdOf(response: Response): string {
  return response.locals['requestId'] as string;
}
