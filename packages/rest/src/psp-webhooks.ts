import { DomainError, receivePspEvent, type Services, methodNotAllowed } from '@affiliate/core';
import { type RequestHandler, Router } from 'express';
import type { RateLimits } from './rate-limits.ts';
import { ofStranger, readRawBody } from './raw-body.ts';
import { stateOf } from './request-state.ts';

/** Larger than any event of the provider. The sender of an event counts as a stranger until its signature is verified. */
const MAX_EVENT_BYTES = 1024 * 1024;

/**
 * Serves `POST /psp/webhooks/<account_id>`, which receives signed events of the payment provider. The provider repeats an event until it gets
 * a 2xx.
 */
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
 * Receives one event. Wrong signatures are counted per address and account. The provider sends the events of all accounts from the same
 * addresses, and a wrong secret of one account must not block the events of the others (docs/rules/platform.md#rate-limits).
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
          return readRawBody(request, response, ofStranger(MAX_EVENT_BYTES));
        },
        signatureHeader: request.get('stripe-signature'),
        requestId: stateOf(request).requestId,
      });
      // The body is for people, because the provider shows the response in its dashboard.
      response.status(200).json({ received: true, outcome });
    } catch (error) {
      // Unknown accounts share one counter. Otherwise a stranger could make up account ids and never reach a limit.
      if (error instanceof DomainError && error.code === 'INVALID_SIGNATURE') {
        if (!isConnected) limits.assertMayTry(request, 'psp');
        await limits.countFailure(request, isConnected ? ofAccount : 'psp');
      }
      throw error;
    }
  };
}
