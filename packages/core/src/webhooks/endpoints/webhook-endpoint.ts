import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Services } from '../../platform/call/context.ts';
import { instant as instantColumn, recordColumns, type Row } from '../../platform/db/columns.ts';
import { type Instant, plusMilliseconds } from '../../platform/time/instant.ts';
import { updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant, nameText } from '../../platform/wire/scalars.ts';
import { EVENT_SUBSCRIPTIONS, type EventSubscription } from '../events/event-types.ts';
import { WEBHOOK_REASONS } from '../reasons.ts';
import { MAX_ENDPOINT_URL_LENGTH } from './endpoint-url.ts';

/** Reasons why the service deactivates an endpoint: its receiver responded 410, or no delivery succeeded for five days. */
const DISABLED_REASONS = ['gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

const DAY_MS = 86_400_000;
/** Time without a success after which a failing endpoint is deactivated (docs/rules/webhooks.md#webhook-endpoints). */
export const FAILING_LIMIT_MS = 5 * DAY_MS;
/** Time after a rotation during which the previous secret also signs (docs/rules/webhooks.md#signatures). */
const ROTATION_MS = DAY_MS;

export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    ...recordColumns,
    name: p.string(),
    url: p.text(),
    event_types: p.array<EventSubscription>(),
    active: p.boolean(),
    /** The mode whose events are sent. Null for both. */
    livemode: p.boolean().strictNullable(),
    /** Milliseconds by which the clock of its account is ahead: times of the account’s events minus times of deliveries. */
    clock_ahead_ms: p.bigint('number').default(0),
    sealed_secret: p.text(),
    /** Names of the headers in `sealed_headers`, in lower case. */
    secret_header_names: p.array(),
    /** JSON of the values of headers by name. Null if there are none. */
    sealed_headers: p.text().strictNullable(),
    sealed_previous_secret: p.text().strictNullable(),
    previous_secret_expires_at: instantColumn().strictNullable(),
    disabled_reason: p.string().$type<DisabledReason>().strictNullable(),
    disabled_at: instantColumn().strictNullable(),
    failing_since: instantColumn().strictNullable(),
    last_success_at: instantColumn().strictNullable(),
    deleted_at: instantColumn().strictNullable(),
  },
});

/** Result of a round of attempts to one receiver. */
export interface ReceiverHealth {
  succeeded: number;
  /** True if the response to at least one attempt was 410. */
  gone: boolean;
}

/** A URL that receives events of chosen types. */
export type WebhookEndpoint = Row<typeof WebhookEndpoint>;

/** The changes that activate the endpoint and clear the reason why it was deactivated. None if it is active. */
export function activated({ active }: WebhookEndpoint): Partial<WebhookEndpoint> {
  return active ? {} : { active: true, disabled_reason: null, disabled_at: null, failing_since: null };
}

/**
 * The changes that set a new secret. The replaced secret also signs for 24 hours. If an even older secret was still signing, it stops signing at
 * once.
 */
export function rotated({ sealed_secret }: WebhookEndpoint, sealedSecret: string, at: Instant): Partial<WebhookEndpoint> {
  return {
    sealed_previous_secret: sealed_secret,
    previous_secret_expires_at: plusMilliseconds(at, ROTATION_MS),
    sealed_secret: sealedSecret,
  };
}

/**
 * The changes after a round of attempts. A success ends a period of failures. A 410, or five days of failures, deactivates the endpoint.
 */
export function afterAttempts(
  endpoint: WebhookEndpoint,
  { succeeded, gone }: ReceiverHealth,
  at: Instant,
): Partial<WebhookEndpoint> {
  const failing_since = succeeded > 0 ? null : (endpoint.failing_since ?? at);
  const health = succeeded > 0 ? { last_success_at: at, failing_since } : { failing_since };
  if (!endpoint.active) return health;
  const hasFailedTooLong = failing_since !== null && failing_since <= plusMilliseconds(at, -FAILING_LIMIT_MS);
  const reason = gone ? 'gone' : hasFailedTooLong ? 'failing' : null;
  return reason === null ? health : { ...health, active: false, disabled_reason: reason, disabled_at: at, updated_at: at };
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    webhook_endpoint: InferKyselyTable<typeof WebhookEndpoint>;
  }
}

const MAX_HEADERS = 10;
/** Headers that the service or HTTP sets. */
const RESERVED =
  /^(?:hook-.*|webhook-.*|content-.*|proxy-.*|host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|user-agent)$/i;

/**
 * Values, by name, of headers that a receiver asks for, e.g. basic authentication. They are sealed, and never shown again
 * (docs/rules/webhooks.md#webhook-endpoints).
 */
const SecretHeaders = z
  .record(
    z.string().min(1).max(100),
    z
      .string()
      .max(2_000)
      .refine((value) => /^[!-~]+(?: +[!-~]+)*$/.test(value), WEBHOOK_REASONS.header_value_form),
  )
  .refine(
    every((name) => /^[A-Za-z0-9_-]+$/.test(name)),
    WEBHOOK_REASONS.header_name_form,
  )
  .refine(
    every((name) => !RESERVED.test(name)),
    WEBHOOK_REASONS.header_reserved,
  )
  .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, WEBHOOK_REASONS.too_many_headers({ max: MAX_HEADERS }))
  .refine((headers) => lowerCaseNames(headers).length === Object.keys(headers).length, WEBHOOK_REASONS.header_twice);

