import type { AffiliateCtx } from '../access/affiliate-context.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { presentTerms } from './terms.queries.ts';

/**
 * Throws if the affiliate has not accepted the current terms (docs/rules/portal.md#new-terms). Commissions and payouts do not depend on
 * acceptance.
 *
 * @throws FORBIDDEN with the reason `accept_terms`
 */
export async function assertTermsAccepted(ctx: AffiliateCtx): Promise<void> {
  const terms = await presentTerms(ctx);
  if (terms && !terms.accepted)
    throw new DomainError('FORBIDDEN', 'Accept the new terms of the program first.', { reason: 'accept_terms' });
}
