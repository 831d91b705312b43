import { type Services, unsubscribe } from '@affiliate/core';
import { Router } from 'express';
import type { RateLimits } from './rate-limits.ts';
import { readRawBody } from './raw-body.ts';
import { stateOf } from './request-state.ts';
import { urlOf } from './url.ts';

const MAX_BODY_BYTES = 4_096;

/**
 * `POST /unsubscribe?token=…`: the one click of a mail program, with the form `List-Unsubscribe=One-Click` in either encoding of forms
 * (RFC 8058); the address says everything. The page at the same address is for people, and asks first.
 */
export function oneClickUnsubscribe(services: Services, limits: RateLimits): Router {
  const router = Router();
  router.post('/unsubscribe', limits.publicAddress, async (request, response) => {
    stateOf(request).route = '/unsubscribe';
    await readRawBody(request, response, MAX_BODY_BYTES);
    await unsubscribe(services, { token: urlOf(request).searchParams.get('token') ?? '' });
    response.status(200).type('text').send('You will get no more of these e-mails.\n');
  });
  return router;
}
