import { read, rest, router, write } from '../platform/trpc/trpc.ts';
import {
  ApiKeyId,
  ApiKeyPage,
  CreateApiKey,
  CreatedApiKey,
  ListApiKeys,
  RevokedApiKey,
} from '../identity/api-keys/api-key.schema.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../identity/api-keys/api-key.service.ts';

export const apiKeysRouter = router({
  list: read('api_keys')
    .meta(rest('GET', '/api_keys', { summary: 'List API keys', description: 'Revoked and expired keys included, newest first.' }))
    .input(ListApiKeys)
    .output(ApiKeyPage)
    .query(({ ctx, input }) => listApiKeys(ctx, input)),

  create: write('api_keys', CreateApiKey)
    .meta(
      rest('POST', '/api_keys', {
        summary: 'Create an API key',
        description:
          'The secret is in `api_key` of this response and cannot be had again. A key cannot be given permissions that its creator lacks, and one made with a key that expires cannot outlive it.',
        status: 201,
      }),
    )
    .output(CreatedApiKey)
    .mutation(({ ctx, input }) => createApiKey(ctx, input)),

  revoke: write('api_keys', ApiKeyId)
    .meta(
      rest('DELETE', '/api_keys/{id}', {
        summary: 'Revoke an API key',
        description: 'The record stays, with `revoked_at`; revoking again changes nothing.',
      }),
    )
    .output(RevokedApiKey)
    .mutation(({ ctx, input }) => revokeApiKey(ctx, input)),
});
