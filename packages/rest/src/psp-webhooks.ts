import { DomainError, receivePspEvent, type Services } from '@affiliate/core';
import { type RequestHandler, Router } from 'express';
import type { RateLimits } from './rate-limits.ts';
import { readRawBody } from './raw-body.ts';
import { stateOf } from './request-state.ts';

/** `POST /psp/webhooks/<account_id>`: the payment provider's signed events. A success tells the provider not to deliver again. */
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
      throw new DomainError('METHOD_NOT_ALLOWED', `${request.method} is not possible here.`);
    });
  return router;
}

/**
 * Anybody can send here, and every account's events come from the same addresses of the provider. So wrong signatures are counted by
 * address and account: one account that has set up a wrong secret keeps no other one's events out.
 */
function receive(services: Services, limits: RateLimits): RequestHandler<{ account_id: string }> {
  return async (request, response) => {
    const accountId = request.params.account_id;
    const ofAccount = `psp ${accountId}`;
    let isConnected = false;
    await limits.assertMayTry(request, ofAccount);
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
      // The provider shows the answer to whoever wonders what became of an event.
      response.status(200).json({ received: true, outcome });
    } catch (error) {
      // Accounts that do not exist are counted as one, or a stranger could invent them without end.
      if (error instanceof DomainError && error.code === 'INVALID_SIGNATURE') {
        if (!isConnected) await limits.assertMayTry(request, 'psp');
        await limits.countFailure(request, isConnected ? ofAccount : 'psp');
      }
      throw error;
    }
  };
}
