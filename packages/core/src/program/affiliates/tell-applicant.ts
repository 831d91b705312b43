import type { WriteCtx } from '../../platform/call/context.ts';
import { enqueueMail, sendMailSoon } from '../../platform/mail/outbox.ts';
import { plusDays } from '../../platform/time/instant.ts';
import type { Affiliate } from './affiliate.entity.ts';
import type { AffiliateState } from './affiliate.states.ts';
import { decisionMail } from './decision.mail.ts';

const MAIL_DAYS = 7;

/** Mails the decision about an application to an applicant who can sign in (docs/domain-rules.md#applications). */
export async function tellApplicant(ctx: WriteCtx, affiliate: Affiliate, former: AffiliateState): Promise<void> {
  const { state, user_id, email } = affiliate;
  if (former !== 'pending' || user_id === null || (state !== 'active' && state !== 'rejected')) return;
  const { name } = await ctx.db.selectFrom('account').select('name').where('id', '=', ctx.accountId).executeTakeFirstOrThrow();
  const mail = decisionMail(ctx.services.publicUrl, { email, accountName: name, approved: state === 'active' });
  await enqueueMail(ctx.services, ctx.db, mail, plusDays(ctx.now, MAIL_DAYS));
  ctx.afterCommit(() => sendMailSoon(ctx.services));
}
