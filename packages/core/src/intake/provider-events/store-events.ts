import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import type { Identity } from '../../program/customer-identities/customer-identity.ts';
import { identitiesOf } from '../../program/customers/customer.service.ts';
import { areOfErased, noneErased } from '../../program/erasures/erased-identities.ts';
import { withoutPerson } from '../../program/erasures/personal-data.ts';
import type { OpenConnection } from '../../sources/connections/open-connection.ts';
import { type IgnoreReason, isOwnMode, type Source, type SourceEvent, type Trust } from '../../sources/port/port.ts';
import { IGNORED } from '../../sources/port/reasons.ts';
import { payerId } from '../sales/facts-of-payment.ts';
import { isEvent } from './psp-event.ts';

/** An event that was received, and how far it is trusted. */
export interface Received {
  event: SourceEvent;
  trust: Trust;
}

/** The part of a connection by which its events are read and stored. */
export type Receiver = Pick<OpenConnection, 'id' | 'source' | 'mode' | 'settings'>;

/** The stored part of an event, and the time at which the event was first received. Only an event in state `pending` still has to be processed. */
export interface Stored {
  state: 'pending' | 'ignored' | 'duplicate';
  receivedAt: Instant;
}

/** Reads a stored event again. */
export function reread(
  { source, settings, mode }: Receiver,
  { is_hint, payload }: { is_hint: boolean; payload: string },
): Received {
  return { trust: is_hint ? 'hint' : 'full', event: source.read(payload, mode, settings) };
}

/**
 * Stores the events of a delivery with one statement, or finds the stored ones. A kept event whose reason no longer holds becomes pending. An event that
 * comes twice in the delivery is a duplicate.
 *
 * @param dueAt time from which the worker processes the events
 */
export async function storeEvents(
  ctx: Ctx,
  connection: Receiver,
  received: readonly Received[],
  dueAt: Instant,
): Promise<Stored[]> {
  const rows = rowsOf(ctx, connection, received, dueAt);
  for (const { psp_event_id, type, problem } of rows.values()) {
    if (problem === null) continue;
    const fields = { account_id: ctx.accountId, psp_event_id, type, request_id: ctx.requestId, problem };
    ctx.services.log.warn(fields, 'an event of the payment provider was kept without an effect');
  }
  const identities = received.flatMap(({ event }) => identitiesIn(connection, event));
  const inserted = await insert(ctx, connection, [...rows.values()], noneErased(ctx.accountId, identities));
  const known = inserted.size === rows.size ? new Map<string, Stored>() : await storeFurther(ctx, connection, received, dueAt);
  return received.map(({ event: { id } }, place) => {
    const { state } = rows.get(id)!;
    const before = (inserted.has(id) ? undefined : known.get(id)) ?? { state, receivedAt: ctx.now };
    const isFirst = received.findIndex(({ event }) => event.id === id) === place;
    return isFirst ? before : { ...before, state: 'duplicate' };
  });
}

/** The columns that an event has when it is stored, apart from those of the delivery. */
interface Row {
  psp_event_id: string;
  is_hint: boolean;
  livemode: boolean;
  type: string;
  occurred_at: Instant;
  payload: string;
  state: 'pending' | 'ignored';
  problem: string | null;
  next_attempt_at: Instant | null;
  processed_at: Instant | null;
}

function rowsOf(ctx: Ctx, connection: Receiver, received: readonly Received[], dueAt: Instant): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const each of received) if (!rows.has(each.event.id)) rows.set(each.event.id, rowOf(ctx, connection, each, dueAt));
  return rows;
}

/** Stores events some of which are stored already, or may be about an erased customer. Returns the states of those that had been stored before. */
async function storeFurther(
  ctx: Ctx,
  connection: Receiver,
  received: readonly Received[],
  dueAt: Instant,
): Promise<Map<string, Stored>> {
  const events = await withoutErased(
    ctx,
    connection,
    received.map(({ event }) => event),
  );
  const told = received.map(({ trust }, place) => ({ trust, event: events[place]! }));
  const rows = rowsOf(ctx, connection, told, dueAt);
  return storedBefore(ctx, connection, await insert(ctx, connection, [...rows.values()], sql`true`), rows);
}

function rowOf(ctx: Ctx, connection: Receiver, { event, trust }: Received, dueAt: Instant): Row {
  const { accountId, now } = ctx;
  const problem = problemOf(event, connection);
  const ignored = problem !== null || event.isUnused;
  return {
    psp_event_id: event.id,
    is_hint: trust === 'hint',
    livemode: isOwnMode(accountId, event.mode),
    type: event.type,
    occurred_at: toInstant(event.occurredAt),
    payload: JSON.stringify(event.payload),
    state: ignored ? 'ignored' : 'pending',
    problem: problem?.stored ?? null,
    next_attempt_at: ignored ? null : dueAt,
    processed_at: ignored ? now : null,
  };
}

