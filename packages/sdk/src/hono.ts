import { type OnEvent, respondToWebhook } from './webhook-handler.ts';
import type { VerifyOptions } from './webhooks.ts';

/**
 * Returns a handler of Hono for webhooks.
 *
 *     app.post('/webhooks', webhookHandler(secret, async (event) => { … }));
 */
export function webhookHandler(
  secret: string,
  onEvent: OnEvent,
  options?: VerifyOptions,
): (context: { req: { raw: Request } }) => Promise<Response> {
  const respond = respondToWebhook(secret, onEvent, options);
  return (context) => respond(context.req.raw);
}
