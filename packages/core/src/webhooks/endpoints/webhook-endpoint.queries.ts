import type { Ctx } from '../../platform/call/context.ts';
import { isVisibleTo } from '../../platform/call/mode.ts';
import { getRow } from '../../platform/call/records.ts';
import { allOf, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { WebhookEndpoint } from './webhook-endpoint.entity.ts';
import { type ListWebhookEndpoints, WebhookEndpointRecord } from './webhook-endpoint.schema.ts';

/** Returns the wire record of an endpoint, without its secrets. */
export const webhookEndpointRecord: (row: WebhookEndpoint) => WebhookEndpointRecord = wireRecord(
  WebhookEndpoint,
  WebhookEndpointRecord,
).of;

/** Lists endpoints that are not deleted, newest first. */
export async function listWebhookEndpoints(ctx: Ctx, input: ListWebhookEndpoints) {
  const query = ctx.db
    .selectFrom('webhook_endpoint')
    .where('account_id', '=', ctx.accountId)
    .where('deleted_at', 'is', null)
    .where(isVisibleTo(ctx, 'webhook_endpoint'));
  const { data, pagination } = await paginate(query.where(allOf(whenUpdated('updated_at', input))), input, {
    order: listOrder(input.sort, { table: 'webhook_endpoint' }),
    select: (all) => all.selectAll(),
  });
  return { data: data.map(webhookEndpointRecord), pagination };
}

/** Returns an endpoint, even a deleted one. Throws NOT_FOUND. */
export async function getWebhookEndpoint(ctx: Ctx, id: string): Promise<WebhookEndpointRecord> {
  return webhookEndpointRecord(await getRow(ctx, WebhookEndpoint, id));
}