/** Inserts the rows of events that are not stored yet, if a condition holds. Returns the ids of these events. */
async function insert(
  { db, accountId, now }: Ctx,
  { id }: Receiver,
  rows: readonly Row[],
  condition: RawBuilder<boolean>,
): Promise<ReadonlySet<string>> {
  // Sorted, because two deliveries with the same events wait for each other in another order.
  const sorted = rows.toSorted((a, b) => (a.psp_event_id < b.psp_event_id ? -1 : 1));
  const column = <Name extends keyof Row>(name: Name) => sorted.map((row) => row[name]);
  const { rows: inserted } = await sql<{ psp_event_id: string }>`
    insert into psp_event (account_id, connection_id, received_at, psp_event_id, is_hint, livemode, type, occurred_at, payload, state,
      problem, next_attempt_at, processed_at)
    select ${accountId}, ${id}, ${now}::timestamptz, *
    from unnest(${column('psp_event_id')}::text[], ${column('is_hint')}::boolean[], ${column('livemode')}::boolean[],
      ${column('type')}::text[], ${column('occurred_at')}::timestamptz[], ${column('payload')}::text[], ${column('state')}::text[],
      ${column('problem')}::text[], ${column('next_attempt_at')}::timestamptz[], ${column('processed_at')}::timestamptz[])
    where ${condition}
    on conflict do nothing returning psp_event_id`.execute(db);
  return new Set(inserted.map(({ psp_event_id }) => psp_event_id));
}

/** Returns the states of the events that had been stored before. */
async function storedBefore(
  ctx: Ctx,
  { id: connectionId }: Receiver,
  inserted: ReadonlySet<string>,
  rows: ReadonlyMap<string, Row>,
): Promise<Map<string, Stored>> {
  const ids = [...rows.keys()].filter((id) => !inserted.has(id));
  if (ids.length === 0) return new Map();
  const known = await ctx.db
    .selectFrom('psp_event')
    .select(['psp_event_id', 'state', 'problem', 'received_at'])
    .where('account_id', '=', ctx.accountId)
    .where('connection_id', '=', connectionId)
    .where(sql<boolean>`psp_event_id = any (${ids}::text[])`)
    .execute();
  const before = new Map<string, Stored>();
  for (const { psp_event_id: id, state, problem, received_at: receivedAt } of known) {
    const row = rows.get(id)!;
    const isKept = state === 'ignored' && problem !== null;
    // A pending event is kept if the account was connected in the other mode since, and a kept event is processed once it can be.
    const isChanged = state === 'pending' ? row.state === 'ignored' : isKept && row.problem === null;
    if (isChanged) {
      await ctx.db
        .updateTable('psp_event')
        .set({
          state: row.state,
          problem: row.problem,
          next_attempt_at: row.next_attempt_at,
          processed_at: row.processed_at,
          gave_up_at: null,
        })
        .where(isEvent(ctx, connectionId, id))
        .where('state', '=', state)
        .execute();
    }
    before.set(id, { state: isChanged ? row.state : state === 'pending' ? 'pending' : 'duplicate', receivedAt });
  }
  return before;
}

/**
 * Returns the reason why an event is kept without an effect, or null. An event whose mode (live or test) differs from the connection's is
 * not applied, because live and test records never mix. An event that contains nothing of use has no such reason.
 */
export function problemOf(event: SourceEvent, { mode, source }: Receiver): IgnoreReason | null {
  if (event.isUnused) return null;
  // A live account takes the test events of a source whose events state their mode. A test account takes no live ones.
  const isTaken = event.mode === mode || (source.statesMode === true && mode === 'live');
  if (!isTaken) return IGNORED.event_of_other_mode;
  return event.problem;
}

function identitiesIn({ id: connectionId, source }: { id: string; source: Source }, { payer }: SourceEvent): Identity[] {
  const { id = null, externalId, email, formerEmail } = payer ?? {};
  const ids = { ...payerId({ source: source.kind, connectionId }, id), external_customer_id: externalId };
  return identitiesOf({ email, formerEmail, ...ids });
}

/**
 * Returns events, without personal data if they are about an erased customer (docs/rules/privacy.md#events-about-erased-customers), whether they are
 * stored, are delivered again, or are read from the provider.
 */
export async function withoutErased(
  ctx: Pick<Ctx, 'db' | 'accountId'>,
  connection: { id: string; source: Source },
  events: readonly SourceEvent[],
): Promise<SourceEvent[]> {
  const facts = events.map((event) => ({
    identities: identitiesIn(connection, event),
    at: toInstant(event.occurredAt),
  }));
  const erased = await areOfErased(ctx, facts);
  return events.map((event, place) => (erased[place] ? withoutPayer(connection.source, event) : event));
}

function withoutPayer(source: Source, event: SourceEvent): SourceEvent {
  const { id, externalId, email, formerEmail } = event.payer!;
  const addresses = [email, formerEmail].filter((address) => address !== null).map((address) => address.toLowerCase());
  const sought = { addresses, ids: id === null ? [] : [id], ownIds: externalId === null ? [] : [externalId] };
  const payload = withoutPerson(event.payload, sought, true) as SourceEvent['payload'];
  return { ...(source.withoutPayer?.(event) ?? event), payer: { ...event.payer!, email: null, formerEmail: null }, payload };
}
