import { ApiError, receivePspEvent, type Services } from '@affiliate/core';
import { Router } from 'express';
import { readRawBody } from './raw-body.ts';

/** `POST /psp/webhooks/<account_id>`: the payment provider's signed events. A success tells the provider not to deliver again. */
export function pspWebhooks(services: Services): Router {
  const router = Router();
  router
    .route('/:account_id')
    .all((_request, response, next) => {
      response.locals['route'] = '/psp/webhooks/{account_id}';
      next();
    })
    .post(async (request, response) => {
      await receivePspEvent(services, {
        accountId: request.params.account_id,
        // Whatever it says it is: its signature is what makes it good.
        rawBody: await readRawBody(request, response),
        signatureHeader: request.get('stripe-signature'),
        requestId: response.locals['requestId'] as string,
      });
      response.status(200).json({ received: true });
    })
    .all((request, response) => {
      response.setHeader('Allow', 'POST');
      throw new ApiError('METHOD_NOT_ALLOWED', `${request.method} is not possible here.`);
    });
  return router;
}
