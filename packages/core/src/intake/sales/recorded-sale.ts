import { codeOf } from '../../attribution/attribute.ts';
import type { Commission } from '../../ledger/commissions/commission.entity.ts';
import { findCommissionOfSale, findPayoutIdOf, plainCommission } from '../../ledger/commissions/commission.queries.ts';
import { isPayable } from '../../ledger/commissions/commission.transitions.ts';
import type { Sale } from '../../ledger/sales/sale.entity.ts';
import { getSale, type PartiesOfSale, saleRecord } from '../../ledger/sales/sale.queries.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { known } from '../../platform/call/records.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Customer } from '../../program/customers/customer.entity.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { INTAKE_REASONS } from '../reasons.ts';
import type { RecordedSale } from './tracking.schema.ts';

/** Builds the response for a sale that this transaction created, from the records in memory instead of reading them again. */
export async function newRecordedSale(ctx: WriteCtx, sale: Sale, earned: Commission | null): Promise<RecordedSale> {
  const payoutId = earned !== null && isPayable(earned) ? await findPayoutIdOf(ctx, earned.id) : null;
  return {
    sale: saleRecord(sale, await partiesOf(ctx, sale)),
    commission: earned && plainCommission(earned, payoutId),
    reason: earned ? null : sale.no_commission_reason,
    warnings: await warningsAbout(ctx, sale),
  };
}

/** A code that nobody has may be mistyped, or not assigned yet. */
async function warningsAbout(ctx: WriteCtx, sale: Sale): Promise<RecordedSale['warnings']> {
  if (sale.external_id === null || sale.promo_code === null || (await codeOf(ctx, sale)) !== null) return [];
  const message = String(INTAKE_REASONS.no_affiliate_has_code({ code: sale.promo_code }));
  return [{ code: 'unknown_promo_code', message }];
}

/** Returns the records that a new sale shows. Attribution has loaded them. */
async function partiesOf(ctx: WriteCtx, { referral_id, affiliate_id }: Sale): Promise<PartiesOfSale> {
  const referral = referral_id === null ? null : await known(ctx, Referral, referral_id);
  const affiliate = affiliate_id === null ? null : await known(ctx, Affiliate, affiliate_id);
  const customer = referral?.customer_id ? await known(ctx, Customer, referral.customer_id) : null;
  return { referral, affiliate, customer };
}

/** Reads the response for a sale that was recorded before, or has changed. */
export async function recordedSale(ctx: WriteCtx, row: Sale): Promise<RecordedSale> {
  const { id, no_commission_reason: reason } = row;
  const warnings = await warningsAbout(ctx, row);
  const earned = await findCommissionOfSale(ctx, id);
  if (!earned?.sale) return { sale: await getSale(ctx, id), commission: null, reason, warnings };
  const { sale, ...commission } = earned;
  return { sale, commission, reason: null, warnings };
}
