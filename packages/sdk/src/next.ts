import { type OnEvent, respondToWebhook } from './webhook-handler.ts';
import type { VerifyOptions } from './webhooks.ts';

/**
 * Returns a route handler of Next.js for webhooks.
 *
 *     // app/webhooks/route.ts
 *     export const POST = webhookRoute(process.env.WEBHOOK_SECRET, async (event) => { … });
 */
export function webhookRoute(secret: string, onEvent: OnEvent, options?: VerifyOptions): (request: Request) => Promise<Response> {
  return respondToWebhook(secret, onEvent, options);
}
