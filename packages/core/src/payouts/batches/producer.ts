import type { Services, WriteCtx } from '../../platform/call/context.ts';
import type { Change } from '../methods/recheck.ts';
import type { BatchKind, PayoutBatch } from './payout-batch.entity.ts';

/** How batches of a kind are paid: all that their steps do differently. */
export interface Producer {
  kind: BatchKind;
  /** Maximum number of payouts of a step. Small, because other transactions wait for the locks on the affiliates. */
  maxItems: (services: Services) => number;
  /** A step takes no further payout once it has this number of commissions. */
  maxCommissions: number;
  /** Finds the payouts that must not be paid, with the reasons. Undefined: the start of the payment has checked all. */
  check?: (ctx: WriteCtx, batchId: string, payoutIds: readonly string[]) => Promise<ReadonlyMap<string, Change>>;
  /** True if the money was sent before, so that a payout that cannot be marked paid stays claimed and is tried again. */
  wasSent: boolean;
  /** Tells everyone that the work on a batch has ended. */
  announceEnd: (ctx: WriteCtx, batch: PayoutBatch) => Promise<void>;
}
