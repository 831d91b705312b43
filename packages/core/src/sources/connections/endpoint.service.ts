import { sql } from 'kysely';
import type { Ctx, Services, WriteCtx } from '../../platform/call/context.ts';
import { systemContext } from '../../platform/call/transaction.ts';
import { claimDue } from '../../platform/db/claim.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { requestFingerprint } from '../../platform/idempotency/key-rules.ts';
import { beginOperation, callForOperation, finishOperation, holdingLease } from '../../platform/operations/operation-ledger.ts';
import type { RunningOperation } from '../../platform/operations/operation.ts';
import { Failures } from '../../platform/sweeps/failures.ts';
import { Leftovers } from '../../platform/sweeps/work-apart.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';
import type { PaymentProvider, ProviderEndpoint } from '../port/port.ts';
import { PspError } from '../port/psp-error.ts';
import { subjectAt } from './open-connection.ts';
import type { EndpointStatus, PspConnectionRecord } from './psp-connection.schema.ts';
import { notConnected, pspFailure } from './psp-failure.ts';

declare module '../../platform/operations/operation.ts' {
  interface OperationKinds {
    endpoint: null;
  }
}

/** Address to which the provider sends an account's events. */
export function endpointUrl({ services, accountId }: Pick<Ctx, 'services' | 'accountId'>): string {
  return `${services.publicUrl}/psp/webhooks/${accountId}`;
}

interface NewEndpoint {
  secretKey: string;
  livemode: boolean;
  /** Stores the connection with the endpoint and its sealed secret, and returns the record. */
  store: (tx: WriteCtx, endpoint: { id: string; sealedSecret: string }) => Promise<PspConnectionRecord>;
}

/**
 * Creates an endpoint at the provider, and stores the connection with its secret. The endpoint is an operation: if the process dies after the
 * provider has created it, the same request gets the same endpoint and secret. Former endpoints of this account are deleted.
 *
 * @throws OPERATION_PENDING; VALIDATION_ERROR when the provider refuses the endpoint; PSP_ERROR
 */
export async function createEndpoint(ctx: Ctx, { secretKey, livemode, store }: NewEndpoint): Promise<PspConnectionRecord> {
  const url = endpointUrl(ctx);
  const begun = await beginOperation<PspConnectionRecord>(ctx, {
    kind: 'endpoint',
    subject: subjectAt({ livemode }, 'endpoint'),
    idempotencyKey: null,
    fingerprint: requestFingerprint('pspConnection.connect', { secretKey, url }),
    input: null,
  });
  if ('replay' in begun) return begun.replay.body;
  return holdingLease(ctx, begun.run.id, async () => {
    const provider = await ctx.services.psp.open(secretKey);
    const { id, secret } = await createAtProvider(ctx, provider, begun.run, url);
    const { body } = await finishOperation<PspConnectionRecord>(ctx, begun.run, async (tx) => ({
      status: null,
      body: await store(tx, { id, sealedSecret: ctx.services.secrets.seal(secret) }),
    }));
    await deleteFormer(ctx, provider, id);
    return body;
  });
}

async function createAtProvider(ctx: Ctx, provider: PaymentProvider, operation: RunningOperation, url: string) {
  try {
    // If an earlier attempt has created an endpoint, too, `deleteFormer` deletes it.
    return await callForOperation(ctx, operation, (key) => provider.createEndpoint({ url, createdFor: ctx.accountId }, key));
  } catch (error) {
    if (!(error instanceof PspError)) throw error;
    if (error.reason !== 'rejected' && error.reason !== 'permission') throw pspFailure(error);
    throw invalid('secret_key', `Stripe did not create the endpoint ${url}. ${error.message}`, 'endpoint_refused');
  }
}

/** Deletes the other endpoints that this service created for the account. Their events would come twice, or with a secret that is not known. */
async function deleteFormer(ctx: Ctx, provider: PaymentProvider, id: string): Promise<void> {
  try {
    const all = await provider.endpoints();
    const former = all.filter((endpoint) => endpoint.createdFor === ctx.accountId && endpoint.id !== id);
    for (const endpoint of former) await provider.deleteEndpoint(endpoint.id);
  } catch (err) {
    ctx.services.log.warn({ err, account_id: ctx.accountId }, 'could not delete former endpoints at the payment provider');
  }
}

/** Deletes the endpoint of a connection that was removed. A failure is logged: the provider disables an endpoint that refuses its events. */
export async function deleteEndpointOf({ services, accountId }: Ctx, sealedKey: string, id: string): Promise<void> {
  try {
    await (await services.psp.open(services.secrets.open(sealedKey))).deleteEndpoint(id);
  } catch (err) {
    services.log.warn({ err, account_id: accountId }, 'could not delete the endpoint at the payment provider');
  }
}

interface StoredConnection {
  secretKey: string;
  livemode: boolean;
  endpointId: string | null;
  writesBack: boolean;
}

