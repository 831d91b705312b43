import { resumeKeptEvents } from '../intake/provider-events/kept-events.ts';
import { onceResumable } from '../platform/idempotency/idempotency.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { operate, read, router, write } from '../platform/trpc/trpc.ts';
import {
  ConnectionId,
  ConnectionPage,
  ConnectionRecord,
  CreateConnection,
  ListConnections,
  UpdateConnection,
} from '../sources/connections/connection.schema.ts';
import {
  createConnection,
  getConnection,
  listConnections,
  removeConnection,
  updateConnection,
} from '../sources/connections/connection.service.ts';

const mount = '/api/settings/v1';

/** Procedures of all connections to payment providers. `psp_connection` shows the settings of one of them. */
export const connectionsRouter = router({
  list: read('psp')
    .meta(
      rest('GET', '/connections', {
        mount,
        summary: 'List connections',
        description: 'Returns the connections to all payment providers, newest first.',
      }),
    )
    .input(ListConnections)
    .output(ConnectionPage)
    .query(({ ctx, input }) => listConnections(ctx, input)),

  get: read('psp')
    .meta(rest('GET', '/connections/{id}', { mount, summary: 'Retrieve a connection' }))
    .input(ConnectionId)
    .output(ConnectionRecord)
    .query(({ ctx, input }) => getConnection(ctx, input)),

  create: operate('psp', CreateConnection)
    .meta(
      rest('POST', '/connections', {
        mount,
        summary: 'Add a connection',
        description:
          'Connects the account to a further account at a payment provider, also of a kind that is connected already. Checks the key, and stores it encrypted. Then create an endpoint at the provider that sends events to `webhook_url`, and set its signing secret.',
        status: 201,
        errors: ['PSP_ERROR'],
      }),
    )
    .output(ConnectionRecord)
    .mutation(({ ctx, input }) =>
      onceResumable(ctx, { procedure: 'connections.create', input, status: 201 }, async (keep) => {
        const connection = await createConnection(ctx, input, keep);
        if (!ctx.preview) await resumeKeptEvents(ctx);
        return connection;
      }),
    ),

  update: write('psp', UpdateConnection)
    .meta(
      rest('PATCH', '/connections/{id}', {
        mount,
        summary: 'Set the signing secret of a connection',
        description: 'For 24 hours, events that are signed with the previous secret are also accepted.',
      }),
    )
    .output(ConnectionRecord)
    .mutation(({ ctx, input }) => updateConnection(ctx, input)),

  remove: write('psp', ConnectionId)
    .meta(
      rest('DELETE', '/connections/{id}', {
        mount,
        summary: 'Remove a connection',
        description: 'Deletes the stored key and secrets. Recorded sales and commissions stay.',
        status: 204,
      }),
    )
    .output(ConnectionRecord)
    .mutation(({ ctx, input }) => removeConnection(ctx, input)),
});
