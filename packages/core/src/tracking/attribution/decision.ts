import type { Commission } from '../../earnings/commission-records/commission.entity.ts';
import type { NoCommissionReason, Sale } from '../../earnings/sales/sale.entity.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';

/** The referral that a sale belongs to, and the reason if it earns nothing. */
export interface Decision {
  sale: Sale;
  referral: Referral | null;
  refusal: NoCommissionReason | null;
}

/** The commission that each sale has earned as attribution stands now, locked, by the id of the sale. */
export type HeldCommissions = Map<string, Commission>;
