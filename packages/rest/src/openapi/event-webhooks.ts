import { EVENT_CATALOG, EVENT_TYPES, type EventType } from '@affiliate/core';
import type { oas31, ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';
import { tagOf } from './tags.ts';

/** When each event is emitted (docs/domain-rules.md#events). */
const WHEN: Record<EventType, string> = {
  'affiliate.created': 'An affiliate record is created.',
  'affiliate.approved': 'An affiliate moves to active.',
  'referral.created': 'A referral is created.',
  'referral.converted': 'A referral reaches the conversion state.',
  'commission.created': 'A commission is created.',
  'commission.due': 'A commission moves to due.',
  'commission.voided': 'A commission is voided.',
  'payout.paid': 'A payout is marked paid.',
};

const HEADERS: oas31.ParameterObject[] = [
  {
    name: 'hook-id',
    in: 'header',
    required: true,
    description: 'Id of the delivery; the same on every attempt.',
    schema: { type: 'string' },
    example: 'dlv_01k9v7m3q8e2t4r6w8y0a1b2c3',
  },
  {
    name: 'hook-timestamp',
    in: 'header',
    required: true,
    description: 'Unix time of this attempt, in seconds. Refuse what is older or newer than 300 seconds.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1795176000',
  },
  {
    name: 'hook-signature',
    in: 'header',
    required: true,
    description:
      '`v1,` and the Base64 HMAC-SHA-256 of `<hook-id>.<hook-timestamp>.<raw body>` under the endpoint’s signing secret. While a rotated secret is still valid there are two, separated by a space; one must fit. Compare in constant time, over the raw body.',
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
];

/** The requests that the service makes to webhook endpoints (docs/domain-rules.md#events): one per event type. */
export function eventWebhooks(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: `events.${type}`,
          tags: [tagOf('events.')],
          summary: type,
          description: `${WHEN[type]} Delivered at least once to every active endpoint that subscribes to it: process it idempotently by \`id\`.`,
          security: [],
          parameters: HEADERS,
          requestBody: { required: true, content: { 'application/json': { schema: eventBody(type) } } },
          responses: {
            '2XX': { description: 'The delivery succeeded.' },
            '410': { description: 'The endpoint is gone: it is deactivated at once.' },
            default: { description: 'The delivery failed and is tried again.' },
          },
        },
      },
    ]),
  );
}

function eventBody(type: EventType) {
  return z.object({
    id: z
      .string()
      .meta({ description: 'Id of the event; the same in every delivery.', example: 'evt_01k9v7m3q8e2t4r6w8y0a1b2c3' }),
    type: z.literal(type),
    occurred_at: z.string().meta({ description: 'UTC, milliseconds.', format: 'date-time', example: '2026-11-20T12:00:00.000Z' }),
    data: EVENT_CATALOG[type],
    test: z.boolean().optional().describe('True on test deliveries, absent from all others.'),
  });
}
