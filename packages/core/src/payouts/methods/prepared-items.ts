import { type RawBuilder, sql } from 'kysely';
import { eligiblePayouts } from '../../ledger/payouts/payout.queries.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import {
  methodVersions,
  openAddresses,
  type SealedAddresses,
  sealedAddresses,
} from '../../program/payout-methods/payout-addresses.ts';
import { type PayoutItem, receiverOf } from '../method/method.ts';

/** Rows that are read or inserted by one statement. */
export const CHUNK = 2_000;

/** A payout that may be paid, with the versions of the affiliate's addresses (`methodVersions`). */
export interface PreparedItem extends PayoutItem {
  method_versions: string | null;
}

/** Returns the ids of the eligible payouts of a mode, oldest first. With `among`, returns only ids from that list. */
export async function eligiblePayoutIds(ctx: Ctx, mode: { livemode: boolean }, among?: readonly string[]): Promise<string[]> {
  let query = eligiblePayouts(ctx, mode).select('payout.id');
  if (among) query = query.where('payout.id', '=', sql<string>`any (${among})`);
  const rows = await query.orderBy('payout.id').execute();
  return rows.map(({ id }) => id);
}

/** Loads payouts with their receivers as they are now, oldest payout first, in parts. */
export async function* preparedItems(ctx: Ctx, payoutIds: readonly string[]): AsyncGenerator<PreparedItem[]> {
  for (let start = 0; start < payoutIds.length; start += CHUNK) yield await itemsOf(ctx, payoutIds.slice(start, start + CHUNK));
}

async function itemsOf(ctx: Ctx, payoutIds: readonly string[]): Promise<PreparedItem[]> {
  const rows = await ctx.db
    .selectFrom('payout')
    .innerJoin('affiliate', 'affiliate.id', 'payout.affiliate_id')
    .select([
      'payout.id as payout_id',
      'payout.affiliate_id',
      'affiliate.email',
      'affiliate.first_name',
      'affiliate.last_name',
      'payout.amount_cents',
      'payout.currency',
      'payout.commissions_count',
      'payout.created_at as payout_created_at',
    ])
    .select([
      sql<SealedAddresses>`${sql.raw(sealedAddresses('affiliate'))}`.as('sealed_addresses'),
      sql<string | null>`${sql.raw(methodVersions('affiliate.id'))}::text`.as('method_versions'),
    ])
    .where('payout.account_id', '=', ctx.accountId)
    .where('payout.id', '=', sql<string>`any (${payoutIds})`)
    .orderBy('payout.id')
    .execute();
  return rows.map(({ sealed_addresses, ...row }) => ({
    ...row,
    addresses: openAddresses(ctx.services.secrets, sealed_addresses),
  }));
}

/** SQL query: the candidates of a batch (`addCandidates`), with these receivers. */
export function candidatesOf({ services: { secrets } }: WriteCtx, items: readonly PreparedItem[]): RawBuilder<unknown> {
  const rows = items.map(({ payout_id, method_versions, ...item }) => ({
    payout_id,
    method_versions: method_versions === null ? null : (JSON.parse(method_versions) as unknown),
    sealed_receiver: secrets.seal(JSON.stringify(receiverOf(item))),
  }));
  return sql`(
    select item.*, affiliate_id, livemode, currency, amount_cents, commissions_count
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) item (payout_id text, method_versions jsonb, sealed_receiver text)
      join payout on payout.id = item.payout_id)`;
}
