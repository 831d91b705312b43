import type { WriteCtx } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { OwnRows, PortalAffiliate } from './own-rows.ts';

/**
 * The context of a procedure for affiliates. It has no connection to the database: rows are reached through `mine`, which finds only those
 * of the affiliate.
 */
export interface AffiliateCtx {
  affiliate: PortalAffiliate;
  mine: OwnRows;
  now: Instant;
  /** The signed-in person; null when a link or token has opened the portal. */
  userId: string | null;
  /** Public address of the service, without a trailing slash. */
  publicUrl: string;
}

/** The context of a mutation for affiliates, inside its transaction. `tx` is for the services of the program, with ids found through `mine`. */
export interface AffiliateWriteCtx extends AffiliateCtx {
  tx: WriteCtx;
}
