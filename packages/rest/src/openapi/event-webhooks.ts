import {
  EVENT_API_VERSION,
  EVENT_CATALOG,
  EVENT_TYPES,
  EventActor,
  type EventType,
  WebhookDeliveryRecord,
} from '@affiliate/core';
import { z } from 'zod';
import type { oas31, ZodOpenApiPathsObject } from 'zod-openapi';
import { tagOf } from './tags.ts';

/** Description of when each event occurs (docs/rules/webhooks.md#events). */
const WHEN: Record<EventType, string> = {
  'affiliate.created': 'Occurs when an affiliate is created.',
  'affiliate.approved': 'Occurs when an affiliate becomes active.',
  'affiliate.updated': 'Occurs when an affiliate changes in any other way, e.g. when it is archived.',
  'affiliate.tier_changed': 'Occurs when an affiliate reaches or loses a tier of a campaign.',
  'campaign.created': 'Occurs when a campaign is created.',
  'campaign.updated': 'Occurs when a campaign changes, e.g. its terms, or is archived.',
  'reward_rule.created': 'Occurs when a reward rule is created.',
  'reward_rule.updated': 'Occurs when a reward rule changes, is moved, or ends.',
  'tier.created': 'Occurs when a tier is created.',
  'tier.updated': 'Occurs when a tier is renamed or ends.',
  'link.created': 'Occurs when a link is created.',
  'link.updated': 'Occurs when a link changes, moves to another campaign, or is archived.',
  'promo_code.created': 'Occurs when a promotion code is assigned to an affiliate.',
  'promo_code.updated': 'Occurs when an assigned promotion code changes at the payment provider, moves, or is no longer tracked.',
  'referral.created': 'Occurs when a referral is created.',
  'referral.converted': 'Occurs when a referral’s `conversion_state` becomes `conversion`.',
  'referral.updated': 'Occurs when a referral changes in any other way, e.g. when it becomes a lead or is deactivated.',
  'customer.created': 'Occurs when a customer is created.',
  'customer.updated': 'Occurs when the details of a customer change.',
  'customer.merged': 'Occurs when a customer turns out to be the same as another one, and no longer exists.',
  'sale.recorded': 'Occurs when a sale is recorded.',
  'sale.refunded': 'Occurs when the refunds of a sale grow.',
  'sale.updated': 'Occurs when a sale changes in any other way, e.g. when it is attributed to another affiliate.',
  'commission.created': 'Occurs when a commission is created.',
  'commission.due': 'Occurs when a commission becomes due.',
  'commission.paid': 'Occurs when a commission is paid, with its payout or by hand.',
  'commission.voided': 'Occurs when a commission is voided.',
  'commission.updated':
    'Occurs when a commission changes in any other way: its amount, its due date, its flag, its review or its payout.',
  'payout.created': 'Occurs when the first commission of a new payout is due.',
  'payout.updated': 'Occurs when a payout changes in any other way, e.g. when it takes a commission, or an export claims it.',
  'payout.merged': 'Occurs when a payout is merged into a released one of the same affiliate, and no longer exists.',
  'payout.paid': 'Occurs when a payout is marked as paid, together with its commissions.',
  'payout.returned': 'Occurs when the transfer of a paid payout is returned.',
  'payout.failed': 'Occurs when an attempt to pay a payout failed. The payout is open again.',
  'payout_method.created': 'Occurs when an affiliate gets a payout method.',
  'payout_method.updated': 'Occurs when the address of a payout method changes, or the method is removed.',
  'payout_run.finished': 'Occurs when a payout run is completed, fully or in part, or canceled.',
  'payout_export.paid': 'Occurs when all payouts of an export are marked as paid.',
  'import.completed': 'An import is done or undone.',
};

const ID = {
  description: 'ID of the delivery, identical for every attempt.',
  schema: { type: 'string' },
  example: 'dlv_01k9v7m3q8e2t4r6w8y0a1b2c3',
} as const;
const TIMESTAMP = {
  description: 'Unix time of this attempt, in seconds. Reject requests that differ from your clock by more than 300 seconds.',
  schema: { type: 'string', pattern: '^[0-9]+$' },
  example: '1795176000',
} as const;
const OF_BOTH =
  'For 24 hours after a secret rotation there are two signatures, separated by a space; accept the request if either matches. Compare in constant time.';

