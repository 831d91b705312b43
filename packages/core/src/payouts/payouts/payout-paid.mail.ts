import type { WriteCtx } from '../../platform/call/context.ts';
import { compose } from '../../platform/mail/letter.ts';
import { enqueueMail, sendMailSoon } from '../../platform/mail/outbox.ts';
import { decimalAmount } from '../../platform/money/decimal.ts';
import { oneOf } from '../../platform/db/one-of.ts';
import { plusDays } from '../../platform/time/instant.ts';

const MAIL_DAYS = 7;

/** Mails to the affiliates of payouts that this transaction has paid, one for each payout, if they can sign in to see it. */
export async function mailPaid(ctx: WriteCtx, payoutIds: readonly string[]): Promise<void> {
  if (payoutIds.length === 0) return;
  const paid = await ctx.db
    .selectFrom('payout')
    .innerJoin('affiliate', 'affiliate.id', 'payout.affiliate_id')
    .innerJoin('account', 'account.id', 'payout.account_id')
    .select(['payout.amount_cents', 'payout.currency', 'affiliate.email', 'account.name'])
    .where(oneOf('payout.id', payoutIds))
    .where('payout.livemode', '=', true)
    .where('affiliate.user_id', 'is not', null)
    .execute();
  const { services } = ctx;
  for (const { email, name, amount_cents, currency } of paid) {
    const mail = compose({
      to: email,
      subject: `${name} has paid your commissions`,
      lines: [`${name} has paid you ${decimalAmount(amount_cents, currency)} ${currency}. The statement is in your portal.`],
      link: { label: 'See your payouts', url: `${services.publicUrl}/portal/payouts` },
      closing: `You get this e-mail because you are an affiliate of ${name}.`,
    });
    await enqueueMail(services, ctx.db, mail, plusDays(ctx.now, MAIL_DAYS));
  }
  if (paid.length > 0) ctx.afterCommit(() => sendMailSoon(services));
}
