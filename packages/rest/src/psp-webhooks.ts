import { DomainError, receivePspEvent, type Services, methodNotAllowed } from '@affiliate/core';
import { type RequestHandler, Router } from 'express';
import type { RateLimits } from './rate-limits.ts';
import { readRawBody } from './raw-body.ts';
import { stateOf } from './request-state.ts';

/** `POST /psp/webhooks/<account_id>`: signed events of the payment provider. The provider repeats an event until it gets a 2xx. */
export function pspWebhooks(services: Services, limits: RateLimits): Router {
  const router = Router();
  router
    .route('/:account_id')
    .all((request, _response, next) => {
      stateOf(request).route = '/psp/webhooks/{account_id}';
      next();
    })
    .post(receive(services, limits))
    .all((request, response) => {
      response.setHeader('Allow', 'POST');
      throw methodNotAllowed(request.method, ['POST']);
    });
  return router;
}

/**
 * Receives one event. Wrong signatures count per address and account, because the events of all accounts come from the same addresses of
 * the provider: a wrong secret of one account must not block the events of the others (docs/domain-rules.md#rate-limits).
 */
function receive(services: Services, limits: RateLimits): RequestHandler<{ account_id: string }> {
  return async (request, response) => {
    const accountId = request.params.account_id;
    const ofAccount = `psp ${accountId}`;
    let isConnected = false;
    limits.assertMayTry(request, ofAccount);
    try {
      const outcome = await receivePspEvent(services, {
        accountId,
        readBody: () => {
          isConnected = true;
          return readRawBody(request, response);
        },
        signatureHeader: request.get('stripe-signature'),
        requestId: stateOf(request).requestId,
      });
      // The provider shows the response in its dashboard.
      response.status(200).json({ received: true, outcome });
    } catch (error) {
      // Unknown accounts share one counter: otherwise a stranger could invent accounts without limit.
      if (error instanceof DomainError && error.code === 'INVALID_SIGNATURE') {
        if (!isConnected) limits.assertMayTry(request, 'psp');
        await limits.countFailure(request, isConnected ? ofAccount : 'psp');
      }
      throw error;
    }
  };
}
