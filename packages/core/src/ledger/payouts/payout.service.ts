import { countPayment } from '../../identity/connectors/count-payment.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { lock } from '../../platform/call/records.ts';
import { saveMerchantData } from '../../platform/call/save-merchant-data.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { confirmEffect, effectOn } from '../../platform/previews/confirm-effect.ts';
import { findAddresses } from '../../program/payout-methods/payout-addresses.ts';
import { lockAffiliate } from '../affiliate-lock.ts';
import { LEDGER_REASONS } from '../reasons.ts';
import { payPayouts } from './pay-payouts.ts';
import { Payout } from './payout.entity.ts';
import type { PayoutRecord } from './payout.expansions.ts';
import { getPayout } from './payout.queries.ts';
import type { PayPayout, UpdatePayout } from './payout.schema.ts';

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
