import { z } from 'zod';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { PERMISSION_NAMES } from '../../platform/access/permissions.ts';
import { id, instant, text, timestamp } from '../../platform/wire/scalars.ts';

export const Permissions = z
  .partialRecord(z.enum(PERMISSION_NAMES as [string, ...string[]]), z.boolean())
  .describe('Permission name to boolean. `{ "all": true }` grants everything that is not explicitly false.')
  .meta({ id: 'Permissions', example: { 'v1.affiliates.read': true, 'v1.commissions.read': true } });

export const ApiKeyRecord = z
  .object({
    id: id('api_key'),
    name: z.string(),
    prefix: z.string().describe('The first characters of the key, to recognise it by.'),
    permissions: Permissions,
    expires_at: instant().nullable(),
    last_used_at: instant().nullable().describe('To the minute.'),
    revoked_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'ApiKey', description: 'A credential of this account. The secret is shown only when the key is created.' });
export type ApiKeyRecord = z.infer<typeof ApiKeyRecord>;

export const CreateApiKey = z.strictObject({
  name: text(200).meta({ example: 'Nightly export' }),
  permissions: Permissions.optional(),
  expires_at: timestamp().nullable().optional().describe('Must lie in the future.'),
});
export type CreateApiKey = z.infer<typeof CreateApiKey>;

export const CreatedApiKey = z
  .object({ ...ApiKeyRecord.shape, api_key: z.string().describe('The secret. It cannot be had again.') })
  .meta({ id: 'CreatedApiKey' });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

export const ApiKeyId = z.strictObject({ id: id('api_key') });
export const ListApiKeys = z.strictObject(pageInput);
export const ApiKeyPage = paginated(ApiKeyRecord);
export const RevokedApiKey = z
  .object({ message: z.string(), id: id('api_key'), revoked_at: instant() })
  .meta({ id: 'RevokedApiKey' });
