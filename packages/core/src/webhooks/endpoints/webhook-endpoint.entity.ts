import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { instant, recordColumns, type Row } from '../../platform/db/columns.ts';
import { type Instant, plusMilliseconds } from '../../platform/time/instant.ts';
import type { EventSubscription } from '../events/event-types.ts';

/** Reasons why the service deactivates an endpoint: its receiver responded 410, or no delivery succeeded for five days. */
export const DISABLED_REASONS = ['gone', 'failing'] as const;
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
    previous_secret_expires_at: instant().strictNullable(),
    disabled_reason: p.string().$type<DisabledReason>().strictNullable(),
    disabled_at: instant().strictNullable(),
    failing_since: instant().strictNullable(),
    last_success_at: instant().strictNullable(),
    deleted_at: instant().strictNullable(),
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
