import { DomainError, methodNotAllowed, type PspDelivery, receivePspEvent, type Services } from '@affiliate/core';
import { type Request, type Response, Router } from 'express';
import type { RateLimits } from './rate-limits.ts';
import { ofStranger, readRawBody } from './raw-body.ts';
import { stateOf } from './request-state.ts';

/** Larger than any event of a provider. The sender of an event counts as a stranger until its signature is verified. */
const MAX_EVENT_BYTES = 1024 * 1024;

/**
 * Serves the addresses that receive signed events of payment providers: `POST /sources/<connection_id>/events`, and `POST /psp/webhooks/<account_id>`
 * for the connection that the settings show. A provider repeats an event until it gets a 2xx.
 */
export function sourceEvents(services: Services, limits: RateLimits): Router {
  const router = Router();
  const serve = (path: string, documented: string, receiver: (id: string) => PspDelivery['to']) =>
    router
      .route(path)
      .all((request, _response, next) => {
        stateOf(request).route = documented;
        next();
      })
      .post((request, response) => receive(services, limits, receiver(String(request.params['id'])), request, response))
      .all((request, response) => {
        response.setHeader('Allow', 'POST');
        throw methodNotAllowed(request.method, ['POST']);
      });
  serve('/sources/:id/events', '/sources/{connection_id}/events', (connectionId) => ({ connectionId }));
  serve('/psp/webhooks/:id', '/psp/webhooks/{account_id}', (accountId) => ({ accountId }));
  return router;
}

/**
 * Receives one event. Wrong signatures are counted per address and receiver. The provider sends the events of all accounts from the same
 * addresses, and a wrong secret of one account must not block the events of the others (docs/rules/platform.md#rate-limits).
 */
async function receive(
  services: Services,
  limits: RateLimits,
  to: PspDelivery['to'],
  request: Request,
  response: Response,
): Promise<void> {
  const ofReceiver = `psp ${Object.values(to).join()}`;
  let isConnected = false;
  limits.assertMayTry(request, ofReceiver);
  try {
    const received = await receivePspEvent(services, {
      to,
      readBody: () => {
        isConnected = true;
        return readRawBody(request, response, ofStranger(MAX_EVENT_BYTES));
      },
      header: (name) => request.get(name),
      requestId: stateOf(request).requestId,
    });
    if (typeof received === 'object') response.status(202).json({ facts: received.facts, dry_run: received.isTrial });
    // The body is for people, because the provider shows the response in its dashboard.
    else response.status(200).json({ received: true, outcome: received });
  } catch (error) {
    // Unknown receivers share one counter. Otherwise a stranger could make up ids and never reach a limit.
    if (error instanceof DomainError && error.code === 'INVALID_SIGNATURE') {
      if (!isConnected) limits.assertMayTry(request, 'psp');
      await limits.countFailure(request, isConnected ? ofReceiver : 'psp');
    }
    throw error;
  }
}
