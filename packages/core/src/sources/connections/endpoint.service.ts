import { sql } from 'kysely';
import type { Ctx, Services, WriteCtx } from '../../platform/call/context.ts';
import { systemContext } from '../../platform/call/transaction.ts';
import { claimDue } from '../../platform/db/claim.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { requestFingerprint } from '../../platform/idempotency/key-rules.ts';
import { beginOperation, callForOperation, finishOperation, holdingLease } from '../../platform/operations/operation-ledger.ts';
import type { RunningOperation } from '../../platform/operations/operation.ts';
import { Failures, Leftovers } from '../../platform/sweeps/failures.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';
import type { Endpoints } from '../port/capabilities.ts';
import type { ProviderMode } from '../port/port.ts';
import { PspError, pspFailure } from '../port/psp-error.ts';
import { type Connected, findConnection, findConnections, IS_CONNECTED, open } from './open-connection.ts';

declare module '../../platform/operations/operation.ts' {
  interface OperationKinds {
    endpoint: null;
  }
}

export interface NewEndpoint<Stored> {
  /** Address to which the provider sends the events. */
  url: string;
  endpoints: Endpoints;
  /** The key of the account, which identifies the request. */
  credentials: string;
  mode: ProviderMode;
  pspAccountId: string;
  /** Returns the error for the caller if the provider refuses the endpoint. */
  refused: (url: string, error: PspError) => DomainError;
  /** Stores the connection with the endpoint and its sealed secret, and returns what it stored. */
  store: (tx: WriteCtx, endpoint: { id: string; sealedSecret: string }) => Promise<Stored>;
}

/**
 * Creates an endpoint at the provider, and stores the connection with its secret. The endpoint is an operation: if the process dies after the
 * provider has created it, the same request gets the same endpoint and secret. Former endpoints of this account are deleted.
 *
 * @throws OPERATION_PENDING; VALIDATION_ERROR when the provider refuses the endpoint; PSP_ERROR
 */
export async function createEndpoint<Stored>(
  ctx: Ctx,
  { url, endpoints, credentials, mode, pspAccountId, refused, store }: NewEndpoint<Stored>,
): Promise<Stored> {
  const begun = await beginOperation<Stored>(ctx, {
    kind: 'endpoint',
    subject: `${mode} endpoint of ${pspAccountId}`,
    idempotencyKey: null,
    fingerprint: requestFingerprint('pspConnection.connect', { credentials, url }),
    input: null,
  });
  if ('replay' in begun) return begun.replay.body;
  return holdingLease(ctx, begun.run.id, async () => {
    const { id, secret } = await createAtProvider(ctx, endpoints, begun.run, { url, refused });
    const { body } = await finishOperation<Stored>(ctx, begun.run, async (tx) => ({
      status: null,
      body: await store(tx, { id, sealedSecret: ctx.services.secrets.seal(secret) }),
    }));
    await deleteFormer(ctx, endpoints, id);
    return body;
  });
}

async function createAtProvider(
  ctx: Ctx,
  endpoints: Endpoints,
  operation: RunningOperation,
  { url, refused }: Pick<NewEndpoint<unknown>, 'url' | 'refused'>,
) {
  try {
    // If an earlier attempt has created an endpoint, too, `deleteFormer` deletes it.
    return await callForOperation(ctx, operation, (key) => endpoints.createEndpoint({ url, createdFor: ctx.accountId }, key));
  } catch (error) {
    if (!(error instanceof PspError)) throw error;
    if (error.reason !== 'rejected' && error.reason !== 'permission') throw pspFailure(error);
    throw refused(url, error);
  }
}

/** Deletes the endpoints that this service created for the account and uses no more. Their events would come twice, or with a secret that is not known. */
async function deleteFormer(ctx: Ctx, endpoints: Endpoints, id: string): Promise<void> {
  try {
    const [all, connections] = await Promise.all([endpoints.allEndpoints(), findConnections(ctx.db, ctx.accountId)]);
    const used = new Set([id, ...connections.map(({ endpoint_id }) => endpoint_id)]);
    const former = all.filter((endpoint) => endpoint.createdFor === ctx.accountId && !used.has(endpoint.id));
    for (const endpoint of former) await endpoints.deleteEndpoint(endpoint.id);
  } catch (err) {
    ctx.services.log.warn({ err, account_id: ctx.accountId }, 'could not delete former endpoints at the payment provider');
  }
}

/** Deletes the endpoint of a connection that was removed. A failure is logged: the provider disables an endpoint that refuses its events. */
export async function deleteEndpointOf({ services, accountId }: Ctx, connection: Connected, id: string): Promise<void> {
  try {
    const { access } = await open(services, connection);
    await access.endpoints?.deleteEndpoint(id);
  } catch (err) {
    services.log.warn({ err, account_id: accountId }, 'could not delete the endpoint at the payment provider');
  }
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
        table: 'connection',
        isDue: sql`endpoint_id is not null and ${IS_CONNECTED}
          and (endpoint_checked_at is null or endpoint_checked_at <= ${plusDays(now, -CHECK_DAYS)}::timestamptz)`,
        order: 'id',
        limit: BATCH,
        set: sql`endpoint_checked_at = ${now}::timestamptz`,
        returning: sql<{ id: string; account_id: string }>`id, account_id`,
      },
      left,
    );
    for (const { id, account_id } of rows)
      if (await failures.attempt({ account_id, connection_id: id }, () => repairOf(services, account_id, id))) repaired += 1;
    if (!mayBeMore) break;
  }
  left.throwCause();
  failures.throwFirst();
  return repaired;
}

async function repairOf(services: Services, accountId: string, id: string): Promise<boolean> {
  const ctx = systemContext(services, accountId, 'check of the endpoint');
  try {
    const connection = await findConnection(ctx.db, accountId, id);
    if (connection === null) return false;
    const { endpoint_id } = connection;
    const { access } = await open(services, connection);
    if (endpoint_id === null || !(await access.ensureEndpoint(endpoint_id))) return false;
    services.log.warn({ account_id: accountId, endpoint_id }, 'repaired the endpoint at the payment provider');
    return true;
  } catch (err) {
    if (!(err instanceof PspError || err instanceof DomainError)) throw err;
    services.log.warn({ err, account_id: accountId }, 'could not check the endpoint at the payment provider');
    return false;
  }
}
