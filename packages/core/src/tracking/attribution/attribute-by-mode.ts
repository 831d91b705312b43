import type { Sale } from '../../earnings/sales/sale.entity.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { KnownClaim } from './claims.ts';
import { type AttributionRules, type Charge, type Outcome, attributeCharges } from './decide.ts';

/** A charge with its sale. */
export interface ChargeOfSale extends Charge {
  sale: Sale;
}

/**
 * Attributes live and test charges apart, so that test sales change nothing that live ones earn (docs/domain-rules.md#modes). A customer
 * without live charges is bound by the test ones.
 */
export function attributeByMode(
  claims: readonly KnownClaim[],
  charges: readonly ChargeOfSale[],
  testSales: ReadonlySet<Sale>,
  rules: AttributionRules,
  until: Instant,
): Outcome {
  const testCharges = charges.filter(({ sale }) => testSales.has(sale));
  if (testCharges.length === 0) return attributeCharges(claims, charges, rules, until);
  const test = attributeCharges(claims, testCharges, rules, until);
  if (testCharges.length === charges.length) return test;
  const testSaleIds = new Set([...testSales].map(({ id }) => id));
  const live = attributeCharges(
    claims.filter(({ sale_id }) => sale_id === null || !testSaleIds.has(sale_id)),
    charges.filter(({ sale }) => !testSales.has(sale)),
    rules,
    until,
  );
  return {
    attributions: [...live.attributions, ...test.attributions],
    binding: live.binding,
    conversions: new Map([...test.conversions, ...live.conversions]),
  };
}

/** Breaks ties between charges of one second by the provider's ids, which do not depend on arrival. */
export function chargeKey(sale: Sale): string {
  return sale.psp_charge_id ?? sale.psp_invoice_id ?? sale.id;
}
