import { ApiError, receivePspEvent, type Services } from '@affiliate/core';
import express, { type Request, type Response, Router } from 'express';
import { bodyRefusal } from './json-body.ts';

/** The body as it came, whatever it says it is: its signature is what makes it good. */
const readRaw = express.raw({ limit: '1mb', type: () => true });

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
        rawBody: await rawBody(request, response),
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

async function rawBody(request: Request, response: Response): Promise<Uint8Array> {
  await new Promise<void>((resolve, reject) => {
    readRaw(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(bodyRefusal(error))));
  });
  // Without a body the parser leaves none.
  return request.body instanceof Uint8Array ? request.body : new Uint8Array();
}
