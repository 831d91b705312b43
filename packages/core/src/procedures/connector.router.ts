import { createConnector, getConnector, listConnectors, revokeConnector } from '../identity/connectors/connector.service.ts';
import {
  ConnectorId,
  ConnectorPage,
  ConnectorRecord,
  CreateConnector,
  CreatedConnector,
  ListConnectors,
  UpdateConnector,
} from '../identity/connectors/connector.ts';
import { updateConnector } from '../identity/oauth/update-connector.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';

/** Procedures of the page Settings > AI assistants. */
export const connectorsRouter = router({
  list: rest(read('connectors'), 'GET /api/settings/v1/connectors', {
    summary: 'List connectors',
    description: 'Returns the connectors of AI assistants, revoked ones included, newest first.',
  })
    .input(ListConnectors)
    .output(ConnectorPage)
    .query(({ ctx, input }) => listConnectors(ctx, input)),

  get: rest(read('connectors'), 'GET /api/settings/v1/connectors/{id}', {
    summary: 'Retrieve a connector',
    description: 'Also returns revoked connectors. The token is not returned.',
  })
    .input(ConnectorId)
    .output(ConnectorRecord)
    .query(({ ctx, input }) => getConnector(ctx, input)),

  create: rest(write('connectors', CreateConnector), 'POST /api/settings/v1/connectors', {
    summary: 'Create a connector',
    description:
      'The token for the AI assistant is in `token` of the response and is returned only once. A connector cannot have more permissions than the caller.',
    status: 201,
  })
    .output(CreatedConnector)
    .mutation(({ ctx, input }) => createConnector(ctx, input)),

  update: rest(write('connectors', UpdateConnector), 'PATCH /api/settings/v1/connectors/{id}', {
    summary: 'Update a connector',
    description: 'Updates the given fields. Changed permissions and limits apply within a second.',
  })
    .output(ConnectorRecord)
    .mutation(({ ctx, input }) => updateConnector(ctx, input)),

  revoke: rest(write('connectors', ConnectorId, { role: 'member' }), 'DELETE /api/settings/v1/connectors/{id}', {
    summary: 'Revoke a connector',
    description:
      'The assistant loses access within a second. The connector can still be retrieved. Members can revoke the connectors that they authorized themselves.',
    status: 204,
  })
    .output(ConnectorRecord)
    .mutation(({ ctx, input }) => revokeConnector(ctx, input)),
});
