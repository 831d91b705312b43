import type { Room } from '../platform/room.ts';

/** Days for which events are kept (docs/rules/platform.md#retention). */
export const EVENTS_KEPT_DAYS = 90;

/** The declarations of the room `webhooks`. */
export const WEBHOOKS = {
  named: { delivery: 'webhook_delivery', event: 'event', webhook_endpoint: 'webhook_endpoint' },
  /*
   * Checking a key for each event costs too much. A trigger deletes the remaining rows when the account is deleted. No event is added after the
   * deletion. A transaction that writes events either also writes a row of `event_order`, which has a foreign key to the account, or holds the lock of
   * an endpoint's row. Until that transaction ends, the foreign key or the lock prevents the deletion of the account. A delivery has keys to its endpoint and its event.
   */
  unkeyed: ['event', 'webhook_delivery'],
  people: {
    webhook_endpoint: 'The name is that of a receiver.',
  },
  retention: {
    // The time in an event's id is never earlier than the event (`eventsOfSource`), so no event is deleted too early. Its deliveries go with it.
    event: { idsOf: 'event', days: EVENTS_KEPT_DAYS },
    webhook_attempt: { since: 'started_at', days: 30 },
  },
  jobs: {
    /** Posts the due deliveries of an endpoint. */
    webhooks: { subject: 'webhook_endpoint' },
  },
} satisfies Room;

type Declared = (typeof WEBHOOKS)['jobs'];

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