async function storedConnection({ services, db, accountId }: Ctx): Promise<StoredConnection> {
  const row = await db
    .selectFrom('psp_connection')
    .select(['sealed_secret_key', 'livemode', 'endpoint_id', 'write_back'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!row) throw notConnected();
  return {
    secretKey: services.secrets.open(row.sealed_secret_key),
    livemode: row.livemode,
    endpointId: row.endpoint_id,
    writesBack: row.write_back,
  };
}

/**
 * Returns the state of the endpoint at the provider, and the permissions that the key lacks.
 *
 * @throws PSP_NOT_CONNECTED, PSP_ERROR
 */
export async function getEndpointStatus(ctx: Ctx): Promise<EndpointStatus> {
  const { secretKey, endpointId, writesBack } = await storedConnection(ctx);
  try {
    const provider = await ctx.services.psp.open(secretKey);
    const [endpoint, missing_permissions] = await Promise.all([
      findEndpoint(ctx, provider, endpointId),
      provider.missingPermissions(['endpoint', 'events', 'codes', ...(writesBack ? ['write_back' as const] : [])]),
    ]);
    return { ...statusOf(ctx, endpoint, endpointId), missing_permissions };
  } catch (error) {
    throw error instanceof PspError ? pspFailure(error) : error;
  }
}

/**
 * Repairs the endpoint at the provider: enables it, and adds the event types that it lacks. Creates the endpoint if there is none.
 *
 * @throws PSP_NOT_CONNECTED, PSP_ERROR, and the errors of `createEndpoint`
 */
export async function repairEndpoint(ctx: Ctx, store: NewEndpoint['store']): Promise<EndpointStatus> {
  const { secretKey, livemode, endpointId } = await storedConnection(ctx);
  try {
    const provider = await ctx.services.psp.open(secretKey);
    const endpoint = await findEndpoint(ctx, provider, endpointId);
    if (endpoint === 'unreadable') throw new PspError({ reason: 'permission', message: NEEDS_PERMISSION });
    if (ctx.preview) return await getEndpointStatus(ctx);
    if (endpoint === null) await createEndpoint(ctx, { secretKey, livemode, store });
    else if (problemOf(ctx, endpoint) !== null) await provider.repairEndpoint(endpoint);
    return await getEndpointStatus(ctx);
  } catch (error) {
    throw error instanceof PspError ? pspFailure(error) : error;
  }
}

const NEEDS_PERMISSION = 'The key lacks the permission Webhook Endpoints (write). Connect with a key that has it.';

/** Finds the endpoint of the account: the one that this service created, or one with its address. */
async function findEndpoint(
  ctx: Ctx,
  provider: PaymentProvider,
  endpointId: string | null,
): Promise<ProviderEndpoint | null | 'unreadable'> {
  try {
    const all = await provider.endpoints();
    const own = all.filter(({ url }) => url === endpointUrl(ctx));
    return all.find(({ id }) => id === endpointId) ?? own.find(({ isEnabled }) => isEnabled) ?? own[0] ?? null;
  } catch (error) {
    if (error instanceof PspError && error.reason === 'permission') return 'unreadable';
    throw error;
  }
}

function problemOf({ services }: Pick<Ctx, 'services'>, { isEnabled, eventTypes }: ProviderEndpoint) {
  if (!isEnabled) return 'disabled';
  return services.psp.missingTypes(eventTypes).length > 0 ? 'missing_events' : null;
}

function statusOf(
  ctx: Ctx,
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
      missing_event_types: ctx.services.psp.missingTypes(eventTypes),
    },
    problem: problemOf(ctx, endpoint),
  };
}

const BATCH = 50;
const CHECK_DAYS = 1;

/**
 * Checks, once a day, the endpoints that this service created. Enables them again, and adds event types that a newer version handles. An
 * endpoint that the merchant has deleted stays deleted. Returns the number of endpoints that were repaired.
 *
 * @throws the first failure, after all other endpoints have been tried
 */
export async function repairPspEndpoints(services: Services, mustStop: MustStop = () => false): Promise<number> {
  const now = toInstant(services.clock.now());
  const failures = new Failures(services, 'endpoint at the payment provider not checked');
  const left = new Leftovers();
  let repaired = 0;
  while (!mustStop()) {
    // The time is stored first, so that a connection whose check fails does not keep the others from being checked.
    const { rows, mayBeMore } = await claimDue(
      services,
      {
        table: 'psp_connection',
        key: ['account_id'],
        isDue: sql`endpoint_id is not null
          and (endpoint_checked_at is null or endpoint_checked_at <= ${plusDays(now, -CHECK_DAYS)}::timestamptz)`,
        order: 'account_id',
        limit: BATCH,
        set: sql`endpoint_checked_at = ${now}::timestamptz`,
        returning: sql<{ account_id: string }>`account_id`,
      },
      left,
    );
    for (const { account_id } of rows)
      if (await failures.attempt({ account_id }, () => repairOf(services, account_id))) repaired += 1;
    if (!mayBeMore) break;
  }
  left.throwCause();
  failures.throwFirst();
  return repaired;
}

async function repairOf(services: Services, accountId: string): Promise<boolean> {
  const ctx = systemContext(services, accountId, 'check of the endpoint');
  try {
    const { secretKey, endpointId } = await storedConnection(ctx);
    const provider = await services.psp.open(secretKey);
    const endpoint = (await provider.endpoints()).find(({ id }) => id === endpointId);
    if (!endpoint || problemOf(ctx, endpoint) === null) return false;
    await provider.repairEndpoint(endpoint);
    services.log.warn({ account_id: accountId, endpoint_id: endpointId }, 'repaired the endpoint at the payment provider');
    return true;
  } catch (err) {
    if (!(err instanceof PspError || err instanceof DomainError)) throw err;
    services.log.warn({ err, account_id: accountId }, 'could not check the endpoint at the payment provider');
    return false;
  }
}
