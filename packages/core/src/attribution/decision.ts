import type { Locked } from '../platform/call/locks.ts';
import type { Commission } from '../ledger/commissions/commission.entity.ts';
import type { ContestedSale, NoCommissionReason, Sale, SaleLimits } from '../ledger/sales/sale.entity.ts';
import type { Referral } from '../program/referrals/referral.entity.ts';

/** The referral to which a sale is attributed, and the reason if the sale earns nothing. */
export interface Decision {
  sale: Locked<Sale>;
  referral: Referral | null;
  refusal: NoCommissionReason | null;
  /** Limits of the campaign to store with the sale. Null if the sale keeps the limits that it has. */
  limits: SaleLimits | null;
  /** The earner if the commission of the sale were not paid; null if the facts do not contradict the payment. */
  contested: ContestedSale | null;
}

/** The current commission of each sale, by the id of the sale. The commissions are locked. */
export type HeldCommissions = Map<string, Locked<Commission>>;
