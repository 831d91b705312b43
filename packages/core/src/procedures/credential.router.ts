import {
  ApiKeyId,
  ApiKeyPage,
  CreateApiKey,
  CreatedApiKey,
  ListApiKeys,
  RevokedApiKey,
  createApiKey,
  listApiKeys,
  revokeApiKey,
} from '../identity/api-keys/api-key.ts';
import { ApiRequestPage, listApiRequests, ListApiRequests } from '../identity/api-log/api-log.ts';
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

export const apiKeysRouter = router({
  list: rest(read('api_keys'), 'GET /api_keys', {
    summary: 'List API keys',
    description: 'Returns API keys, including revoked and expired ones, newest first.',
  })
    .input(ListApiKeys)
    .output(ApiKeyPage)
    .query(({ ctx, input }) => listApiKeys(ctx, input)),

  create: rest(write('api_keys', CreateApiKey), 'POST /api_keys', {
    summary: 'Create an API key',
    description:
      'The secret key is in `api_key` of the response and is returned only once. A key cannot have permissions that its creator lacks, or outlive the API key that created it.',
    status: 201,
  })
    .output(CreatedApiKey)
    .mutation(({ ctx, input }) => createApiKey(ctx, input)),

  revoke: rest(write('api_keys', ApiKeyId), 'DELETE /api_keys/{id}', {
    summary: 'Revoke an API key',
    description:
      'The key stops working. The record is kept, with `revoked_at` set. Revoking a revoked key has no effect. A key can only revoke keys whose permissions it has itself.',
  })
    .output(RevokedApiKey)
    .mutation(({ ctx, input }) => revokeApiKey(ctx, input)),
});

/** The API log (docs/rules/identity.md#api-log). Requires the permission to read API keys. */
export const apiRequestsRouter = router({
  list: rest(read('api_keys'), 'GET /api/settings/v1/api_requests', {
    summary: 'List requests with API keys',
    description:
      'Returns the requests of the last 7 days to `/api/v1`, `/api/settings/v1` and `/track`, newest first. Bodies, queries and headers are not kept. A request is listed about a second after its response. Read further pages by cursor.',
  })
    .input(ListApiRequests)
    .output(ApiRequestPage)
    .query(({ ctx, input }) => listApiRequests(ctx, input)),
});

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
