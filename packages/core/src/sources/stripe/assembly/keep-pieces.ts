import { post } from '@affiliate/postgres';
import { type RawBuilder, sql, type Generated } from 'kysely';
import type { WriteCtx } from '../../../platform/call/context.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Instant } from '../../../platform/time/instant.ts';
import { ID_PREFIXES } from '../../../platform/wire/ids.ts';
import type { Sought } from '../../../program/erasures/personal-data.ts';
import type { ProviderMode } from '../../port/port.ts';
import type { Choices } from '../values/provider-event.ts';
import { type Assembled, assemble } from './assemble.ts';
import { inOrder, namesOf, type Piece } from './piece.ts';

declare module '../../../platform/db/tables.ts' {
  interface Tables {
    payment_pieces: PaymentPiecesTable;
  }
}

/** Pieces of payments that belong together, because they have names in common (`piece.ts`). */
interface PaymentPiecesTable {
  id: Generated<number>;
  account_id: string;
  connection_id: string;
  livemode: boolean;
  names: string[];
  pieces: unknown;
  /** Grows with each new piece. */
  version: number;
  /** True if something was charged. Pieces without a charge are purged. */
  charged: boolean;
  created_at: Instant;
  updated_at: Instant;
}

/** The origin of pieces. The provider keeps live and test records apart. */
export interface PiecesOf {
  connectionId: string;
  mode: ProviderMode;
}

interface Kept {
  id: number;
  names: string[];
  pieces: Piece[];
  version: number;
}

/** Payments that were put together, and how often their pieces have changed. */
interface PaymentsOfPieces {
  version: number;
  payments: Assembled[];
}

/** Keeps pieces of one event with those that belong to them, and puts their payments together. Pieces that are known already change nothing. */
export async function keepPieces(ctx: WriteCtx, of: PiecesOf & Choices, told: readonly Piece[]): Promise<PaymentsOfPieces> {
  ctx.locks.assertHeld('psp events');
  const { rows } = await sql<Kept>`
    select id, names, pieces, version from payment_pieces where ${isNamed(of, told.flatMap(namesOf))} order by id`.execute(
    ctx.db,
  );
  const [first, ...others] = rows;
  const before = rows.flatMap(({ pieces }) => pieces);
  const pieces = inOrder([...before, ...told]);
  const payments = assemble(pieces, of);
  if (first && others.length === 0 && pieces.length === before.length) return { version: first.version, payments };
  const version = rows.reduce((most, each) => Math.max(most, each.version), 0) + 1;
  const kept = {
    names: [...new Set(pieces.flatMap(namesOf))],
    pieces: JSON.stringify(pieces),
    version,
    charged: payments.some(({ charged }) => charged !== null),
    updated_at: ctx.now,
  };
  const { accountId: account_id, now: created_at, db } = ctx;
  const { connectionId: connection_id, mode } = of;
  if (others.length > 0) {
    const ids = others.map(({ id }) => id);
    post(db, db.deleteFrom('payment_pieces').where('id', 'in', ids).compile());
  }
  const write = first
    ? db.updateTable('payment_pieces').set(kept).where('id', '=', first.id)
    : db.insertInto('payment_pieces').values({ ...kept, account_id, connection_id, livemode: mode === 'live', created_at });
  post(db, write.compile());
  return { version, payments };
}

/** SQL condition: the pieces have one of the names. */
function isNamed({ connectionId, mode }: PiecesOf, names: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`(connection_id = ${connectionId} and livemode = ${mode === 'live'} and names && ${[...new Set(names)]}::text[])`;
}

/** Returns the known names of the payment or invoice with a name, among them those that belong to it. */
export async function findNames(db: Db, of: PiecesOf, name: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select unnest(names) as name from payment_pieces where ${isNamed(of, [name])}`.execute(db);
  return rows.map((row) => row.name);
}

/** True if a checkout of the payment or invoice with a name is known. */
export async function isCheckoutKnown(db: Db, of: PiecesOf, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from payment_pieces
    where ${isNamed(of, [name])} and pieces @> '[{"fact": {"kind": "checkout_completed"}}]'`.execute(db);
  return rows.length > 0;
}

/**
 * Removes a person's name and addresses from pieces, and references that may be about the person, under the lock on the events.
 *
 * @param which SQL condition on `payment_pieces`: the pieces to search
 * @param isOfPerson true if all of these pieces are about the person
 */
export async function erasePieces(
  { db, accountId, locks }: Pick<WriteCtx, 'db' | 'accountId' | 'locks'>,
  which: RawBuilder<unknown>,
  { addresses, ids, ownIds }: Sought,
  isOfPerson: boolean,
): Promise<void> {
  locks.assertHeld('psp events');
  const { rows } = await sql<Kept>`
    select id, pieces from payment_pieces where account_id = ${accountId} and ${which}`.execute(db);
  for (const { id, pieces } of rows) {
    const erased = pieces.map((piece) => {
      if (!('customer' in piece.fact)) return piece;
      const { customer } = piece.fact;
      const isPerson =
        isOfPerson ||
        addresses.includes(customer.email?.toLowerCase() ?? '') ||
        ids.includes(customer.customerId ?? '') ||
        ownIds.includes(customer.externalId ?? '');
      return isPerson ? { ...piece, fact: withoutPerson(piece.fact) } : piece;
    });
    await sql`update payment_pieces set pieces = ${JSON.stringify(erased)}::jsonb where id = ${id}`.execute(db);
  }
}

function withoutPerson<Fact extends Extract<Piece['fact'], { customer: object }>>(fact: Fact): Fact {
  const isReferral = (value: string | null | undefined) => value?.startsWith(`${ID_PREFIXES.referral}_`) === true;
  return {
    ...fact,
    customer: { ...fact.customer, email: null, name: null },
    ...('namedReferral' in fact && !isReferral(fact.namedReferral) && { namedReferral: null }),
    ...('clientReferenceId' in fact && !isReferral(fact.clientReferenceId) && { clientReferenceId: null }),
  };
}
