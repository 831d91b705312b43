import { mapInParts } from '@affiliate/postgres';
import { type RawBuilder, sql } from 'kysely';
import { eligiblePayouts } from '../../ledger/payouts/payout.queries.ts';
import { replaceReceiver } from '../../ledger/payouts/payout.transitions.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import {
  methodVersions,
  openAddresses,
  type SealedAddresses,
  sealedAddresses,
} from '../../program/payout-methods/payout-addresses.ts';
import { type PayoutItem, type Quote, type Receiver, receiverOf, type SendingMethod } from '../port/method.ts';

/** Rows that are read or inserted by one statement. To open or seal so many addresses takes ten milliseconds, in which nobody else is answered. */
export const CHUNK = 250;

/** Characters of a program's name that a note holds: banks take 140, of which the id of the payout needs 34. */
const PROGRAM_LENGTH = 80;

/** A payout that may be paid, with the versions of the affiliate's addresses (`methodVersions`). */
export interface PreparedItem extends PayoutItem {
  method_versions: string | null;
  /** Fee that the affiliate bears. It is not in `amount_cents`. Null: the rail has to be asked first. */
  affiliate_fee_cents: number | null;
  /** Minimum payout of the campaign, if it is in this currency. */
  minimum_cents: number | null;
  /** Part of the payout that the method cannot pay. It is not in `amount_cents`, and goes into the next payout. */
  carried_cents: number;
}

/** The payouts of a mode, of all affiliates or only of some. */
export interface PayoutFilter {
  livemode: boolean;
  affiliate_ids?: readonly string[] | null | undefined;
}

/** Returns the ids of the eligible payouts that a filter finds, oldest first. With `among`, returns only ids from that list. */
export async function eligiblePayoutIds(ctx: Ctx, filter: PayoutFilter, among?: readonly string[]): Promise<string[]> {
  let query = eligiblePayouts(ctx, filter).select('payout.id');
  if (filter.affiliate_ids) query = query.where('payout.affiliate_id', '=', sql<string>`any (${filter.affiliate_ids})`);
  if (among) query = query.where('payout.id', '=', sql<string>`any (${among})`);
  const rows = await query.orderBy('payout.id').execute();
  return rows.map(({ id }) => id);
}

/** Loads payouts with their receivers as they are now, oldest payout first, in parts. */
export async function* preparedItems(ctx: Ctx, payoutIds: readonly string[]): AsyncGenerator<PreparedItem[]> {
  for (let start = 0; start < payoutIds.length; start += CHUNK) yield await loadItems(ctx, payoutIds.slice(start, start + CHUNK));
}

/** Loads payouts with their whole amounts and their receivers as they are now, oldest payout first. */
export async function loadItems(ctx: Ctx, payoutIds: readonly string[]): Promise<PreparedItem[]> {
  const rows = await ctx.db
    .selectFrom('payout')
    .innerJoin('affiliate', 'affiliate.id', 'payout.affiliate_id')
    .innerJoin('campaign', 'campaign.id', 'affiliate.campaign_id')
    .innerJoin('account', 'account.id', 'payout.account_id')
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
      sql<number | null>`case when campaign.minimum_payout_currency = payout.currency then campaign.minimum_payout_cents end`.as(
        'minimum_cents',
      ),
      sql<string>`left(coalesce(account.brand_name, account.name), ${PROGRAM_LENGTH}) || to_char(${ctx.now}::timestamptz at time zone account.time_zone, ' YYYY-MM')`.as(
        'purpose',
      ),
    ])
    .where('payout.account_id', '=', ctx.accountId)
    .where('payout.id', '=', sql<string>`any (${payoutIds})`)
    .orderBy('payout.id')
    .execute();
  return mapInParts(rows, ({ sealed_addresses, ...row }) => ({
    ...row,
    affiliate_fee_cents: 0,
    carried_cents: 0,
    addresses: openAddresses(ctx.services.secrets, sealed_addresses),
  }));
}

/** Quotes of a rail, by the id of the payout. */
export type Quotes = ReadonlyMap<string, Quote>;

/** Facts about payments before their preparation. */
export interface Terms {
  method?: SendingMethod;
  quotes?: Quotes | undefined;
}

/** SQL query: the candidates of a batch (`addCandidates`), with these receivers and the quoted fees. */
export function candidatesOf(
  { services }: WriteCtx,
  items: readonly PreparedItem[],
  { method, quotes = new Map() }: Terms = {},
): RawBuilder<unknown> {
  const rows = items.map(({ payout_id, method_versions, affiliate_fee_cents, carried_cents: _, ...item }) => ({
    payout_id,
    affiliate_fee_cents,
    method_versions: method_versions === null ? null : (JSON.parse(method_versions) as unknown),
    sealed_receiver: services.secrets.seal(
      JSON.stringify({
        ...receiverOf(item),
        ...(method?.addressKind && { paid_to: method.addressKind({ payout_id, ...item }) }),
      }),
    ),
    quoted_fee: quotes.get(payout_id)?.fee ?? null,
  }));
  return sql`(
    select item.payout_id, method_versions, sealed_receiver, affiliate_id, livemode, currency, amount_cents, commissions_count, affiliate_fee_cents,
      (quoted_fee ->> 'cents')::bigint as quoted_fee_cents, quoted_fee ->> 'currency' as quoted_fee_currency
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) item (payout_id text, method_versions jsonb, sealed_receiver text,
      affiliate_fee_cents bigint, quoted_fee jsonb)
      join payout on payout.id = item.payout_id)`;
}

/** Returns the affiliate as the receiver of all prepared payments. */
export async function findReceivers({ db, services }: WriteCtx, affiliateId: string): Promise<Receiver[]> {
  const rows = await attemptsOf(db, affiliateId).select('sealed_receiver').execute();
  return rows.map(({ sealed_receiver }) => JSON.parse(services.secrets.open(sealed_receiver!)) as Receiver);
}

/** Erases the affiliate as the receiver of prepared payments. Files that were made of them show `address` in place of every
 * part of an address, so that no bank takes them. */
export async function eraseReceivers(
  { db, accountId, services: { secrets } }: WriteCtx,
  affiliateId: string,
  address: string,
): Promise<void> {
  for (const { id, sealed_receiver } of await attemptsOf(db, affiliateId).select(['id', 'sealed_receiver']).execute()) {
    const former = JSON.parse(secrets.open(sealed_receiver!)) as Receiver;
    const addresses = Object.fromEntries(
      Object.entries(former.addresses).map(([kind, fields]) => [
        kind,
        Object.fromEntries(Object.keys(fields).map((field) => [field, address])),
      ]),
    );
    const erased: Receiver = { ...former, email: address, first_name: null, last_name: null, addresses };
    await replaceReceiver(db, { accountId, id, sealed_receiver: secrets.seal(JSON.stringify(erased)) });
  }
}

/** Starts a query of the affiliate's attempts with a receiver. */
function attemptsOf(db: Db, affiliateId: string) {
  return db.selectFrom('payout_attempt').where('affiliate_id', '=', affiliateId).where('sealed_receiver', 'is not', null);
}
