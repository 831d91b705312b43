import { z } from 'zod';
import { PERMISSION_NAMES } from '../../platform/access/permissions.ts';
import { updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant, nameText, timestamp } from '../../platform/wire/scalars.ts';

const Permissions = z
  .partialRecord(z.enum(PERMISSION_NAMES), z.boolean())
  .describe('Map of permission names to booleans. `{ "all": true }` grants every permission that is not set to `false`.')
  .meta({ id: 'Permissions', example: { 'v1.affiliates.read': true, 'v1.commissions.read': true } });

export const ApiKeyRecord = z
  .object({
    id: id('api_key'),
    name: z.string(),
    prefix: z.string().describe('First characters of the key, for identification.'),
    permissions: Permissions,
    livemode: z
      .boolean()
      .nullable()
      .describe(
        '`true`: the key sees and makes only live records. `false`: only records of test mode. `null`: a key without a mode.',
      ),
    expires_at: instant().nullable(),
    last_used_at: instant().nullable().describe('Time of last use, to the minute.'),
    revoked_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'ApiKey', description: 'An API key of the account. The secret is returned only on creation.' });
export type ApiKeyRecord = z.infer<typeof ApiKeyRecord>;

export const CreateApiKey = z.strictObject({
  name: nameText(200).meta({ example: 'Nightly export' }),
  permissions: Permissions.optional().describe('Defaults to `{ "all": true }`.'),
  livemode: z
    .boolean()
    .nullable()
    .optional()
    .describe(
      'The mode of the records that the key sees and makes: `true` for live, `false` for test. Defaults to a key without a mode.',
    ),
  expires_at: timestamp()
    .nullable()
    .optional()
    .describe('Expiration time; must be in the future. Defaults to no expiration.')
    .meta({ example: '2099-12-31T12:00:00Z' }),
});
export type CreateApiKey = z.infer<typeof CreateApiKey>;

export const CreatedApiKey = z
  .object({ ...ApiKeyRecord.shape, api_key: z.string().describe('The secret key. Returned only once.') })
  .meta({ id: 'CreatedApiKey' });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

export const ApiKeyId = z.strictObject({ id: id('api_key') });
export const ListApiKeys = z.strictObject({ ...pageInput, ...sortBy('updated_at'), ...updatedRange });
export type ListApiKeys = z.infer<typeof ListApiKeys>;
export const ApiKeyPage = paginated(ApiKeyRecord);
export const RevokedApiKey = z
  .object({ message: z.string(), id: id('api_key'), revoked_at: instant() })
  .meta({ id: 'RevokedApiKey' });
