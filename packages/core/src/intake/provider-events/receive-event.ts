import { PromoCode, withObservation } from '../../codes/promo-codes/promo-code.entity.ts';
import type { Ctx, Services, WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock } from '../../platform/call/locks.ts';
import { lockAll, save } from '../../platform/call/records.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { type Instant, plusMilliseconds } from '../../platform/time/instant.ts';
import type { OutsidePayments } from '../../sources/connections/connection.entity.ts';
import {
  type Connected,
  findConnectionOfDelivery,
  open,
  type OpenConnection,
  sourceOf,
  validSecrets,
} from '../../sources/connections/open-connection.ts';
import { learnKeyExpiry } from '../../sources/connections/tell-of-key.ts';
import { type Delivery, isOwnMode, type SourceEvent, type Trust } from '../../sources/port/port.ts';
import { InvalidPspEventError, MalformedPspEventError, PspError, pspFailure } from '../../sources/port/psp-error.ts';
import type { CodeSeen, Seen } from '../../sources/port/seen.ts';
import { findPspConnection } from '../../sources/psp-wire.ts';
import { learnPayer, learnSubscription } from '../payments/learn-payer.ts';
import { settle } from '../payments/settle.ts';
import { INTAKE_REASONS } from '../reasons.ts';
import { ATTEMPT_LEASE_MS, COMPLETION_MS, isEvent, isIncomplete, recordFailure } from './psp-event.ts';
import { problemOf, type Received, type Stored, storeEvents, withoutErased } from './store-events.ts';

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
 * `pending`: the worker applies the event later, e.g. because the provider's records of it are not complete yet. `duplicate`: the event was processed or
 * ignored before. `ignored`: the service does not use events of this kind, or keeps the event
 * because it is unreadable or in another mode (live or test) than the connection.
 */
export type EventOutcome = 'processed' | Stored['state'];

/** A fact of a merchant's own server. `valid`: the answer to a trial, which stores nothing. */
interface AcceptedFact {
  id: string;
  type: string;
  outcome: Stored['state'] | 'valid';
}

/** The facts of a delivery of a merchant's own server, in their order. */
export interface AcceptedFacts {
  facts: AcceptedFact[];
  isTrial: boolean;
}

/**
 * Verifies a delivery, stores its event and applies it. If applying fails, the event stays stored and the provider gets an error response,
 * so that it delivers the event again. The worker tries again, too. Facts of a merchant's own server are accepted once all of them are stored, and the
 * worker applies them.
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
  if (events.length === 0) return 'ignored';
  const [first] = events;
  if (isTrial === null) return processEvent(ctx, await open(services, connection), { event: first!, trust });
  const facts = events.map(({ id, type }): AcceptedFact => ({ id, type, outcome: 'valid' }));
  if (isTrial) return { facts, isTrial };
  const receiver = { ...connection, source: sourceOf(services, connection) };
  const received = events.map((event) => ({ event, trust }));
  for (const [place, { state }] of (await storeEvents(ctx, receiver, received, ctx.now)).entries()) facts[place]!.outcome = state;
  services.jobs.send('provider_events');
  return { facts, isTrial };
}

/**
 * Stores an event that is known to come from the provider, and applies it. An event that comes more than once is applied once. Throws
 * PSP_ERROR.
 */
export async function processEvent(ctx: Ctx, connection: OpenConnection, received: Received): Promise<EventOutcome> {
  // If this process dies, the worker processes the event after this time.
  const [stored] = await storeEvents(ctx, connection, [received], plusMilliseconds(ctx.now, ATTEMPT_LEASE_MS));
  const { state, receivedAt } = stored!;
  return state === 'pending' ? applyEvent(ctx, connection, received, receivedAt) : state;
}

/** Applies an event that was stored at a time and is pending. Throws PSP_ERROR. */
export function processPending(
  ctx: Ctx,
  connection: OpenConnection,
  received: Received,
  receivedAt: Instant,
): Promise<EventOutcome> {
  const { event } = received;
  // The connection may have changed since.
  const isTaken = !event.isUnused && problemOf(event, connection) === null;
  return isTaken ? applyEvent(ctx, connection, received, receivedAt) : processEvent(ctx, connection, received);
}

async function applyEvent(
  ctx: Ctx,
  connection: OpenConnection,
  { event, trust }: Received,
  receivedAt: Instant,
): Promise<EventOutcome> {
  const { source, access } = connection;
  try {
    const hasWaited = ctx.now >= plusMilliseconds(receivedAt, COMPLETION_MS);
    const known = trust === 'full' ? event : ((await access.look?.(event)) ?? event);
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
      const [told] = await withoutErased(tx, connection, [complete]);
      for (const seen of await source.tell(tx, connection.id, told!))
        await takeSeen(tx, told === complete ? seen : withoutNames(seen), connection.outsidePayments);
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

/** The content of a delivery: one event of a provider, none for a delivery that only checks the address, or facts of a merchant's own server, for which `isTrial` is not null. */
interface Verified {
  trust: Trust;
  events: SourceEvent[];
  isTrial: boolean | null;
}

async function verify({ services }: Ctx, connection: Connected, { readBody, header }: PspDelivery): Promise<Verified> {
  const source = sourceOf(services, connection);
  const rawBody = await readBody();
  if (source.isPing?.({ rawBody, header })) return { trust: 'hint', events: [], isTrial: null };
  try {
    const trust = await source.verify({ rawBody, header }, validSecrets(services, connection), services.clock.now());
    const body = new TextDecoder().decode(rawBody);
    const { payloads, isTrial } = source.split?.(body) ?? { payloads: [body], isTrial: null };
    return { trust, events: payloads.map((payload) => source.read(payload, connection.mode, connection.settings)), isTrial };
  } catch (error) {
    if (error instanceof MalformedPspEventError) throw new DomainError('MALFORMED_JSON', INTAKE_REASONS.no_event);
    throw error instanceof InvalidPspEventError ? invalidSignature() : error;
  }
}

function invalidSignature(): DomainError {
  return new DomainError('INVALID_SIGNATURE');
}

/**
 * Applies what a source knows (docs/rules/intake.md#provider-events). Sources may tell in any order and more than once; the result is the same.
 *
 * @param outside what a payment outside the provider earns
 */
async function takeSeen(ctx: WriteCtx, seen: Seen, outside: OutsidePayments): Promise<void> {
  return ctx.locks.subject(seen.kind, async () => {
    switch (seen.kind) {
      case 'payment':
        await settle(ctx, seen, { outside });
        return;
      case 'payer':
        return learnPayer(ctx, seen);
      case 'subscription':
        return learnSubscription(ctx, seen);
      case 'code':
        return learnCode(ctx, seen);
      case 'key expiry':
        return learnKeyExpiry(ctx, seen);
    }
  });
}

/** Returns what a source knows without name and addresses of the payer, who is erased. */
function withoutNames(seen: Seen): Seen {
  if (!('payer' in seen)) return seen;
  return { ...seen, payer: { ...seen.payer, email: null, name: null }, ...(seen.kind === 'payer' && { formerEmail: null }) };
}

async function learnCode(ctx: WriteCtx, { code: seen, at }: CodeSeen): Promise<void> {
  const codes = ctx.db
    .selectFrom('promo_code')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where('livemode', '=', isOwnMode(ctx.accountId, seen.mode))
    .where('psp_promotion_code_id', '=', seen.id);
  const [code] = await lockAll(ctx, PromoCode, codes);
  if (code) save(ctx, PromoCode, code, withObservation(code, seen, at));
}
