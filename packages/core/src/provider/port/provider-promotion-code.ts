/** A promotion code as the provider reports it at one moment. */
export interface ProviderPromotionCode {
  id: string;
  /** What a customer types; unique among the provider's active codes whatever its case. */
  code: string;
  active: boolean;
  livemode: boolean;
  couponId: string | null;
  /** Set when the code is for one customer only. */
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
