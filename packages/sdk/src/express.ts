import type { OnEvent } from './webhook-handler.ts';
import { readBody, type VerifyOptions, WebhookTooLargeError, WebhookVerificationError, verify } from './webhooks.ts';

/** The parts of a request of Express that the handler reads. */
interface ExpressRequest extends AsyncIterable<Uint8Array> {
  headers: Record<string, string | string[] | undefined>;
  body?: unknown;
}

interface ExpressResponse {
  status(code: number): ExpressResponse;
  send(body?: string): unknown;
}

/**
 * Returns a handler of Express for webhooks. No JSON parser may run before it: the signature covers the raw body.
 *
 *     app.post('/webhooks', webhookHandler(secret, async (event) => { … }));
 */
export function webhookHandler(
  secret: string,
  onEvent: OnEvent,
  options?: VerifyOptions,
): (request: ExpressRequest, response: ExpressResponse, next: (error?: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      await onEvent(await verify(await rawBody(request, options), request.headers, secret, options));
      response.status(204).send();
    } catch (error) {
      if (error instanceof WebhookVerificationError) response.status(400).send(error.message);
      else if (error instanceof WebhookTooLargeError) response.status(413).send(error.message);
      else next(error);
    }
  };
}

/** Returns the body that `express.raw()` or `express.text()` has read, or reads it. */
async function rawBody(request: ExpressRequest, options?: VerifyOptions): Promise<string | Uint8Array> {
  const { body } = request;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body !== undefined)
    throw new Error(
      'A parser has read the body. Register the webhook handler before `express.json()`, because the signature covers the raw body.',
    );
  return readBody(request, request.headers['content-length']?.toString(), options);
}
