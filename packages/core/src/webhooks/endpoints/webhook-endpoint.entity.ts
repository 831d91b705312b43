import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { instant, recordColumns } from '../../platform/db/columns.ts';
import { type Instant, plusMilliseconds } from '../../platform/time/instant.ts';
import type { EventType } from '../events/event-types.ts';

/** Reasons why the service deactivates an endpoint: its receiver responded 410, or no delivery succeeded for five days. */
export const DISABLED_REASONS = ['gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

const DAY_MS = 86_400_000;
/** Time without a success after which a failing endpoint is deactivated (docs/domain-rules.md#webhook-endpoints). */
export const FAILING_LIMIT_MS = 5 * DAY_MS;
/** Time after a rotation during which the previous secret also signs (docs/domain-rules.md#signatures). */
const ROTATION_MS = DAY_MS;

export const WebhookEndpointSchema = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    ...recordColumns,
    name: p.string(),
    url: p.text(),
    event_types: p.array<EventType>(),
    active: p.boolean(),
    sealed_secret: p.text(),
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
export class WebhookEndpoint extends WebhookEndpointSchema.class {
  /** Activates the endpoint and clears the reason why it was deactivated. Has no effect on an active endpoint. */
  activate(): void {
    if (this.active) return;
    this.active = true;
    this.disabled_reason = null;
    this.disabled_at = null;
    this.failing_since = null;
  }

  /** Deactivates the endpoint at its owner's request. Deliveries are held back until it is activated again. */
  pause(): void {
    this.active = false;
  }

  /** Sets a new secret. The replaced secret also signs for 24 hours. If an even older secret was still signing, it stops signing at once. */
  rotate(sealedSecret: string, at: Instant): void {
    this.sealed_previous_secret = this.sealed_secret;
    this.previous_secret_expires_at = plusMilliseconds(at, ROTATION_MS);
    this.sealed_secret = sealedSecret;
    this.updated_at = at;
  }

  /** Deletes the endpoint permanently. The history of its deliveries stays readable. */
  delete(at: Instant): void {
    this.active = false;
    this.deleted_at = at;
    this.updated_at = at;
  }

  /**
   * Updates the endpoint after a round of attempts. A success ends a period of failures. A 410, or five days of failures, deactivates the
   * endpoint.
   */
  observe({ succeeded, gone }: ReceiverHealth, at: Instant): void {
    if (succeeded > 0) {
      this.last_success_at = at;
      this.failing_since = null;
    } else {
      this.failing_since ??= at;
    }
    if (!this.active) return;
    if (gone) this.disable('gone', at);
    else if (this.failing_since !== null && this.failing_since <= plusMilliseconds(at, -FAILING_LIMIT_MS)) {
      this.disable('failing', at);
    }
  }

  private disable(reason: DisabledReason, at: Instant): void {
    this.active = false;
    this.disabled_reason = reason;
    this.disabled_at = at;
    this.updated_at = at;
  }
}
WebhookEndpointSchema.setClass(WebhookEndpoint);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    webhook_endpoint: InferKyselyTable<typeof WebhookEndpointSchema>;
  }
}
