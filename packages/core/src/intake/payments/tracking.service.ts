import { attribute } from '../../attribution/attribute.ts';
import { lockCustomer } from '../../attribution/claims/customers.ts';
import { Sale } from '../../ledger/sales/sale.entity.ts';
import type { RecordRefund, RecordSale } from '../../ledger/sales/sale.schema.ts';
import { assertHappened } from '../../platform/call/call-time.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { visibleTo } from '../../platform/call/mode.ts';
import { get, known, load } from '../../platform/call/records.ts';
import { LostRace } from '../../platform/errors/constraints.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { INTAKE_REASONS } from '../reasons.ts';
import { paymentOfReport } from '../sales/facts-of-payment.ts';
import { recordRefund } from '../sales/record-refund.ts';
import { newRecordedSale, recordedSale } from '../sales/record-sale.ts';
import type { RecordedSale } from '../sales/tracking.schema.ts';
import { settle } from './settle.ts';

/** The current state of a reported sale or refund. `created` is false if an earlier report recorded the same sale or refund. */
export interface ReportOutcome {
  record: RecordedSale;
  created: boolean;
}

/**
 * Records a sale that a merchant's server reports. Reporting the same `external_id` with the same values again changes nothing.
 *
 * @throws VALIDATION_ERROR when the report names neither a customer nor a referral nor a code, the tax or the
 * shipping exceeds the charge, or the time of the
 * charge is in the future; CONFLICT when an earlier report with this `external_id` had another amount, tax, currency or customer
 */
export async function trackSale(ctx: WriteCtx, input: RecordSale): Promise<ReportOutcome> {
  const { referral_id, customer_email, psp_customer_id, external_customer_id, promo_code } = input;
  const namesCustomer = Boolean(customer_email || psp_customer_id || external_customer_id);
  if (!referral_id && !namesCustomer && !promo_code) throw invalid('referral_id', INTAKE_REASONS.sale_unattributed, 'required');
  if (input.tax_amount_cents > input.amount_cents) throw invalid('tax_amount_cents', INTAKE_REASONS.more_than_amount, 'too_big');
  if (input.tax_amount_cents + input.shipping_amount_cents > input.amount_cents)
    throw invalid('shipping_amount_cents', INTAKE_REASONS.more_than_amount_without_tax, 'too_big');
  assertHappened(ctx, 'charged_at', input.charged_at);
  const { external_id, metadata, shipping_amount_cents: shippingCents } = input;
  const report = { external_id, metadata, shippingCents, isNow: !input.charged_at };
  const { saleId, commission, isNew: created } = (await settle(ctx, paymentOfReport(input, ctx), { report }))!;
  const sale = await known(ctx, Sale, saleId);
  return { record: created ? await newRecordedSale(ctx, sale, commission) : await recordedSale(ctx, sale), created };
}

/**
 * Records a refund that a merchant's server reports. Reporting the same `refund_id` with the same amount again changes nothing. The refund of a
 * sale that repeats a payment is a refund of the sale that has the payment, and of its lines with the same products.
 *
 * @throws VALIDATION_ERROR for an unknown sale, and when all refunds together would exceed the charge; CONFLICT when an earlier report with
 * this `refund_id` had another amount; LostRace when the sale's customer
 * has changed since the customer was locked
 */
export async function trackRefund(ctx: WriteCtx, input: RecordRefund): Promise<ReportOutcome> {
  const sales = ctx.db.selectFrom('sale').selectAll().where('account_id', '=', ctx.accountId);
  const [reported] = await load(ctx, Sale, sales.where('external_id', '=', input.external_id));
  if (!reported || !visibleTo(ctx, reported)) throw invalid('external_id', INTAKE_REASONS.no_sale_with_external_id, 'not_found');
  const ofPayment = await saleOfPayment(ctx, reported);
  const { id: saleId, customer_id: lockedId } = ofPayment;
  // The customer is locked before everything else, as attribution requires.
  const customer = lockedId === null ? null : await lockCustomer(ctx, lockedId);
  const { sale, created, changed } = await recordRefund(ctx, saleId, {
    external_id: input.refund_id,
    amount_cents: input.amount_cents,
    reported_sale_id: reported.id,
    lines: input.lines ?? [],
  });
  // `recordRefund` has read the sale again under its lock. In the meantime the customer may have become known, or may have been merged into
  // another one.
  if (sale.customer_id !== lockedId) throw new LostRace();
  if (changed) await attribute(ctx, { of: 'changed sale', sale, customer });
  if (!created) await assertSameRefund(ctx, sale, input);
  return { record: await recordedSale(ctx, sale), created };
}

/** Returns the sale that has the payment of a reported sale: the reported sale, or the one whose payment it repeats. */
async function saleOfPayment(ctx: WriteCtx, reported: Sale): Promise<Sale> {
  let sale = reported;
  while (sale.repeats_sale_id !== null) sale = await get(ctx, Sale, sale.repeats_sale_id);
  return sale;
}

/** Throws CONFLICT, with the stored refund and sale, if the earlier report of the refund had another amount. */
async function assertSameRefund(ctx: WriteCtx, sale: Sale, { refund_id, amount_cents }: RecordRefund): Promise<void> {
  const known = await ctx.db
    .selectFrom('refund')
    .select('amount_cents')
    .where('account_id', '=', ctx.accountId)
    .where('external_id', '=', refund_id)
    .executeTakeFirstOrThrow();
  if (known.amount_cents === amount_cents) return;
  const { sale: shown, commission } = await recordedSale(ctx, sale);
  const stored = { sale: shown, commission };
  throw new DomainError('CONFLICT', INTAKE_REASONS.refund_reported_otherwise, {
    reason: 'other_values',
    fields: ['amount_cents'],
    refund: { refund_id, amount_cents: known.amount_cents },
    ...stored,
  });
}
