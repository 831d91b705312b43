import type { ProviderMode } from './provider-mode.ts';

/** A promotion code as the provider reports it at one moment. */
export interface ProviderPromotionCode {
  id: string;
  /** Text that a customer types. Unique among the provider's active codes, without regard to case. */
  code: string;
  active: boolean;
  mode: ProviderMode;
  couponId: string | null;
  /** Id of the only customer who can use the code; null if any customer can. */
  customerId: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  maxRedemptions: number | null;
  timesRedeemed: number;
  firstTimeTransaction: boolean;
  /** In the minor unit of `minimumAmountCurrency`. */
  minimumAmount: number | null;
  minimumAmountCurrency: string | null;
  metadata: Record<string, string>;
}
