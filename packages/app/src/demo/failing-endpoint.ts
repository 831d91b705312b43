import { lockedEndpoint, recordAttempts, type Services, takeDueRounds, toInstant } from '@affiliate/core';

/** Maximum number of deliveries that are attempted at once. */
const AT_ONCE = 100;

const ANSWERS = {
  up: { response_status: 200, response_excerpt: '', error_code: null },
  down: { response_status: 503, response_excerpt: 'Down for maintenance', error_code: 'http_503' },
} as const;

/** Records attempts of the due deliveries of an endpoint, as if its receiver had answered like this. Sends nothing. */
export async function pretendToDeliver(services: Services, endpointId: string, receiver: keyof typeof ANSWERS): Promise<void> {
  const [round] = await takeDueRounds(services, [{ lock: lockedEndpoint(endpointId), limit: AT_ONCE, except: [] }]);
  if (round instanceof Error) throw round;
  if (!round || round.deliveries.length === 0) return;
  const started_at = toInstant(services.clock.now());
  const outcomes = round.deliveries.map((delivery, index) => ({
    delivery,
    started_at,
    duration_ms: 40 + 7 * (index % 10),
    request_headers: { 'content-type': 'application/json', 'webhook-id': delivery.id },
    response_headers: { 'content-type': 'text/plain' },
    ...ANSWERS[receiver],
  }));
  await recordAttempts(services, [{ endpoint: round.endpoint, outcomes }]);
}
