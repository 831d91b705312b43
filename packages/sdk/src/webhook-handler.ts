import type { WebhookEvent } from './generated/types.ts';
import { type VerifyOptions, WebhookVerificationError, verify } from './webhooks.ts';

/** Processes an event. The service sends the event again if this rejects. */
export type OnEvent = (event: WebhookEvent) => unknown;

/**
 * Returns a function that verifies a webhook request, passes its event on, and answers with 204, or 400 if the request is not from the service.
 * Rejects with the error of `onEvent`: frameworks then answer with 500, and the service sends the event again.
 */
export function respondToWebhook(
  secret: string,
  onEvent: OnEvent,
  options?: VerifyOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      await onEvent(await verify(await request.text(), request.headers, secret, options));
      return new Response(null, { status: 204 });
    } catch (error) {
      if (error instanceof WebhookVerificationError) return new Response(error.message, { status: 400 });
      throw error;
    }
  };
}
