import type { Ctx } from '../../../platform/call/context.ts';
import { type DomainError, invalid } from '../../../platform/errors/errors.ts';
import { createEndpoint, type NewEndpoint } from '../../connections/endpoint.service.ts';
import { type Connected, endpointUrl } from '../../connections/open-connection.ts';
import type { ProviderEndpoint } from '../../port/capabilities.ts';
import { onReason, pspFailure, PspError } from '../../port/psp-error.ts';
import { SOURCE_REASONS } from '../../port/reasons.ts';
import { missingTypes } from '../read-event.ts';
import { STRIPE_REASONS } from '../reasons.ts';
import type { StripeProvider } from '../stripe-provider.ts';
import { requirePspConnection, settingsEndpointUrl, stripeOf } from './find-psp-connection.ts';
import type { EndpointStatus } from './psp-connection.schema.ts';

/**
 * Returns the state of the endpoint at the provider, and the permissions that the key lacks.
 *
 * @throws PSP_NOT_CONNECTED, PSP_ERROR
 */
export async function getEndpointStatus(ctx: Ctx): Promise<EndpointStatus> {
  const connection = await requirePspConnection(ctx);
  try {
    const provider = await stripeOf(ctx).open(ctx.services.secrets.open(connection.sealed_credentials));
    const [endpoint, missing_permissions] = await Promise.all([
      findEndpoint(ctx, provider, connection),
      provider.missingPermissions(['endpoint', 'events', 'codes', ...(connection.write_back ? ['write_back' as const] : [])]),
    ]);
    return { ...statusOf(endpoint, connection.endpoint_id), missing_permissions };
  } catch (error) {
    throw error instanceof PspError ? pspFailure(error) : error;
  }
}

/**
 * Repairs the endpoint at the provider: enables it, and adds the event types that it lacks. Creates the endpoint if there is none.
 *
 * @throws PSP_NOT_CONNECTED, PSP_ERROR, and the errors of `createEndpoint`
 */
export async function repairEndpoint(
  ctx: Ctx,
  store: (id: string, ...stored: Parameters<NewEndpoint<unknown>['store']>) => Promise<unknown>,
): Promise<EndpointStatus> {
  const connection = await requirePspConnection(ctx);
  const credentials = ctx.services.secrets.open(connection.sealed_credentials);
  try {
    const provider = await stripeOf(ctx).open(credentials);
    const endpoint = await findEndpoint(ctx, provider, connection);
    if (endpoint === 'unreadable') throw new PspError({ reason: 'permission', said: SOURCE_REASONS.key_lacks_endpoints });
    if (ctx.preview) return await getEndpointStatus(ctx);
    if (endpoint === null)
      await createEndpoint(ctx, {
        url: settingsEndpointUrl(ctx),
        endpoints: provider,
        credentials,
        refused: endpointRefused,
        mode: connection.mode,
        pspAccountId: connection.psp_account_id,
        store: (tx, created) => store(connection.id, tx, created),
      });
    else await provider.ensureEndpoint(endpoint.id);
    return await getEndpointStatus(ctx);
  } catch (error) {
    throw error instanceof PspError ? pspFailure(error) : error;
  }
}

/** Finds the endpoint of the account: the one that this service created, or one with its address. */
async function findEndpoint(
  ctx: Ctx,
  provider: StripeProvider,
  { id: connectionId, endpoint_id }: Connected,
): Promise<ProviderEndpoint | null | 'unreadable'> {
  const all = await provider.allEndpoints().catch(onReason(['permission'], () => null));
  if (all === null) return 'unreadable';
  const addresses = [settingsEndpointUrl(ctx), endpointUrl(ctx.services, connectionId)];
  const own = all.filter(({ url }) => addresses.includes(url));
  return all.find(({ id }) => id === endpoint_id) ?? own.find(({ isEnabled }) => isEnabled) ?? own[0] ?? null;
}

function problemOf({ isEnabled, eventTypes }: ProviderEndpoint) {
  if (!isEnabled) return 'disabled';
  return missingTypes(eventTypes).length > 0 ? 'missing_events' : null;
}

function statusOf(
  endpoint: ProviderEndpoint | null | 'unreadable',
  endpointId: string | null,
): Omit<EndpointStatus, 'missing_permissions'> {
  if (endpoint === null || endpoint === 'unreadable')
    return { endpoint: null, problem: endpoint === null ? 'missing' : 'unreadable' };
  const { id, isEnabled, eventTypes, apiVersion } = endpoint;
  return {
    endpoint: {
      id,
      is_managed: id === endpointId,
      is_enabled: isEnabled,
      api_version: apiVersion,
      missing_event_types: missingTypes(eventTypes),
    },
    problem: problemOf(endpoint),
  };
}

export function endpointRefused(url: string, error: PspError): DomainError {
  return invalid('secret_key', STRIPE_REASONS.endpoint_refused({ url, said: error.said }), 'endpoint_refused');
}
