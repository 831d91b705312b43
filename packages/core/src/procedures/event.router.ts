import { rest } from '../platform/trpc/rest-route.ts';
import { read, router } from '../platform/trpc/trpc.ts';
import {
  DeliveredEvent,
  DeliveredEventPage,
  eventExpansions,
  GetEvent,
  ListDeliveredEvents,
} from '../webhooks/deliveries/event.expansions.ts';
import { getEvent, listEvents } from '../webhooks/events/event.queries.ts';

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
    .input(ListDeliveredEvents)
    .output(DeliveredEventPage)
    .query(async ({ ctx, input: { expand, ...input } }) => {
      const { data, pagination } = await listEvents(ctx, input);
      return { data: await eventExpansions.into(ctx, data, expand), pagination };
    }),

  get: read('webhooks')
    .meta(
      rest('GET', '/events/{id}', { summary: 'Retrieve an event', description: 'Also returns the events of test deliveries.' }),
    )
    .input(GetEvent)
    .output(DeliveredEvent)
    .query(async ({ ctx, input: { id, expand } }) => eventExpansions.intoOne(ctx, await getEvent(ctx, id), expand)),
});
