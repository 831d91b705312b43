import { countPayment } from '../../identity/connectors/count-payment.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { lock } from '../../platform/call/records.ts';
import { saveMerchantData } from '../../platform/call/save-merchant-data.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { amountIn } from '../../platform/mail/in-language.ts';
import { confirmEffect, effectOn } from '../../platform/previews/confirm-effect.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { mailAffiliates } from '../../program/affiliate-mails/affiliate-mail.ts';
import { findAddresses } from '../../program/payout-methods/payout-addresses.ts';
import { type HeldAffiliates, lockAffiliate } from '../affiliate-lock.ts';
import { LEDGER_REASONS } from '../reasons.ts';
import { paymentOfRow, selectPayments } from './payment-outlook.queries.ts';
import { paymentIn } from './payment-outlook.ts';
import { Payout } from './payout.entity.ts';
import type { PayoutRecord } from './payout.expansions.ts';
import { getPayout } from './payout.queries.ts';
import type { PayPayout, UpdatePayout } from './payout.schema.ts';
import { markPayoutReturned, markPayoutsPaid } from './payout.transitions.ts';

/** Payouts per statement. Limits how many ids and events this process handles at a time. */
const CHUNK = 5_000;

/**
 * Marks payouts and their commissions paid, and writes emails to the affiliates. All payments use this
 * function: by export, by run, and by hand (`batchId` null).
 *
 * @returns the ids of the payouts that were paid. With a batch, only payouts that it holds are paid; without one, only open payouts
 */
export async function payPayouts(
  ctx: WriteCtx,
  held: HeldAffiliates,
  batchId: string | null,
  payoutIds: readonly string[],
  paymentReference: string | null,
): Promise<string[]> {
  const paid: string[] = [];
  for (let start = 0; start < payoutIds.length; start += CHUNK) {
    const ids = await markPayoutsPaid(ctx, held, batchId, payoutIds.slice(start, start + CHUNK), paymentReference);
    await mailPaid(ctx, ids);
    paid.push(...ids);
  }
  ctx.afterCommit(() => ctx.services.jobs.send('commission_counts'));
  return paid;
}

/** Marks a paid payout returned, and writes an email to the affiliate. All money that comes back uses this function. */
export async function returnPaid(ctx: WriteCtx, held: HeldAffiliates, payout: Locked<Payout>, reason: string): Promise<void> {
  await markPayoutReturned(ctx, held, payout, reason);
  await mailReturned(ctx, payout, reason);
}

/** Writes one email for each live payout that this transaction has paid, to its affiliate. */
async function mailPaid(ctx: WriteCtx, payoutIds: readonly string[]): Promise<void> {
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
async function mailReturned(ctx: WriteCtx, payout: Payout, reason: string): Promise<void> {
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

/** Changes what the merchant attached to a payout, in any state of the payout. Throws NOT_FOUND. */
export async function updatePayout(ctx: WriteCtx, { id, ...changes }: UpdatePayout): Promise<PayoutRecord> {
  saveMerchantData(ctx, Payout, await lock(ctx, Payout, id), changes);
  return getPayout(ctx, { id });
}

/**
 * Marks an open payout and its commissions paid by hand. The merchant may pay a payout that is not eligible yet.
 * Its amount must be above zero: marking a negative amount paid would forgive money that the next payout must recover
 * (docs/rules/ledger.md#paying).
 *
 * @throws NOT_FOUND; VALIDATION_ERROR if the payout is claimed, paid or returned already, or its amount is not above zero;
 * PAY_LIMIT_EXCEEDED
 */
export async function payPayout(ctx: WriteCtx, { id, payment_reference }: PayPayout): Promise<PayoutRecord> {
  const { affiliate_id } = await getPayout(ctx, { id });
  const held = await lockAffiliate(ctx, affiliate_id);
  const payout = await lock(ctx, Payout, id);
  const { ineligible_reasons } = await getPayout(ctx, { id });
  if (payout.status === 'paid') throw invalid('id', LEDGER_REASONS.payout_paid, 'invalid_state');
  if (payout.status === 'returned') throw invalid('id', LEDGER_REASONS.payout_returned, 'invalid_state');
  if (payout.status === 'processing') throw invalid('id', LEDGER_REASONS.payout_claimed, 'invalid_state');
  if (payout.amount_cents <= 0) throw invalid('id', LEDGER_REASONS.nothing_to_pay, 'not_positive');
  // The former tool may have paid the same commissions.
  if (ineligible_reasons.includes('moving_in')) throw invalid('id', LEDGER_REASONS.payout_moving_in, 'moving_in');
  if (payout.livemode) await countPayment(ctx, id, [payout]);
  await payPayouts(ctx, held, null, [id], payment_reference ?? null);
  const paid = await getPayout(ctx, { id });
  // A preview shows who gets the money, so a later change of an address must not go unnoticed.
  await confirmEffect(ctx, async () => ({ ...effectOn(paid), addresses: await findAddresses(ctx, affiliate_id) }));
  return paid;
}
