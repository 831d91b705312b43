import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { lockAffiliates } from '../../program/affiliates/affiliate.service.ts';
import type { KnownClaim } from './claims.ts';

/**
 * Locks the affiliates who may earn from a sale without a customer that is about to be created. Sales of one referral get their time and id under this lock,
 * so that a later one never takes a commission that an earlier response has shown.
 */
export function lockClaimants(ctx: WriteCtx, claimants: readonly ({ affiliate_id: string } | null)[]): Promise<void> {
  const ids = claimants.flatMap((claimant) => (claimant === null ? [] : [claimant.affiliate_id]));
  return lockAffiliates(ctx, sql`select unnest(${ids}::text[])`);
}

/** Locks every affiliate who can gain or lose a commission. */
export async function lockAffiliatesOf(
  ctx: WriteCtx,
  claims: readonly KnownClaim[],
  ofSales: RawBuilder<unknown>,
): Promise<void> {
  const claimants = claims.map(({ affiliate_id }) => affiliate_id);
  await lockAffiliates(
    ctx,
    sql`select unnest(${claimants}::text[]) union select affiliate_id from sale where ${ofSales} and affiliate_id is not null`,
  );
}
