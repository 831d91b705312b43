import type { WriteCtx } from '../../platform/call/context.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { amountIn } from '../../platform/mail/in-language.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { mailAffiliates } from '../../program/affiliate-mails/affiliate-mail.ts';
import { paymentOfRow, selectPayments } from './payment-outlook.queries.ts';
import { paymentIn } from './payment-outlook.ts';
import type { Payout } from './payout.entity.ts';

/** Writes one email for each live payout that this transaction has paid, to its affiliate. */
export async function mailPaid(ctx: WriteCtx, payoutIds: readonly string[]): Promise<void> {
  if (payoutIds.length === 0) return;
  const paid = await ctx.db
    .selectFrom('payout')
    .innerJoin('affiliate', 'affiliate.id', 'payout.affiliate_id')
    .select([
      'payout.id',
      'payout.amount_cents',
      'payout.currency',
      'affiliate.id as affiliate_id',
      'affiliate.email',
      'affiliate.user_id',
    ])
    .where(oneOf('payout.id', payoutIds))
    .where('payout.livemode', '=', true)
    .execute();
  const { rows } = await selectPayments(paid.map(({ id }) => id)).execute(ctx.db);
  const payments = new Map(rows.map((row) => [row.payout_id, paymentOfRow(ctx.services, row)]));
  const copies = paid.map(({ id, affiliate_id, email, user_id, ...sum }) => {
    const payment = payments.get(id)!;
    // Somebody else may read an address that its owner has not confirmed by signing in.
    const said = user_id === null ? { ...payment, hint: null } : payment;
    return {
      affiliate_id,
      to: email,
      values: {
        amount: (language: Language) => amountIn(language, sum),
        payment: (language: Language) => paymentIn(language, said, ctx.now),
      },
    };
  });
  await mailAffiliates(ctx, 'payout_paid', copies);
}

/** Writes an email with the reason to the affiliate of a live payout that this transaction has marked returned. */
export async function mailReturned(ctx: WriteCtx, payout: Payout, reason: string): Promise<void> {
  if (!payout.livemode) return;
  const affiliate = await ctx.db
    .selectFrom('affiliate')
    .select(['id', 'email'])
    .where('id', '=', payout.affiliate_id)
    .where('account_id', '=', ctx.accountId)
    .executeTakeFirstOrThrow();
  const values = { amount: (language: Language) => amountIn(language, payout), reason };
  await mailAffiliates(ctx, 'payout_returned', [{ affiliate_id: affiliate.id, to: affiliate.email, values }]);
}
