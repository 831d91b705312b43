/** The custom data of the checkouts of orders. Only deliveries state them, so they are kept for later reads. */
import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import type { CustomData } from '../port/whole-payment.ts';
import type { LemonSqueezyEvent } from './tell.ts';

/** A referral of an order. Erasures know its fields (`erasePieces`). */
interface Piece {
  at: Instant;
  fact: {
    kind: 'custom_data';
    customer: { customerId: string | null; externalId: string | null; email: null; name: null };
    namedReferral: string | null;
    excluded: boolean;
  };
}

/** Keeps the custom data of an event with its order, and returns everything that is known of it, in whatever order it came. */
export async function keepCustomData(ctx: WriteCtx, connectionId: string, event: LemonSqueezyEvent): Promise<CustomData> {
  ctx.locks.assertHeld('psp events');
  const { mode, custom, payer, read, occurredAt } = event;
  const { orderId, order, invoices } = read!.payment;
  const livemode = mode === 'live';
  const named = [`order:${orderId}`];
  const { rows } = await sql<{ id: number; names: string[]; pieces: Piece[]; version: number }>`
    select id, names, pieces, version from payment_pieces
    where connection_id = ${connectionId} and livemode = ${livemode} and names && ${named}::text[]`.execute(ctx.db);
  const [known] = rows;
  const customer = { customerId: payer?.id ?? null, externalId: custom.externalId, email: null, name: null };
  const isSaid = custom.referrals.length > 0 || custom.externalId !== null || custom.excluded;
  const said = (custom.referrals.length > 0 ? custom.referrals : [null]).map((namedReferral): Piece => {
    const fact = { kind: 'custom_data' as const, customer, namedReferral, excluded: custom.excluded };
    return { at: toInstant(occurredAt), fact };
  });
  const before = known?.pieces ?? [];
  const isKnown = ({ fact }: Piece) => before.some((each) => key(each.fact) === key(fact));
  const added = isSaid ? said.filter((each) => !isKnown(each)) : [];
  const all = [...before, ...added];
  if (added.length > 0) {
    const names = [...new Set([...(known?.names ?? named), ...(order ? [] : invoices.map(({ id }) => `subinv:${id}`))])];
    const kept = { names, pieces: JSON.stringify(all), version: (known?.version ?? 0) + 1, charged: true, updated_at: ctx.now };
    const write = known
      ? ctx.db.updateTable('payment_pieces').set(kept).where('id', '=', known.id)
      : ctx.db
          .insertInto('payment_pieces')
          .values({ ...kept, account_id: ctx.accountId, connection_id: connectionId, livemode, created_at: ctx.now });
    await write.execute();
  }
  return {
    referrals: [...new Set(all.flatMap(({ fact }) => fact.namedReferral ?? []))].toSorted(),
    externalId: all.flatMap(({ fact }) => fact.customer.externalId ?? []).toSorted()[0] ?? null,
    excluded: all.some(({ fact }) => fact.excluded),
  };
}

/** Objects from the database have their fields in another order. */
function key({ customer, namedReferral, excluded }: Piece['fact']): string {
  return JSON.stringify([customer.customerId, customer.externalId, namedReferral, excluded]);
}