/** The headers of a delivery, by both conventions (docs/rules/webhooks.md#signatures). */
const HEADERS: oas31.ParameterObject[] = Object.entries({
  'hook-id': ID,
  'hook-timestamp': TIMESTAMP,
  'hook-signature': {
    description: `\`v1,\` followed by the Base64-encoded HMAC-SHA-256 of \`<hook-id>.<hook-timestamp>.<raw body>\`, keyed with the text of the endpoint’s signing secret. ${OF_BOTH}`,
    schema: { type: 'string' as const },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
  'webhook-id': ID,
  'webhook-timestamp': TIMESTAMP,
  'webhook-signature': {
    description: `The signature of Standard Webhooks, as the libraries of the standard verify it. It differs from \`hook-signature\` in the key: the Base64-decoded bytes of the secret after \`whsec_\`. ${OF_BOTH}`,
    schema: { type: 'string' as const },
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
}).map(([name, header]) => ({ name, in: 'header', required: true, ...header }));

/** Returns the requests that the service sends to webhook endpoints, one per event type (docs/rules/webhooks.md#events). */
export function eventWebhooks(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: `events.${type}`,
          tags: [tagOf('events.')],
          summary: type,
          description: `${WHEN[type]} Delivered at least once to every active endpoint subscribed to it; use \`id\` to detect duplicates.`,
          security: [],
          parameters: HEADERS,
          requestBody: { required: true, content: { 'application/json': { schema: BODIES[type] } } },
          responses: {
            '2XX': { description: 'The delivery succeeds.' },
            '410': { description: 'The endpoint is gone. The service deactivates it immediately.' },
            default: { description: 'The delivery fails and is retried.' },
          },
        },
      },
    ]),
  );
}

/** Returns the name of the schema of an event: `affiliate.created` is an `AffiliateCreatedEvent`. */
function eventName(type: EventType): string {
  return `${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;
}

function eventBody(type: EventType) {
  return z
    .object({
      id: z
        .string()
        .meta({ description: 'ID of the event, identical in every delivery.', example: 'evt_01k9v7m3q8e2t4r6w8y0a1b2c3' }),
      type: z.literal(type).describe('Type of the event.'),
      api_version: z.literal(EVENT_API_VERSION).describe('Version of the contract that `data` follows.'),
      sequence: z.int().meta({
        description: 'Position among the events of the account, in the order of the changes. 0 for test events.',
        example: 4711,
      }),
      occurred_at: z.string().meta({
        description: 'ISO 8601 time in UTC with milliseconds.',
        format: 'date-time',
        example: '2026-11-20T12:00:00.000Z',
      }),
      subject_id: z
        .string()
        .describe('ID of the record that the event is about.')
        .meta({ example: EVENT_CATALOG[type].shape.id.meta()?.['example'] }),
      actor: EventActor.describe('The caller who has caused the change.'),
      data: EVENT_CATALOG[type],
      previous_attributes: z
        .record(z.string(), z.unknown())
        .nullable()
        .optional()
        .describe(
          'The former values of the fields that have changed. If nothing has changed, e.g. for a new record, omitted in deliveries, and `null` in the list of events.',
        )
        .meta({ example: { state: 'pending' } }),
      deliveries: z
        .array(WebhookDeliveryRecord)
        .nullable()
        .optional()
        .describe('Deliveries to webhook endpoints, oldest first. Only in responses whose request has `expand=deliveries`.'),
      test: z.boolean().optional().describe('`true` for the made-up event of a test delivery. Omitted in other deliveries.'),
    })
    .meta({ id: eventName(type), description: WHEN[type] });
}

/** Schemas of the events, each created once because its name must be unique. */
const BODIES = Object.fromEntries(EVENT_TYPES.map((type) => [type, eventBody(type)])) as Record<
  EventType,
  ReturnType<typeof eventBody>
>;

/** Lets all objects of a schema have further fields, as those of responses. Deliveries are requests, but of the service. */
function openObjects(schema: object): void {
  for (const [name, part] of Object.entries(schema)) {
    if (name === 'additionalProperties' && part === false)
      delete (schema as { additionalProperties?: unknown }).additionalProperties;
    else if (typeof part === 'object' && part !== null) openObjects(part as object);
  }
}

/** Replaces the schema of an event in the list of events by the union of all events, so that clients can narrow it by its type. */
export function nameEvents({ components }: oas31.OpenAPIObject): void {
  const schemas = components?.schemas ?? {};
  if (!schemas['Event']) return;
  for (const [name, schema] of Object.entries(schemas)) if (name.endsWith('EventData')) openObjects(schema);
  const refs = EVENT_TYPES.map((type) => [type, `#/components/schemas/${eventName(type)}`] as const);
  schemas['Event'] = {
    description:
      'Something that happened to a record, as the service posts it to webhook endpoints. Kept for 90 days. More types may be added: ignore unknown ones.',
    oneOf: refs.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(refs) },
  };
}
