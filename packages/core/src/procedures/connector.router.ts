import {
  ConnectorId,
  ConnectorPage,
  ConnectorRecord,
  CreateConnector,
  CreatedConnector,
  ListConnectors,
  UpdateConnector,
} from '../identity/connectors/connector.schema.ts';
import { createConnector, listConnectors, revokeConnector } from '../identity/connectors/connector.service.ts';
import { updateConnector } from '../identity/oauth/update-connector.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';

/** Procedures of the page Settings > AI assistants. Not part of the REST API. */
export const connectorsRouter = router({
  list: read('connectors')
    .input(ListConnectors)
    .output(ConnectorPage)
    .query(({ ctx, input }) => listConnectors(ctx, input)),

  create: write('connectors', CreateConnector)
    .output(CreatedConnector)
    .mutation(({ ctx, input }) => createConnector(ctx, input)),

  update: write('connectors', UpdateConnector)
    .output(ConnectorRecord)
    .mutation(({ ctx, input }) => updateConnector(ctx, input)),

  revoke: write('connectors', ConnectorId)
    .output(ConnectorRecord)
    .mutation(({ ctx, input }) => revokeConnector(ctx, input)),
});
