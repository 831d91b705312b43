import type { Generated } from 'kysely';
import type { Instant } from '../../platform/time/instant.ts';
import type { DeliveryStatus } from '../../platform/wire/states.ts';
import type { EventType } from '../events/event-types.ts';

/** Trigger of an attempt: the retry schedule, or a manual request. */
export const ATTEMPT_TRIGGERS = ['schedule', 'manual'] as const;
export type AttemptTrigger = (typeof ATTEMPT_TRIGGERS)[number];

export interface WebhookAttemptTable {
  id: string;
  delivery_id: string;
  /** Number of the attempt among all attempts of the delivery, from 1. */
  attempt: number;
  trigger: AttemptTrigger;
  started_at: Instant;
  duration_ms: number;
  request_headers: Record<string, string>;
  response_status: number | null;
  /** Keyed by lower-case name. */
  response_headers: Record<string, string> | null;
  response_excerpt: string | null;
  /** Null if, and only if, the response status was 2xx. */
  error_code: string | null;
}

/** These tables have no entities, because their rows are written in bulk by set-based statements. */
declare module '../../platform/db/tables.ts' {
  interface Tables {
    event: {
      id: string;
      account_id: string;
      /** Position among the events of the account, in the order of commits. 0 for test events. */
      sequence: number;
      type: EventType;
      subject_id: string;
      /** Body of all deliveries of the event, byte for byte. */
      body: string;
      is_test: boolean;
      /** False for an event about a record of test mode. */
      livemode: Generated<boolean>;
      occurred_at: Instant;
    };
    webhook_attempt: WebhookAttemptTable;
    webhook_delivery: {
      id: string;
      account_id: string;
      endpoint_id: string;
      event_id: string;
      status: DeliveryStatus;
      /** Number of attempts made. */
      attempts: number;
      /** Number of automatic attempts made, i.e. the position in the retry schedule. */
      schedule_step: number;
      /** Time of the next automatic attempt. Set only while pending. */
      next_attempt_at: Instant | null;
      /** Set while an attempt requested by hand is outstanding, in any status. */
      retry_requested_at: Instant | null;
      completed_at: Instant | null;
      created_at: Instant;
    };
  }
}
