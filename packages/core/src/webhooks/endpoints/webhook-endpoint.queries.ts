import { foundOrThrow } from '../../platform/call/records.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { WebhookEndpoint } from './webhook-endpoint.entity.ts';
import { WebhookEndpointRecord } from './webhook-endpoint.schema.ts';

/** Returns the wire record of an endpoint, without its secrets. */
export const webhookEndpointRecord: (row: WebhookEndpoint) => WebhookEndpointRecord = wireRecord(
  WebhookEndpoint,
  WebhookEndpointRecord,
).of;

/** Lists endpoints that are not deleted, newest first. */
export async function listWebhookEndpoints(ctx: Ctx, page: { page: number; limit: number }) {
  const query = ctx.db.selectFrom('webhook_endpoint').where('account_id', '=', ctx.accountId).where('deleted_at', 'is', null);
  const { data, pagination } = await paginate(query, page, (all) => all.selectAll().orderBy('id', 'desc'));
  return { data: data.map(webhookEndpointRecord), pagination };
}

/** Returns an endpoint, even a deleted one. Throws NOT_FOUND. */
export async function getWebhookEndpoint(ctx: Ctx, id: string): Promise<WebhookEndpointRecord> {
  const row = await ctx.db
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return webhookEndpointRecord(foundOrThrow(row, 'webhook endpoint'));
}
