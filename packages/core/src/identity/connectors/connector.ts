import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { PermissionMap } from '../../platform/access/permissions.ts';
import { instant as instantColumn, modeOfAccount, recordColumns, type Row } from '../../platform/db/columns.ts';
import { updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { cents, currency, currencyCode, id, instant, livemode, nameText } from '../../platform/wire/scalars.ts';
import { CreateApiKey } from '../api-keys/api-key.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { CONNECTOR_PERMISSION_NAMES } from './grantable.ts';

/** The largest amount that a connector may mark as paid within 24 hours, in one currency. It may pay nothing in currencies without a limit. */
export interface PayLimit {
  currency: string;
  amount_cents: number;
}

export const Connector = defineEntity({
  name: 'Connector',
  tableName: 'connector',
  properties: {
    ...recordColumns,
    ...modeOfAccount,
    name: p.string(),
    prefix: p.string(),
    secret_hash: p.string().strictNullable(),
    permissions: p.json<PermissionMap>(),
    daily_pay_limits: p.json<PayLimit[]>().strictNullable(),
    /** True if a key of live mode made the connector, which then sees what this key sees. */
    live_only: p.boolean(),
    oauth_client_id: p.string().strictNullable(),
    authorized_by_user_id: p.string().strictNullable(),
    /** The person who made the connector, also by a key. Null if the operator's key made it. */
    created_by: p.string().strictNullable(),
    expires_at: instantColumn().strictNullable(),
    last_used_at: instantColumn().strictNullable(),
    revoked_at: instantColumn().strictNullable(),
  },
});

/**
 * An AI assistant's access to an account. A connector of the first kind is created with a token, of which only a hash is stored. A connector of the
 * second kind belongs to an OAuth client that a person has authorized, and OAuth tokens are issued to this client. Only a person changes the
 * permissions of a connector.
 */
export type Connector = Row<typeof Connector>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    connector: InferKyselyTable<typeof Connector>;
  }
}

export const ConnectorPermissions = z
  .partialRecord(z.enum(CONNECTOR_PERMISSION_NAMES), z.boolean())
  .describe(
    'Map of permission names (`mcp.*`, `settings.webhooks.*`, `settings.members.read` and `settings.connectors.read`) to booleans. Permissions that are absent are denied.',
  )
  .meta({ example: { 'mcp.affiliates.read': true, 'mcp.commissions.read': true } });

/** Most currencies that can have a daily limit. */
const MAX_LIMITS = 20;

export const DailyPayLimits = z
  .array(z.strictObject({ currency: currency(), amount_cents: cents() }))
  .min(1)
  .max(MAX_LIMITS)
  .refine((limits) => new Set(limits.map((limit) => limit.currency)).size === limits.length, IDENTITY_REASONS.currency_twice)
  .describe(
    'Largest amount per currency that the assistant may mark as paid within 24 hours; nothing in other currencies. `null`: no limit.',
  )
  .meta({ example: [{ currency: 'USD', amount_cents: 100_000 }] });

export const ConnectorRecord = z
  .object({
    id: id('connector'),
    livemode: livemode(),
    name: z.string(),
    kind: z.enum(['token', 'oauth']).describe('`token`: uses its own token. `oauth`: authorized by a user in the browser.'),
    prefix: z.string().describe('First characters of the token, for identification. Empty for `oauth`.'),
    authorized_by_user_id: id('user').nullable().describe('User who authorized the connector; `null` for `token`.'),
    permissions: ConnectorPermissions,
    daily_pay_limits: z
      .array(z.object({ currency: currencyCode(), amount_cents: z.int() }))
      .nullable()
      .describe('Largest amount per currency that the assistant may mark as paid within 24 hours; `null`: no limit.'),
    live_only: z
      .boolean()
      .describe('`true` if an API key of live mode made the connector. Such a connector sees and makes only live records.'),
    expires_at: instant().nullable(),
    last_used_at: instant().nullable().describe('Time of last use, to the minute.'),
    revoked_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'Connector', description: 'Access of an AI assistant to the account.' });
export type ConnectorRecord = z.infer<typeof ConnectorRecord>;

export const CreateConnector = z.strictObject({
  name: nameText(200).describe('Name of the assistant and its user or team.').meta({ example: 'Claude, finance team' }),
  permissions: ConnectorPermissions.optional().describe('Defaults to read access to everything except promo codes.'),
  allow_promo_code_management: z
    .boolean()
    .default(false)
    .describe('Adds `mcp.affiliate_coupons.read` and `mcp.affiliate_coupons.write`.'),
  daily_pay_limits: DailyPayLimits.nullable().optional(),
  expires_at: CreateApiKey.shape.expires_at,
});
export type CreateConnector = z.infer<typeof CreateConnector>;

export const CreatedConnector = z
  .object({ ...ConnectorRecord.shape, token: z.string().describe('The secret token. Returned only once.') })
  .meta({ id: 'CreatedConnector' });
export type CreatedConnector = z.infer<typeof CreatedConnector>;

export const UpdateConnector = z.strictObject({
  id: id('connector'),
  name: CreateConnector.shape.name.optional(),
  permissions: ConnectorPermissions.optional().describe('Replaces all permissions.'),
  daily_pay_limits: DailyPayLimits.nullable().optional(),
});
export type UpdateConnector = z.infer<typeof UpdateConnector>;

export const ConnectorId = z.strictObject({ id: id('connector') });
export const ListConnectors = z.strictObject({ ...pageInput, ...sortBy('updated_at'), ...updatedRange });
export type ListConnectors = z.infer<typeof ListConnectors>;
export const ConnectorPage = paginated(ConnectorRecord);

export const ConnectorsOf = z.strictObject({ account_id: id('account') });
export const OwnConnectors = z.object({
  data: z.array(ConnectorRecord).describe('Live connectors that the person authorized, newest first. At most 100.'),
});
export type OwnConnectors = z.infer<typeof OwnConnectors>;
