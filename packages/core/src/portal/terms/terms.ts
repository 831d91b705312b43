import { sql } from 'kysely';
import { z } from 'zod';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import type { AffiliateCtx, AffiliateWriteCtx } from '../access/affiliate-context.ts';
import type { PortalAccessKind } from '../entry/portal-access.tables.ts';
import { PORTAL_REASONS } from '../reasons.ts';

export const AcceptTerms = z.strictObject({ version: z.int().describe('Version of the terms that the affiliate accepts.') });

interface PresentTerms {
  version: number;
  body: string;
  body_hash: string;
  accepted: boolean;
}

/** Returns the current terms of the program, and whether the affiliate has accepted them. Null if the program has no terms. */
export async function presentTerms({ mine }: AffiliateCtx): Promise<PresentTerms | null> {
  const [terms] = await mine.rows(
    ['program_terms', 'terms_acceptance'],
    sql<PresentTerms>`
      select version, body, body_hash,
        exists (select from terms_acceptance where terms_acceptance.version = program_terms.version) as accepted
      from program_terms order by version desc limit 1`,
  );
  return terms ?? null;
}

/**
 * Throws if the affiliate has not accepted the current terms (docs/rules/portal.md#new-terms). Commissions and payouts do not depend on
 * acceptance.
 *
 * @throws FORBIDDEN with the reason `accept_terms`
 */
export async function assertTermsAccepted(ctx: AffiliateCtx): Promise<void> {
  const terms = await presentTerms(ctx);
  if (terms && !terms.accepted) throw new DomainError('FORBIDDEN', PORTAL_REASONS.accept_terms_first, { reason: 'accept_terms' });
}

/**
 * Records that the affiliate accepts the current terms. Accepting again keeps the first record.
 *
 * @throws VALIDATION_ERROR for a version that is not the current one
 */
export async function acceptTerms(
  ctx: AffiliateWriteCtx & { clientAddress?: string | undefined; openedBy: 'session' | PortalAccessKind },
  { version }: { version: number },
): Promise<{ version: number }> {
  const terms = await presentTerms(ctx);
  if (terms?.version !== version) throw invalid('version', PORTAL_REASONS.terms_changed, 'outdated');
  await ctx.tx.db
    .insertInto('terms_acceptance')
    .values({
      affiliate_id: ctx.affiliate.id,
      version,
      account_id: ctx.affiliate.account_id,
      body_hash: terms.body_hash,
      client_address: ctx.clientAddress ?? 'unknown',
      accepted_at: ctx.now,
      accepted_in: ctx.openedBy,
    })
    .onConflict((conflict) => conflict.columns(['affiliate_id', 'version']).doNothing())
    .execute();
  return { version };
}