function every(isValid: (name: string) => boolean) {
  return (headers: Record<string, string>) => Object.keys(headers).every(isValid);
}

function lowerCaseNames(headers: Record<string, string>): string[] {
  return [...new Set(Object.keys(headers).map((name) => name.toLowerCase()))].toSorted();
}

/** The columns of an endpoint that sends these headers. */
export function withSecretHeaders(
  { secrets }: Pick<Services, 'secrets'>,
  headers: Record<string, string>,
): Pick<WebhookEndpoint, 'secret_header_names' | 'sealed_headers'> {
  const names = lowerCaseNames(headers);
  return { secret_header_names: names, sealed_headers: names.length === 0 ? null : secrets.seal(JSON.stringify(headers)) };
}

/** Returns the headers of an endpoint, by name. */
export function openSecretHeaders(
  { secrets }: Pick<Services, 'secrets'>,
  { sealed_headers }: Pick<WebhookEndpoint, 'sealed_headers'>,
): Record<string, string> {
  return sealed_headers === null ? {} : (JSON.parse(secrets.open(sealed_headers)) as Record<string, string>);
}

const fields = {
  name: nameText(200).meta({ example: 'Order system' }),
  url: z
    .string()
    .min(1)
    .max(MAX_ENDPOINT_URL_LENGTH)
    .describe(
      'URL to which events are posted. Must be http or https, without credentials (see `secret_headers`), on a public address.',
    )
    .meta({ example: 'https://shop.example.com/hooks/affiliate' }),
  event_types: z
    .array(z.enum(EVENT_SUBSCRIPTIONS))
    .min(1)
    .refine((types) => new Set(types).size === types.length, WEBHOOK_REASONS.event_type_twice)
    .describe(
      'Event types sent to this endpoint. `commission.*` stands for all about commissions, `*` for all, later types included.',
    ),
  active: z
    .boolean()
    .describe(
      '`true` if deliveries are sent. Deliveries that come due while the endpoint is inactive are sent when it is activated again.',
    ),
};

const endpointMode = () =>
  z
    .boolean()
    .nullable()
    .describe('`true`: events about live records only. `false`: events about test records only. `null`: both.');

const secret_headers = SecretHeaders.optional()
  .describe(
    'Headers that are sent with each delivery, e.g. `Authorization`. At most 10, replaced as a whole. They are never shown again, and are forgotten when the host of `url` changes, unless they are given with it.',
  )
  .meta({ example: { Authorization: 'Basic aG9vazpvcGVuIHNlc2FtZQ==' } });

export const WebhookEndpointRecord = z
  .object({
    id: id('webhook_endpoint'),
    ...fields,
    livemode: endpointMode(),
    secret_header_names: z
      .array(z.string())
      .describe('Names of the headers of `secret_headers`, in lower case.')
      .meta({ example: ['authorization'] }),
    disabled_reason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .describe(
        'Reason why the service deactivated the endpoint: `gone` (it responded with 410) or `failing` (no success for five days). `null` otherwise, and after reactivation.',
      ),
    disabled_at: instant().nullable(),
    failing_since: instant()
      .nullable()
      .describe('Time of the first failure since the last success; `null` while deliveries succeed.'),
    last_success_at: instant().nullable().describe('Time of the last success, to the minute.'),
    previous_secret_expires_at: instant()
      .nullable()
      .describe('Time until which deliveries are also signed with the previous secret.'),
    deleted_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'WebhookEndpoint', description: 'A URL that receives signed events of selected types.' });
export type WebhookEndpointRecord = z.infer<typeof WebhookEndpointRecord>;

const { active, ...requiredFields } = fields;
export const CreateWebhookEndpoint = z.strictObject({
  ...requiredFields,
  active: active.default(true),
  livemode: endpointMode().optional(),
  secret_headers,
});
export type CreateWebhookEndpoint = z.infer<typeof CreateWebhookEndpoint>;

export const UpdateWebhookEndpoint = z.strictObject({
  id: id('webhook_endpoint'),
  ...z.object({ ...fields, livemode: endpointMode() }).partial().shape,
  secret_headers,
});
export type UpdateWebhookEndpoint = z.infer<typeof UpdateWebhookEndpoint>;

export const WebhookEndpointWithSecret = z
  .object({
    ...WebhookEndpointRecord.shape,
    signing_secret: z
      .string()
      .describe(
        'Signing secret. Give it to a library of Standard Webhooks as it is. For `hook-signature`, use its UTF-8 text as the HMAC key. Returned only once.',
      )
      .meta({ example: 'whsec_2bTq9GkBf0cF1rJp4s7u8w0yA3D5G7J9L1N3P5R7T9Va' }),
  })
  .meta({ id: 'WebhookEndpointWithSecret' });
export type WebhookEndpointWithSecret = z.infer<typeof WebhookEndpointWithSecret>;

export const WebhookEndpointId = z.strictObject({ id: id('webhook_endpoint') });
export const ListWebhookEndpoints = z.strictObject({ ...pageInput, ...sortBy('updated_at'), ...updatedRange });
export type ListWebhookEndpoints = z.infer<typeof ListWebhookEndpoints>;
export const WebhookEndpointPage = paginated(WebhookEndpointRecord);
