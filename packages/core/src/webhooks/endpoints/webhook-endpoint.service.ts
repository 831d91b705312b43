import { sql } from 'kysely';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock, type Locked } from '../../platform/call/locks.ts';
import { assertReaches, isVisibleTo, ofMode } from '../../platform/call/mode.ts';
import { getRow, insert, lock, newRecordColumns, save } from '../../platform/call/records.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { confirmRecord } from '../../platform/previews/confirm-effect.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { allOf, whenUpdated } from '../../platform/wire/filters.ts';
import { newId } from '../../platform/wire/ids.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { WEBHOOK_REASONS } from '../reasons.ts';
import { checkEndpointUrl } from './endpoint-url.ts';
import { newSigningSecret } from './signature.ts';
import {
  activated,
  type CreateWebhookEndpoint,
  type ListWebhookEndpoints,
  rotated,
  type UpdateWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointRecord,
  type WebhookEndpointWithSecret,
  withSecretHeaders,
} from './webhook-endpoint.ts';

/** Returns the wire record of an endpoint, without its secrets. */
const webhookEndpointRecord: (row: WebhookEndpoint) => WebhookEndpointRecord = wireRecord(
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

/**
 * Refuses a URL that webhooks cannot be sent to. Looks up the host name in DNS, so this function must be called outside a transaction.
 *
 * @throws VALIDATION_ERROR with the error code with which a delivery to the URL would fail: invalid_uri, private_uri or dns_error
 */
export async function assertUrlMayBeSaved(ctx: Ctx, { url }: { url?: string | undefined }): Promise<void> {
  if (url === undefined) return;
  const check = await checkEndpointUrl(url, ctx.services.webhooks);
  if (!check.ok) throw invalid('url', check.message, check.code);
}

/**
 * Limit per account. Anyone's click on a link can cause an event that is posted to every endpoint, so without a limit one click could
 * cause thousands of requests.
 */
const MAX_ENDPOINTS = 100;

/**
 * Creates an endpoint and returns its signing secret, which is shown only once. Throws VALIDATION_ERROR if the account already has the
 * maximum number of endpoints.
 */
export async function createWebhookEndpoint(
  ctx: WriteCtx,
  { secret_headers = {}, ...input }: CreateWebhookEndpoint,
): Promise<WebhookEndpointWithSecret> {
  await advisoryLock(ctx, 'webhook endpoints');
  const { count } = await ctx.db
    .selectFrom('webhook_endpoint')
    .select(sql<number>`count(*)`.as('count'))
    .where('account_id', '=', ctx.accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (count >= MAX_ENDPOINTS) throw invalid('', WEBHOOK_REASONS.too_many_endpoints({ max: MAX_ENDPOINTS }), 'too_many');
  const signing_secret = newSigningSecret();
  const endpoint = insert(ctx, WebhookEndpoint, {
    ...newRecordColumns(ctx, newId('webhook_endpoint', ctx.clock.now())),
    ...input,
    livemode: ofMode(ctx, input.livemode),
    clock_ahead_ms: await aheadOf(ctx),
    sealed_secret: ctx.services.secrets.seal(signing_secret),
    ...withSecretHeaders(ctx.services, secret_headers),
    sealed_previous_secret: null,
    previous_secret_expires_at: null,
    disabled_reason: null,
    disabled_at: null,
    failing_since: null,
    last_success_at: null,
    deleted_at: null,
  });
  return { ...(await confirmRecord(ctx, webhookEndpointRecord(endpoint))), signing_secret };
}

/** Returns the milliseconds by which the clock of the account is ahead. */
async function aheadOf({ db, accountId }: WriteCtx): Promise<number> {
  const account = await db.selectFrom('account').select('clock_ahead_ms').where('id', '=', accountId).executeTakeFirstOrThrow();
  return account.clock_ahead_ms;
}

/**
 * Changes the given fields. Activating an endpoint also sends the deliveries that were held back.
 *
 * @throws NOT_FOUND; FORBIDDEN for an endpoint that gets events of a mode that the caller does not see
 */
export async function updateWebhookEndpoint(
  ctx: WriteCtx,
  { id, active, livemode, secret_headers, ...fields }: UpdateWebhookEndpoint,
): Promise<WebhookEndpointRecord> {
  const endpoint = await loadOwnEndpoint(ctx, id);
  // Otherwise a member who may change the address could read the headers at a host of their own.
  const isMoved = fields.url !== undefined && hostOf(fields.url) !== hostOf(endpoint.url);
  const headers = secret_headers ?? (isMoved ? {} : undefined);
  save(ctx, WebhookEndpoint, endpoint, {
    ...fields,
    ...(headers && withSecretHeaders(ctx.services, headers)),
    ...(livemode !== undefined && { livemode: ofMode(ctx, livemode) }),
    updated_at: ctx.now,
    // Deliveries to a paused endpoint are held back until it is activated again.
    ...(active === false && { active }),
    ...(active === true && activated(endpoint)),
  });
  if (active === true) ctx.afterCommit(() => ctx.services.jobs.send('webhooks', [id]));
  return webhookEndpointRecord(endpoint);
}

function hostOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/**
 * Replaces the signing secret and returns the new one, which is shown only once. The previous secret also signs for 24 hours.
 *
 * @throws NOT_FOUND; FORBIDDEN for an endpoint that gets events of a mode that the caller does not see
 */
export async function rotateSigningSecret(ctx: WriteCtx, { id }: { id: string }): Promise<WebhookEndpointWithSecret> {
  const endpoint = await loadOwnEndpoint(ctx, id);
  const signing_secret = newSigningSecret();
  const { clock, secrets } = ctx.services;
  save(ctx, WebhookEndpoint, endpoint, {
    ...rotated(endpoint, secrets.seal(signing_secret), toInstant(clock.now())),
    updated_at: ctx.now,
  });
  return { ...webhookEndpointRecord(endpoint), signing_secret };
}

/**
 * Deletes an endpoint and cancels its pending deliveries. Deliveries and attempts stay readable. Has no effect on a deleted endpoint.
 *
 * @throws NOT_FOUND; FORBIDDEN for an endpoint that gets events of a mode that the caller does not see
 */
export async function deleteWebhookEndpoint(ctx: WriteCtx, { id }: { id: string }): Promise<void> {
  const endpoint = await lock(ctx, WebhookEndpoint, id);
  assertReaches(ctx, endpoint.livemode);
  if (endpoint.deleted_at !== null) return;
  save(ctx, WebhookEndpoint, endpoint, { active: false, deleted_at: ctx.now, updated_at: ctx.now });
  await ctx.db
    .updateTable('webhook_delivery')
    .set({ retry_requested_at: null })
    .where('endpoint_id', '=', id)
    .where('retry_requested_at', 'is not', null)
    .execute();
  await ctx.db
    .updateTable('webhook_delivery')
    .set({ status: 'canceled', next_attempt_at: null, completed_at: ctx.now })
    .where('endpoint_id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

/** Loads and locks an endpoint that the caller may change, as `loadLiveEndpoint` does. */
async function loadOwnEndpoint(ctx: WriteCtx, id: string): Promise<Locked<WebhookEndpoint>> {
  const endpoint = await loadLiveEndpoint(ctx, id);
  assertReaches(ctx, endpoint.livemode);
  return endpoint;
}

/** Loads and locks an endpoint. Throws NOT_FOUND, even if the endpoint exists but is deleted. */
export async function loadLiveEndpoint(ctx: WriteCtx, id: string): Promise<Locked<WebhookEndpoint>> {
  const endpoint = await lock(ctx, WebhookEndpoint, id);
  if (endpoint.deleted_at !== null) throw notFound('webhook endpoint');
  return endpoint;
}
