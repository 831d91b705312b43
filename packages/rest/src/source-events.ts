import {
  type AcceptedFacts,
  DomainError,
  type EventOutcome,
  methodNotAllowed,
  type NoticeOutcome,
  type PspDelivery,
  receivePspEvent,
  receiveRailNotice,
  type Services,
} from '@affiliate/core';
import { type Request, type Response, Router } from 'express';
import type { RateLimits } from './rate-limits.ts';
import { ofStranger, readRawBody } from './raw-body.ts';
import { stateOf } from './request-state.ts';

/** Larger than any event of a provider. The sender of an event counts as a stranger until its signature is verified. */
const MAX_EVENT_BYTES = 1024 * 1024;

/** A delivery, without the receiver that its address names. */
type Arrived = Omit<PspDelivery, 'to'>;
type Take = (delivery: Arrived) => Promise<EventOutcome | NoticeOutcome | AcceptedFacts>;

/**
 * Serves the addresses that receive signed events: `POST /sources/<connection_id>/events`, `POST /psp/webhooks/<account_id>` for the connection that the
 * settings show, and `POST /rails/<payout_rail_id>/events` of services that pay affiliates. The sender repeats an event until it gets a 2xx.
 */
export function sourceEvents(services: Services, limits: RateLimits): Router {
  const router = Router();
  const serve = (path: string, documented: string, take: (id: string, delivery: Arrived) => ReturnType<Take>) =>
    router
      .route(path)
      .all((request, _response, next) => {
        stateOf(request).route = documented;
        next();
      })
      .post((request, response) => {
        const id = String(request.params['id']);
        return receive(limits, { ofReceiver: `psp ${id}`, take: (delivery) => take(id, delivery) }, request, response);
      })
      .all((request, response) => {
        response.setHeader('Allow', 'POST');
        throw methodNotAllowed(request.method, ['POST']);
      });
  serve('/sources/:id/events', '/sources/{connection_id}/events', (connectionId, delivery) =>
    receivePspEvent(services, { to: { connectionId }, ...delivery }),
  );
  serve('/psp/webhooks/:id', '/psp/webhooks/{account_id}', (accountId, delivery) =>
    receivePspEvent(services, { to: { accountId }, ...delivery }),
  );
  serve('/rails/:id/events', '/rails/{payout_rail_id}/events', (railId, delivery) =>
    receiveRailNotice(services, { railId, ...delivery }),
  );
  return router;
}

/**
 * Receives one event. Wrong signatures are counted per address and receiver. The provider sends the events of all accounts from the same
 * addresses, and a wrong secret of one account must not block the events of the others (docs/rules/platform.md#rate-limits).
 */
async function receive(
  limits: RateLimits,
  { ofReceiver, take }: { ofReceiver: string; take: Take },
  request: Request,
  response: Response,
): Promise<void> {
  let isConnected = false;
  limits.assertMayTry(request, ofReceiver);
  try {
    const received = await take({
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
