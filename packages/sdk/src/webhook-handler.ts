import type { WebhookEvent } from './generated/types.ts';
import { readBody, type VerifyOptions, WebhookTooLargeError, WebhookVerificationError, verify } from './webhooks.ts';

/** Processes an event. The service sends the event again if this rejects. */
export type OnEvent = (event: WebhookEvent) => unknown;

/**
 * Returns a function that verifies a webhook request, passes its event on, and answers with 204, with 400 if the request is not from the service, or with
 * 413 if its body is larger than `maxBytes`.
 * Rejects with the error of `onEvent`: frameworks then answer with 500, and the service sends the event again.
 */
export function respondToWebhook(
  secret: string,
  onEvent: OnEvent,
  options?: VerifyOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      const { body, headers } = request;
      const content = body === null ? '' : await readBody(chunksOf(body), headers.get('content-length'), options);
      await onEvent(await verify(content, headers, secret, options));
      return new Response(null, { status: 204 });
    } catch (error) {
      if (error instanceof WebhookVerificationError) return new Response(error.message, { status: 400 });
      if (error instanceof WebhookTooLargeError) return new Response(error.message, { status: 413 });
      throw error;
    }
  };
}

/** Iterates over a body, also where streams cannot be iterated. Cancels the rest when the loop ends early. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel();
  }
}
