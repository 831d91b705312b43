import { withActivity } from '../intake/provider-events/event-activity.queries.ts';
import { resumeKeptEvents } from '../intake/provider-events/psp-event.ts';
import type { Ctx } from '../platform/call/context.ts';
import { onceResumable } from '../platform/idempotency/idempotency.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { operate, read, router, write } from '../platform/trpc/trpc.ts';
import {
  ConnectionId,
  ConnectionPage,
  ConnectionRecord,
  ConnectionWithSecret,
  CreateConnection,
  ListConnections,
  ListSources,
  RenewKey,
  SourceList,
  UpdateConnection,
} from '../sources/connections/connection.schema.ts';
import {
  createConnection,
  getConnection,
  listConnections,
  listSources,
  removeConnection,
  renewKey,
  updateConnection,
} from '../sources/connections/connection.service.ts';

/** Adds the outcomes of its events to a connection. */
async function one<Connection extends { id: string }>(ctx: Ctx, connection: Connection) {
  const [record] = await withActivity(ctx, [connection]);
  return record!;
}

/** Procedures of all connections to payment providers. `psp_connection` shows the settings of one of them. */
export const connectionsRouter = router({
  list: rest(read('psp'), 'GET /api/settings/v1/connections', {
    summary: 'List connections',
    description: 'Returns the connections to all payment providers, newest first.',
  })
    .input(ListConnections)
    .output(ConnectionPage)
    .query(async ({ ctx, input }) => {
      const page = await listConnections(ctx, input);
      return { ...page, data: await withActivity(ctx, page.data) };
    }),

  sources: rest(read('psp'), 'GET /api/settings/v1/connections/sources', {
    summary: 'List the sources that can be connected',
    description: 'Returns the kinds of sources, with the fields of their `credentials`.',
  })
    .input(ListSources)
    .output(SourceList)
    .query(({ ctx }) => listSources(ctx)),

  get: rest(read('psp'), 'GET /api/settings/v1/connections/{id}', { summary: 'Retrieve a connection' })
    .input(ConnectionId)
    .output(ConnectionRecord)
    .query(async ({ ctx, input }) => one(ctx, await getConnection(ctx, input))),

  create: rest(operate('psp', CreateConnection), 'POST /api/settings/v1/connections', {
    summary: 'Add a connection',
    description:
      'Connects the account to a further account at a payment provider, also of a kind that is connected already. Checks the key, and stores it encrypted. Some sources have their endpoint created, or their secret made (`GET /connections/sources`). For the others, create an endpoint at the provider that sends events to `webhook_url`, and set its signing secret.',
    status: 201,
    errors: ['PSP_ERROR'],
  })
    .output(ConnectionWithSecret)
    .mutation(({ ctx, input }) =>
      onceResumable<ConnectionWithSecret>(ctx, ctx.request, async (keep) => {
        const connection = await createConnection(ctx, input, async (tx, stored) => keep(tx, await one(tx, stored)));
        if (!ctx.preview) await resumeKeptEvents(ctx);
        return one(ctx, connection);
      }),
    ),

  update: rest(write('psp', UpdateConnection), 'PATCH /api/settings/v1/connections/{id}', {
    summary: 'Set the signing secret of a connection',
    description: 'For 24 hours, events that are signed with the previous secret are also accepted.',
  })
    .output(ConnectionWithSecret)
    .mutation(async ({ ctx, input }) => one(ctx, await updateConnection(ctx, input))),

  renewKey: rest(operate('psp', RenewKey), 'PUT /api/settings/v1/connections/{id}/credentials', {
    summary: 'Renew the key of a connection',
    description:
      'Replaces the key by a new key of the same account at the provider, e.g. before it expires. Checks the new key, and stores it encrypted. The endpoint, the signing secret and your choices stay.',
    errors: ['PSP_ERROR'],
  })
    .output(ConnectionRecord)
    .mutation(({ ctx, input }) =>
      onceResumable<ConnectionRecord>(ctx, ctx.request, async (keep) =>
        one(ctx, await renewKey(ctx, input, async (tx, stored) => keep(tx, await one(tx, stored)))),
      ),
    ),

  remove: rest(write('psp', ConnectionId), 'DELETE /api/settings/v1/connections/{id}', {
    summary: 'Remove a connection',
    description: 'Deletes the stored key and secrets. Recorded sales and commissions stay.',
    status: 204,
  })
    .output(ConnectionRecord)
    .mutation(async ({ ctx, input }) => one(ctx, await removeConnection(ctx, input))),
});
