import type { WriteCtx } from '../../platform/call/context.ts';
import { mailAffiliates } from '../affiliate-mails/affiliate-mail.ts';
import type { Affiliate } from './affiliate.entity.ts';
import type { AffiliateState } from './affiliate.states.ts';

/**
 * Mails the decision about an application to an applicant who can sign in (docs/domain-rules.md#applications).
 *
 * @param note of the merchant to the applicant; may be empty
 */
export async function tellApplicant(ctx: WriteCtx, affiliate: Affiliate, former: AffiliateState, note: string): Promise<void> {
  const { state, user_id, email } = affiliate;
  if (former !== 'pending' || user_id === null || (state !== 'active' && state !== 'rejected')) return;
  await mailAffiliates(ctx, state === 'active' ? 'application_approved' : 'application_rejected', [
    { to: email, values: { note } },
  ]);
}
