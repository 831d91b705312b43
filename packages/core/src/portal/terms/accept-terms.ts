import type { AffiliateWriteCtx } from '../access/affiliate-context.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { presentTerms } from './terms.queries.ts';

/**
 * Records that the affiliate accepts the current terms. Accepting again keeps the first record.
 *
 * @throws VALIDATION_ERROR for a version that is not the current one
 */
export async function acceptTerms(
  ctx: AffiliateWriteCtx & { clientAddress?: string | undefined },
  { version }: { version: number },
): Promise<{ version: number }> {
  const terms = await presentTerms(ctx);
  if (terms?.version !== version) throw invalid('version', 'The terms have changed. Read and accept the new ones.', 'outdated');
  await ctx.tx.db
    .insertInto('terms_acceptance')
    .values({
      affiliate_id: ctx.affiliate.id,
      version,
      account_id: ctx.affiliate.account_id,
      body_hash: terms.body_hash,
      client_address: ctx.clientAddress ?? 'unknown',
      accepted_at: ctx.now,
    })
    .onConflict((conflict) => conflict.columns(['affiliate_id', 'version']).doNothing())
    .execute();
  return { version };
}
