import { canonicalJson } from '../../../platform/idempotency/key-rules.ts';
import { type Instant, toInstant } from '../../../platform/time/instant.ts';
import { NAMES } from '../values/names.ts';
import type { PaymentReference, ProviderFact } from '../values/provider-event.ts';

/** A value as it is stored: times are texts. */
type Stored<Value> = Value extends Date
  ? Instant
  : Value extends readonly (infer Each)[]
    ? Stored<Each>[]
    : Value extends object
      ? { [Name in keyof Value]: Stored<Value[Name]> }
      : Value;

type PaymentFact = Exclude<ProviderFact, { kind: 'customer_changed' | 'promotion_code_updated' | 'ignored' | 'unreadable' }>;

/** A fact about payments, as one event told it. */
export interface Piece<Fact = PaymentFact> {
  /** Time at which the fact happened. */
  at: Instant;
  fact: Stored<Fact>;
}

export type StoredFact<Kind extends PaymentFact['kind']> = Stored<Extract<PaymentFact, { kind: Kind }>>;

/**
 * Returns the pieces of a fact. None if the fact names no payment. The checkout by which the subscription of an invoice began is a piece of its own,
 * completed when the invoice was paid.
 */
export function piecesOf(fact: ProviderFact, occurredAt: Date): Piece[] {
  switch (fact.kind) {
    case 'customer_changed':
    case 'promotion_code_updated':
    case 'ignored':
    case 'unreadable':
      return [];
    case 'invoice_paid':
      return [
        ...(fact.checkout === null ? [] : piecesOf(fact.checkout, fact.paidAt)),
        pieceOf({ ...fact, checkout: null }, occurredAt),
      ];
    default: {
      const piece = pieceOf(fact, occurredAt);
      return namesOf(piece).length === 0 ? [] : [piece];
    }
  }
}

function pieceOf(fact: PaymentFact, occurredAt: Date): Piece {
  return JSON.parse(JSON.stringify({ at: toInstant(occurredAt), fact })) as Piece;
}

/** Returns the ids that a piece names, by the payments that have them. */
export function paymentsNamedBy({ fact }: Piece): PaymentReference[] {
  if (fact.kind === 'credit_note_changed') return [{ chargeId: null, paymentIntentId: null, invoiceId: fact.invoiceId }];
  if (fact.kind !== 'invoice_paid') return [fact.payment];
  const { invoiceId } = fact;
  const paid = (fact.payments ?? []).map(({ chargeId, paymentIntentId }) => ({ chargeId, paymentIntentId, invoiceId }));
  return [...paid, { chargeId: null, paymentIntentId: null, invoiceId }];
}

/** Returns the names of a payment itself. */
export function ownNames({ chargeId, paymentIntentId }: PaymentReference): string[] {
  return [...(chargeId ? [NAMES.charge(chargeId)] : []), ...(paymentIntentId ? [NAMES.paymentIntent(paymentIntentId)] : [])];
}

/** Returns all names in a piece. Pieces with a common name belong together. */
export function namesOf(piece: Piece): string[] {
  const named = paymentsNamedBy(piece);
  const invoices = named.flatMap(({ invoiceId }) => (invoiceId ? [NAMES.invoice(invoiceId)] : []));
  return [...new Set([...named.flatMap(ownNames), ...invoices])];
}

/** Returns the set of the pieces in an order that depends on nothing but the pieces: by time, then by content. */
export function inOrder(pieces: readonly Piece[]): Piece[] {
  const byText = new Map(pieces.map((piece) => [`${piece.at} ${canonicalJson(piece.fact)}`, piece]));
  return [...byText].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, piece]) => piece);
}
