import type { Instant } from '../../platform/time/instant.ts';
import type { EventType } from '../events/event-types.ts';
import type { DeliveryStatus } from './webhook-delivery.states.ts';

/** What made an attempt happen: the retry schedule, or someone who asked for it. */
export const ATTEMPT_TRIGGERS = ['schedule', 'manual'] as const;
export type AttemptTrigger = (typeof ATTEMPT_TRIGGERS)[number];

/** Rows of these tables come and change in bulk, by set-based statements only: no entity stands for them. */
export interface EventTable {
  id: string;
  account_id: string;
  type: EventType;
  subject_id: string;
  /** What every delivery of the event sends, byte for byte. */
  body: string;
  is_test: boolean;
  occurred_at: Instant;
}

export interface WebhookDeliveryTable {
  id: string;
  account_id: string;
  endpoint_id: string;
  event_id: string;
  status: DeliveryStatus;
  /** Attempts made. */
  attempts: number;
  /** Automatic attempts made, which is the position in the retry schedule. */
  schedule_step: number;
  /** When the schedule tries next; only while pending. */
  next_attempt_at: Instant | null;
  /** Set while an attempt asked for by hand is still to be made, whatever the status. */
  retry_requested_at: Instant | null;
  completed_at: Instant | null;
  created_at: Instant;
}

export interface WebhookAttemptTable {
  id: string;
  delivery_id: string;
  /** From 1, of all attempts of the delivery. */
  attempt: number;
  trigger: AttemptTrigger;
  started_at: Instant;
  duration_ms: number;
  request_headers: Record<string, string>;
  response_status: number | null;
  response_headers: Record<string, string> | null;
  response_excerpt: string | null;
  error_code: string | null;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    event: EventTable;
    webhook_attempt: WebhookAttemptTable;
    webhook_delivery: WebhookDeliveryTable;
  }
}
