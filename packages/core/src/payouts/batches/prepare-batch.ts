import type { HeldAffiliates } from '../../ledger/affiliate-lock.ts';
import { bookBalances } from '../../ledger/earning/book-commission.ts';
import { addCandidates, claimPayouts, lockAffiliatesOfPayouts } from '../../ledger/payouts/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { assertEligible } from '../methods/assert-eligible.ts';
import {
  candidatesOf,
  CHUNK,
  eligiblePayoutIds,
  type PayoutFilter,
  type PreparedItem,
  preparedItems,
  type Terms,
} from '../methods/prepared-items.ts';
import type { Selection } from '../methods/selection.ts';
import type { PayoutBatch } from './payout-batch.entity.ts';
import { createBatch, type NewBatch } from './payout-batch.transitions.ts';

/** The payouts that a caller wants to pay: the named ones, or the eligible payouts that the filter finds. */
interface Wanted extends PayoutFilter {
  payout_ids?: readonly string[] | undefined;
  /** False for a preview that must not wait for locks. */
  isLocking: boolean;
  /** Called with the payouts before they are locked and loaded. */
  check?: (payoutIds: readonly string[]) => void;
}

/** Payouts of which a batch can be made, with the locks on their affiliates. */
interface Chosen {
  items: PreparedItem[];
  held: HeldAffiliates | null;
}

/**
 * Locks the affiliates of payouts, and chooses those that a method can pay.
 *
 * @param selectionOf makes the selection of the payouts that the method can pay
 * @throws VALIDATION_ERROR naming the given payouts that are unknown, of the other mode, or not eligible
 */
export async function choosePayouts(
  ctx: WriteCtx,
  { payout_ids, isLocking, check, ...filter }: Wanted,
  selectionOf: () => Selection,
): Promise<Chosen> {
  const found = payout_ids ? [...new Set(payout_ids)] : await eligiblePayoutIds(ctx, filter);
  check?.(found);
  const held = isLocking ? await lockAffiliatesOfPayouts(ctx, found) : null;
  if (payout_ids) await assertEligible(ctx, filter, payout_ids);
  const selection = selectionOf();
  const items: PreparedItem[] = [];
  for await (const loaded of preparedItems(ctx, payout_ids ? found : await eligiblePayoutIds(ctx, filter, found)))
    items.push(...selection.take(loaded));
  return { items, held };
}

/** Creates a batch of chosen payouts, and claims them. */
export async function createPrepared(
  ctx: WriteCtx,
  held: HeldAffiliates,
  terms: NewBatch,
  items: readonly PreparedItem[],
  known?: Terms,
): Promise<Locked<PayoutBatch>> {
  const batch = createBatch(ctx, terms);
  await claimPrepared(ctx, held, batch, items, known);
  return batch;
}

/** Adds payments of open payouts to a batch, and claims the payouts. What the method cannot pay of them goes into the next payouts. */
export async function claimPrepared(
  ctx: WriteCtx,
  held: HeldAffiliates,
  {
    id: batchId,
    method,
    livemode,
    keyGeneration = 1,
  }: Pick<PayoutBatch, 'id' | 'method' | 'livemode'> & { keyGeneration?: number },
  items: readonly PreparedItem[],
  known?: Terms,
): Promise<void> {
  const fractions = items.filter(({ carried_cents }) => carried_cents > 0);
  await moveFractions(ctx, held, livemode, fractions, -1);
  for (let start = 0; start < items.length; start += CHUNK)
    await addCandidates(ctx, { batchId, method, keyGeneration }, candidatesOf(ctx, items.slice(start, start + CHUNK), known));
  await claimPayouts(
    ctx,
    held,
    batchId,
    items.map(({ payout_id }) => payout_id),
  );
  await moveFractions(ctx, held, livemode, fractions, 1);
}

/** Moves the fractions that a method cannot pay out of the open payouts (-1) and, after they were claimed, into the next ones (1). */
function moveFractions(
  ctx: WriteCtx,
  held: HeldAffiliates,
  livemode: boolean,
  items: readonly PreparedItem[],
  sign: -1 | 1,
): Promise<void> {
  const balances = items.map(({ payout_id, affiliate_id, carried_cents, currency }) => ({
    affiliate_id,
    amount_cents: sign * carried_cents,
    currency,
    livemode,
    note:
      sign < 0
        ? 'Carried over to the next payout, because this one is paid in whole units.'
        : `Carried over from the payout ${payout_id}, which is paid in whole units.`,
  }));
  return bookBalances(ctx, held, balances);
}
