import type { Sale } from '../ledger/sales/sale.entity.ts';
import type { Instant } from '../platform/time/instant.ts';
import type { KnownClaim } from './known-claim.ts';
import { type Charge, type Outcome, attributeCharges } from './decide.ts';

/** A charge with its sale. */
export interface ChargeOfSale extends Charge {
  sale: Sale;
}

/**
 * Attributes live and test charges separately, so that test sales do not change what live sales earn (docs/rules/platform.md#modes). The test
 * charges bind the customer only if there are no live charges.
 */
export function attributeByMode(
  claims: readonly KnownClaim[],
  charges: readonly ChargeOfSale[],
  testSales: ReadonlySet<Sale>,
  until: Instant,
): Outcome {
  const testCharges = charges.filter(({ sale }) => testSales.has(sale));
  const test = attributeCharges(claims, testCharges, until);
  if (testCharges.length === charges.length) return test;
  const testSaleIds = new Set([...testSales].map(({ id }) => id));
  const live = attributeCharges(
    claims.filter(({ sale_id, isTest }) => (sale_id === null ? !isTest : !testSaleIds.has(sale_id))),
    charges.filter(({ sale }) => !testSales.has(sale)),
    until,
  );
  if (testCharges.length === 0) return live;
  return {
    attributions: [...live.attributions, ...test.attributions],
    binding: live.binding,
    conversions: new Map([...test.conversions, ...live.conversions]),
  };
}

/**
 * Returns a key that identifies a charge and orders charges of the same second. The order follows the ids of the provider or the merchant, which do
 * not depend on when a report arrives. A sale without provider ids that was charged at the moment of its report is ordered by its own id, so that a
 * later sale of the same millisecond comes after it. Every key ends with the sale's id, because payments of one invoice may have the same provider
 * ids until their charges are known.
 */
export function chargeKey(sale: Sale): string {
  const reported = sale.charged_at === sale.created_at ? '' : (sale.external_id ?? '');
  return `${sale.psp_charge_id ?? sale.psp_payment_intent_id ?? sale.psp_invoice_id ?? reported} ${sale.id}`;
}
