import type { Ctx, Services } from '../../platform/call/context.ts';
import { advisoryLock } from '../../platform/call/locks.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import {
  type Connected,
  findConnectionOfDelivery,
  open,
  type OpenConnection,
  sourceOf,
  validSecrets,
} from '../../sources/connections/open-connection.ts';
import { isOwnMode } from '../../sources/connections/own-mode.ts';
import { pspFailure } from '../../sources/connections/psp-failure.ts';
import type { Delivery, IgnoreReason, SourceEvent, Trust } from '../../sources/port/port.ts';
import { InvalidPspEventError, MalformedPspEventError, PspError } from '../../sources/port/psp-error.ts';
import { findPspConnection } from '../../sources/psp-wire.ts';
import { takeSeen } from '../payments/take-seen.ts';
import { withoutErased } from './erased-events.ts';
import { ATTEMPT_LEASE_MS, COMPLETION_MS, isIncomplete, recordFailure } from './event-attempts.ts';
import { isEvent } from './psp-event.tables.ts';

/** A delivery of a payment provider. */
export interface PspDelivery {
  /** The connection at whose address it arrived, or the account at whose former address `/psp/webhooks/<account_id>` it arrived. */
  to: { connectionId: string } | { accountId: string };
  /** Reads the body byte for byte, because the signature covers bytes. Not called for an account without a connection. */
  readBody: () => Promise<Uint8Array>;
  header: Delivery['header'];
  requestId: string;
}

/**
 * `pending`: the provider's records of the event are not complete yet, so the worker tries it later. `duplicate`: the event was processed or
 * ignored before. `ignored`: the service does not use events of this kind, or keeps the event
 * because it is unreadable or in another mode (live or test) than the connection.
 */
export type EventOutcome = 'processed' | 'pending' | 'duplicate' | 'ignored';

/** A fact of a merchant's own server. `valid`: the answer to a trial, which stores nothing. */
interface AcceptedFact {
  id: string;
  type: string;
  outcome: EventOutcome | 'valid';
}

/** The facts of a delivery of a merchant's own server, in their order. */
export interface AcceptedFacts {
  facts: AcceptedFact[];
  isTrial: boolean;
}

/**
 * Verifies a delivery, stores its event and applies it. If applying fails, the event stays stored and the provider gets an error response,
 * so that it delivers the event again. The worker tries again, too. Facts of a merchant's own server are accepted once all of them are stored, so that
 * those that cannot be applied yet are pending.
 *
 * @throws INVALID_SIGNATURE, including for an account that has no connection or does not exist, so that the sender learns nothing;
 * MALFORMED_JSON for a signed body that is not an event; VALIDATION_ERROR for a fact that is not valid; PSP_ERROR when the provider has to be queried
 * and cannot be reached
 */
export async function receivePspEvent(services: Services, delivery: PspDelivery): Promise<EventOutcome | AcceptedFacts> {
  const connection = await findReceiver(services, delivery);
  if (connection === null) throw invalidSignature();
  const ctx = systemContext(services, connection.account_id, delivery.requestId);
  const { trust, events, isTrial } = await verify(ctx, connection, delivery);
  const [first] = events;
  if (isTrial === null) return processEvent(ctx, await open(services, connection), { event: first!, trust });
  const facts = events.map(({ id, type }): AcceptedFact => ({ id, type, outcome: 'valid' }));
  if (isTrial) return { facts, isTrial };
  const opened = await open(services, connection);
  // All of them are stored before one is applied, so that they are accepted together.
  const stored: Stored[] = [];
  for (const event of events) stored.push(await store(ctx, opened, { event, trust }));
  for (const [place, event] of events.entries())
    facts[place]!.outcome = await outcomeOf(ctx, opened, { event, trust }, stored[place]!);
  return { facts, isTrial };
}

/** Applies a stored fact. One that cannot be applied stays pending, and the worker tries it again. */
async function outcomeOf(ctx: Ctx, connection: OpenConnection, received: Received, stored: Stored): Promise<EventOutcome> {
  try {
    return await applyStored(ctx, connection, received, stored);
  } catch {
    // The failure has been recorded with the event.
    return 'pending';
  }
}

/**
 * Stores an event that is known to come from the provider, and applies it. An event that comes more than once is applied once. Throws
 * PSP_ERROR.
 */
export async function processEvent(ctx: Ctx, connection: OpenConnection, received: Received): Promise<EventOutcome> {
  return applyStored(ctx, connection, received, await store(ctx, connection, received));
}

async function applyStored(
  ctx: Ctx,
  connection: OpenConnection,
  { event, trust }: Received,
  { state, receivedAt }: Stored,
): Promise<EventOutcome> {
  const { source, access } = connection;
  if (state !== 'pending') return state;
  try {
    const hasWaited = ctx.now >= plusMilliseconds(receivedAt, COMPLETION_MS);
    const known = trust === 'full' ? event : await access.look(event);
    const { clock } = ctx.services;
    const { id: connectionId, mode } = connection;
    const scope = { db: ctx.db, accountId: ctx.accountId, connectionId, mode, now: () => clock.now() };
    const complete = await access.complete(scope, known, hasWaited);
    return await inTransaction(ctx, async (tx) => {
      await advisoryLock(tx, 'psp events');
      const claimed = await tx.db
        .updateTable('psp_event')
        .set({ state: 'processed', problem: null, processed_at: ctx.now })
        .where(isEvent(ctx, connection.id, event.id))
        .where('state', '=', 'pending')
        .executeTakeFirst();
      if (claimed.numUpdatedRows === 0n) return 'duplicate';
      // Under the lock, so that an erasure either has been committed or waits for this event.
      for (const seen of await source.tell(tx, connection.id, await withoutErased(tx, connection, complete)))
        await takeSeen(tx, seen, connection.outsidePayments);
      if (connection.writesBack) tx.afterCommit(() => tx.services.jobs.send('psp_metadata'));
      return 'processed';
    });
  } catch (error) {
    await recordFailure(ctx, { connectionId: connection.id, id: event.id, type: event.type }, error);
    if (isIncomplete(error)) return 'pending';
    throw error instanceof PspError ? pspFailure(error) : error;
  }
}

