import { z } from 'zod';
import { expandable } from '../../platform/call/expand.ts';
import { paginated } from '../../platform/wire/pagination.ts';
import { EventId, EventRecord, ListEvents } from '../events/event.schema.ts';
import { findDeliveriesOfEvents } from './webhook-delivery.queries.ts';
import { WebhookDeliveryRecord } from './webhook-delivery.schema.ts';

export const eventExpansions = expandable<EventRecord>()({
  deliveries: { schema: z.array(WebhookDeliveryRecord), load: findDeliveriesOfEvents },
});

/** An event and, on request, its deliveries to webhook endpoints, oldest first. */
export const DeliveredEvent = z
  .object({ ...EventRecord.shape, ...eventExpansions.output })
  .meta({ id: 'Event', description: 'Something that happened to a record. Kept for 90 days.' });

export const GetEvent = z.strictObject({ ...EventId.shape, ...eventExpansions.input });
export const ListDeliveredEvents = z.strictObject({ ...ListEvents.shape, ...eventExpansions.input });
export const DeliveredEventPage = paginated(DeliveredEvent);
