import type { WriteCtx } from '../../platform/call/context.ts';
import { lock } from '../../platform/call/records.ts';
import { mailAffiliates } from '../affiliate-mails/affiliate-mail.ts';
import { Affiliate } from '../affiliates/affiliate.entity.ts';
import { updateAffiliate } from '../affiliates/affiliate.service.ts';
import type { AffiliateChanges, PlainAffiliate } from '../affiliates/affiliate.ts';
import { giveFirstLink } from '../links/link.service.ts';

/**
 * Changes the given fields of an affiliate, including the state. If the new state ends a pending application, also records the time of
 * the decision. An applicant who can sign in then gets an email and, once active, a first link (docs/rules/portal.md#applications).
 *
 * @param options.note message to the applicant, sent in the email and stored with the application
 * @throws NOT_FOUND, VALIDATION_ERROR
 */
export async function updateApplicant(
  ctx: WriteCtx,
  input: AffiliateChanges,
  { note }: { note?: string } = {},
): Promise<PlainAffiliate> {
  const { state: former, user_id, id } = await lock(ctx, Affiliate, input.id);
  const record = await updateAffiliate(ctx, input);
  const { state } = record;
  if (former !== 'pending' || state === 'pending') return record;
  const application = await ctx.db
    .updateTable('affiliate_application')
    .set({ note: note ?? null, decided_at: ctx.now })
    .where('affiliate_id', '=', id)
    .returning('link_code')
    .executeTakeFirst();
  if (user_id === null || (state !== 'active' && state !== 'rejected')) return record;
  if (state === 'active') await giveFirstLink(ctx, record, application?.link_code);
  await mailAffiliates(ctx, state === 'active' ? 'application_approved' : 'application_rejected', [
    { affiliate_id: id, to: record.email, values: { note: note ?? '' } },
  ]);
  return record;
}
