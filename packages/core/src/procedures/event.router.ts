import { read, rest, router } from '../platform/trpc/trpc.ts';
import { getEvent, listEvents } from '../webhooks/events/event.queries.ts';
import { EventId, EventPage, EventRecord, ListEvents } from '../webhooks/events/event.schema.ts';

/** The stored events (docs/rules/webhooks.md#events). Requires the permission to read webhooks, because their deliveries show the same data. */
export const eventsRouter = router({
  list: read('webhooks')
    .meta(
      rest('GET', '/events', {
        summary: 'List events',
        description:
          'Returns the events of the last 90 days, newest first, whether or not a webhook endpoint received them. Events of test deliveries are left out.',
      }),
    )
    .input(ListEvents)
    .output(EventPage)
    .query(({ ctx, input }) => listEvents(ctx, input)),

  get: read('webhooks')
    .meta(
      rest('GET', '/events/{id}', { summary: 'Retrieve an event', description: 'Also returns the events of test deliveries.' }),
    )
    .input(EventId)
    .output(EventRecord)
    .query(({ ctx, input }) => getEvent(ctx, input.id)),
});