/** Finds the connection to which a delivery was sent. */
function findReceiver({ database }: Services, { to }: PspDelivery): Promise<Connected | null> {
  return 'accountId' in to
    ? findPspConnection(database.kysely, to.accountId)
    : findConnectionOfDelivery(database.kysely, to.connectionId);
}

/** The content of a delivery: one event of a provider, or facts of a merchant's own server, for which `isTrial` is not null. */
interface Verified {
  trust: Trust;
  events: SourceEvent[];
  isTrial: boolean | null;
}

async function verify({ services }: Ctx, connection: Connected, { readBody, header }: PspDelivery): Promise<Verified> {
  const source = sourceOf(services, connection);
  const rawBody = await readBody();
  try {
    const trust = await source.verify({ rawBody, header }, validSecrets(services, connection), services.clock.now());
    const body = new TextDecoder().decode(rawBody);
    const { payloads, isTrial } = source.split?.(body) ?? { payloads: [body], isTrial: null };
    return { trust, events: payloads.map((payload) => source.read(payload, connection.settings, connection.mode)), isTrial };
  } catch (error) {
    if (error instanceof MalformedPspEventError)
      throw new DomainError('MALFORMED_JSON', 'The signature is valid, but the body is not an event of the payment provider.');
    throw error instanceof InvalidPspEventError ? invalidSignature() : error;
  }
}

/** An event that was received, and how far it is trusted. */
export interface Received {
  event: SourceEvent;
  trust: Trust;
}

/** Reads a stored event again. */
export function reread(
  { source, settings, mode }: OpenConnection,
  { is_hint, payload }: { is_hint: boolean; payload: string },
): Received {
  return { trust: is_hint ? 'hint' : 'full', event: source.read(payload, settings, mode) };
}

/** The stored part of an event, and the time at which the event was first received. Only an event in state `pending` still has to be processed. */
interface Stored {
  state: 'pending' | 'ignored' | 'duplicate';
  receivedAt: Instant;
}

/** Stores the event, or finds the stored one. A kept event whose reason no longer holds becomes pending. */
async function store(ctx: Ctx, connection: OpenConnection, { event, trust }: Received): Promise<Stored> {
  const { db, accountId, now, services, requestId } = ctx;
  const problem = problemOf(event, connection);
  const ignored = problem !== null || event.isUnused;
  const values = {
    state: ignored ? ('ignored' as const) : ('pending' as const),
    problem,
    // If this process dies, the worker processes the event after this time.
    next_attempt_at: ignored ? null : plusMilliseconds(now, ATTEMPT_LEASE_MS),
    processed_at: ignored ? now : null,
  };
  if (problem !== null) {
    services.log.warn(
      { account_id: accountId, psp_event_id: event.id, type: event.type, request_id: requestId, problem },
      'an event of the payment provider was kept without an effect',
    );
  }
  const inserted = await db
    .insertInto('psp_event')
    .values({
      ...values,
      account_id: accountId,
      connection_id: connection.id,
      psp_event_id: event.id,
      is_hint: trust === 'hint',
      livemode: isOwnMode(accountId, event.mode),
      type: event.type,
      occurred_at: toInstant(event.occurredAt),
      payload: JSON.stringify((await withoutErased(ctx, connection, event)).payload),
      received_at: now,
      gave_up_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('state')
    .executeTakeFirst();
  if (inserted) return { state: inserted.state === 'pending' ? 'pending' : 'ignored', receivedAt: now };
  const known = await db
    .selectFrom('psp_event')
    .select(['state', 'problem', 'received_at'])
    .where(isEvent(ctx, connection.id, event.id))
    .executeTakeFirstOrThrow();
  const isKept = known.state === 'ignored' && known.problem !== null;
  // A pending event is kept if the account was connected in the other mode since, and a kept event is processed once it can be.
  if (known.state === 'pending' ? ignored : isKept && problem === null) {
    await db
      .updateTable('psp_event')
      .set({ ...values, gave_up_at: null })
      .where(isEvent(ctx, connection.id, event.id))
      .where('state', '=', known.state)
      .execute();
    return { state: values.state, receivedAt: known.received_at };
  }
  return { state: known.state === 'pending' ? 'pending' : 'duplicate', receivedAt: known.received_at };
}

/**
 * Returns the reason why an event is kept without an effect, or null. An event whose mode (live or test) differs from the connection's is
 * not applied, because live and test records never mix. An event that contains nothing of use has no such reason.
 */
function problemOf(event: SourceEvent, connection: OpenConnection): IgnoreReason | null {
  if (event.isUnused) return null;
  const { mode, source } = connection;
  // A live account takes the test events of a source whose events state their mode. A test account takes no live ones.
  const isTaken = event.mode === mode || (source.statesMode === true && mode === 'live');
  if (!isTaken) return 'The event and the connection are in different modes (live and test).';
  return event.problem;
}

function invalidSignature(): DomainError {
  return new DomainError('INVALID_SIGNATURE');
}
