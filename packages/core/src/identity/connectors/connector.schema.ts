import { z } from 'zod';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant, text, timestamp } from '../../platform/wire/scalars.ts';
import { CONNECTOR_PERMISSION_NAMES } from './connector.permissions.ts';

const Permissions = z
  .partialRecord(z.enum(CONNECTOR_PERMISSION_NAMES as [string, ...string[]]), z.boolean())
  .describe('Permission name (`mcp.*`) to boolean. What is not granted is refused.')
  .meta({ example: { 'mcp.affiliates.read': true, 'mcp.commissions.read': true } });

export const ConnectorRecord = z
  .object({
    id: id('connector'),
    name: z.string(),
    kind: z
      .enum(['token', 'oauth'])
      .describe('`token`: it has a token of its own. `oauth`: somebody connected an assistant by consenting in the browser.'),
    prefix: z.string().describe('The first characters of its own token, to recognise it by; empty for kind `oauth`.'),
    authorized_by_user_id: id('user').nullable().describe('Who consented, for kind `oauth`.'),
    permissions: Permissions,
    expires_at: instant().nullable(),
    last_used_at: instant().nullable().describe('To the minute.'),
    revoked_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'Connector', description: 'An AI assistant’s access to this account.' });
export type ConnectorRecord = z.infer<typeof ConnectorRecord>;

export const CreateConnector = z.strictObject({
  name: text(200).describe('Which assistant, and whose.').meta({ example: 'Claude, finance team' }),
  permissions: Permissions.optional().describe('Reads only, without promo codes, when missing.'),
  allow_promo_code_management: z
    .boolean()
    .default(false)
    .describe('Adds `mcp.affiliate_coupons.read` and `mcp.affiliate_coupons.write`.'),
  expires_at: timestamp().nullable().optional().describe('Must lie in the future.'),
});
export type CreateConnector = z.infer<typeof CreateConnector>;

export const CreatedConnector = z
  .object({ ...ConnectorRecord.shape, token: z.string().describe('The secret. It cannot be had again.') })
  .meta({ id: 'CreatedConnector' });
export type CreatedConnector = z.infer<typeof CreatedConnector>;

export const ConnectorId = z.strictObject({ id: id('connector') });
export const ListConnectors = z.strictObject(pageInput);
export const ConnectorPage = paginated(ConnectorRecord);
