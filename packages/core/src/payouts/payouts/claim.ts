import { sql } from 'kysely';
import { lockAffiliates } from '../../program/affiliates/affiliate.service.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { emitPayoutsPaid } from './payout.events.ts';
import { markCommissionsPaid } from './payout.service.ts';

/** What holds claimed payouts until they are paid or released: one export or one run. */
export type ClaimOwner = { export_id: string; run_id?: never } | { run_id: string; export_id?: never };

/** Payouts per statement where many are paid in one transaction: their ids and events are all that passes through this process. */
const CHUNK = 5_000;

/** Locks the affiliates of payouts, as every change of the payouts demands. The payouts may have changed until this returns. */
export function lockAffiliatesOf(ctx: WriteCtx, payoutIds: readonly string[]): Promise<void> {
  return lockAffiliates(ctx, sql`select affiliate_id from payout where id = any (${payoutIds})`);
}

/**
 * Claims those of the payouts that are open: from now on they take no more commissions, and nobody else can claim or pay them
 * (docs/domain-rules.md#payouts). The caller holds the affiliates' locks.
 *
 * @returns the ids of those that were claimed
 */
export async function claimPayouts(ctx: WriteCtx, owner: ClaimOwner, payoutIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ payout_id: string }>`
    with claimed as (
      update payout set status = 'processing', updated_at = ${ctx.now}
      where id = any (${payoutIds}) and account_id = ${ctx.accountId} and status = 'open'
      returning id
    )
    insert into payout_claim (payout_id, export_id, run_id, claimed_at)
    select id, ${owner.export_id ?? null}, ${owner.run_id ?? null}, ${ctx.now} from claimed
    returning payout_id`.execute(ctx.db);
  return rows.map(({ payout_id }) => payout_id);
}

/**
 * Gives up an owner's claims on payouts: they are open again. Where the affiliate has started another payout of the currency
 * meanwhile, its commissions move into the released one and it goes away, so that one is open, with every commission and the exact sum.
 * The caller holds the affiliates' locks.
 */
export async function releasePayouts(ctx: WriteCtx, owner: ClaimOwner, payoutIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ payout_id: string }>`
    delete from payout_claim using payout
    where payout.id = payout_claim.payout_id and payout.status = 'processing' and payout_id = any (${payoutIds})
      and coalesce(export_id, run_id) = ${owner.export_id ?? owner.run_id}
    returning payout_id`.execute(ctx.db);
  const released = rows.map(({ payout_id }) => payout_id);
  await sql`
    update payout_item set payout_id = released.id
    from payout newer join payout released on released.affiliate_id = newer.affiliate_id and released.currency = newer.currency
    where payout_item.payout_id = newer.id and newer.status = 'open' and released.id = any (${released})`.execute(ctx.db);
  await sql`
    with gone as (
      delete from payout newer using payout released
      where newer.affiliate_id = released.affiliate_id and newer.currency = released.currency and newer.status = 'open'
        and released.id = any (${released})
      returning released.id, newer.amount_cents, newer.commissions_count
    )
    update payout set
      amount_cents = payout.amount_cents + gone.amount_cents,
      commissions_count = payout.commissions_count + gone.commissions_count
    from gone where payout.id = gone.id`.execute(ctx.db);
  await sql`update payout set status = 'open', updated_at = ${ctx.now} where id = any (${released})`.execute(ctx.db);
}

/**
 * Marks payouts that their owner holds paid, with their commissions, and announces each. The caller holds the affiliates' locks.
 *
 * @returns the ids of those that were paid: not all of them, when some were not held by the owner
 */
export async function payClaimed(
  ctx: WriteCtx,
  owner: ClaimOwner,
  payoutIds: readonly string[],
  paymentReference: string | null,
): Promise<string[]> {
  const paid: string[] = [];
  for (let start = 0; start < payoutIds.length; start += CHUNK) {
    const { rows } = await sql<{ id: string }>`
      update payout set status = 'paid', paid_at = ${ctx.now}, payment_reference = ${paymentReference}, updated_at = ${ctx.now}
      from payout_claim claim
      where payout.id = any (${payoutIds.slice(start, start + CHUNK)}) and payout.status = 'processing'
        and claim.payout_id = payout.id and coalesce(claim.export_id, claim.run_id) = ${owner.export_id ?? owner.run_id}
      returning payout.id`.execute(ctx.db);
    const ids = rows.map(({ id }) => id);
    await markCommissionsPaid(ctx, ids);
    await emitPayoutsPaid(ctx, ids);
    paid.push(...ids);
  }
  return paid;
}
