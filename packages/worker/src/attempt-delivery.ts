import {
  type AttemptOutcome,
  type DueDelivery,
  type DueRound,
  type Services,
  signatureHeaders,
  toInstant,
} from '@affiliate/core';
import { postWebhook, type WebhookTransport } from './http-request.ts';

const USER_AGENT = 'Affiliate-Webhooks/1.0';

/** Posts a delivery once, signed with the current time, and returns the outcome (docs/rules/webhooks.md#deliveries). */
export async function attemptDelivery(
  { clock }: Services,
  transport: WebhookTransport,
  { id, url, signing_secrets }: DueRound['endpoint'],
  delivery: DueDelivery,
): Promise<AttemptOutcome> {
  const startedAt = clock.now();
  const timestamp = Math.floor(startedAt.getTime() / 1_000);
  const { requestHeaders, durationMs, response, errorCode } = await postWebhook(
    {
      endpointId: id,
      url,
      headers: {
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        ...signatureHeaders(signing_secrets, { deliveryId: delivery.id, timestamp, body: delivery.body }),
      },
      body: delivery.body,
    },
    transport,
  );
  return {
    delivery,
    started_at: toInstant(startedAt),
    duration_ms: durationMs,
    request_headers: requestHeaders,
    response_status: response?.status ?? null,
    response_headers: response?.headers ?? null,
    response_excerpt: response?.bodyExcerpt ?? null,
    error_code: errorCode ?? null,
  };
}
