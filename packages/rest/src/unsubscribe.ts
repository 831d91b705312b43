import { type Services, emailChoice } from '@affiliate/core';
import { Router } from 'express';
import type { RateLimits } from './rate-limits.ts';
import { ofStranger, readRawBody } from './raw-body.ts';
import { stateOf } from './request-state.ts';
import { urlOf } from './url.ts';

/**
 * Serves `POST /unsubscribe?token=…`, which mail programs request for their one-click unsubscribe button (RFC 8058). The body is the form
 * `List-Unsubscribe=One-Click`, URL-encoded or multipart. It is not evaluated, because the token in the URL identifies the recipient and
 * the emails. The page with the same URL is for people, asks before it unsubscribes them, and can undo it.
 */
export function oneClickUnsubscribe(services: Services, limits: RateLimits): Router {
  const router = Router();
  router.post('/unsubscribe', limits.publicAddress, async (request, response) => {
    stateOf(request).route = '/unsubscribe';
    await readRawBody(request, response, ofStranger());
    await emailChoice(services, urlOf(request).searchParams.get('token') ?? '', false);
    response.status(200).type('text').send('You will not get these emails any more.\n');
  });
  return router;
}
