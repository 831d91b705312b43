import type { Stripe } from 'stripe';
import { newId, nowSeconds } from './ids.ts';

/** An event as it is sent. Its object has the form of `api_version`, which may differ from the SDK's version. */
export interface WireEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object; previous_attributes?: object };
  livemode: boolean;
  pending_webhooks: number;
  request: Stripe.Event.Request | null;
  type: string;
}

export interface EventFields {
  id?: string;
  /** Seconds since the epoch. */
  created?: number;
  apiVersion?: string;
  /** Former values of the fields that an update changed. */
  previous?: object;
}

export function wireEvent(type: string, object: object, fields: EventFields = {}): WireEvent {
  return {
    id: fields.id ?? newId('evt'),
    object: 'event',
    api_version: fields.apiVersion ?? '2026-10-28.endive',
    created: fields.created ?? nowSeconds(),
    data: { object, ...(fields.previous && { previous_attributes: fields.previous }) },
    livemode: 'livemode' in object && object.livemode === true,
    pending_webhooks: 1,
    request: { id: newId('req'), idempotency_key: null },
    type,
  };
}
