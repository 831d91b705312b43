import type { z } from 'zod';
import { ANNOUNCED_PROMO_CODE } from './codes/promo-codes/promo-code-record.ts';
import { PromoCodeEventData } from './codes/promo-codes/promo-code.schema.ts';
import { ImportEventData } from './imports/import.schema.ts';
import { ANNOUNCED_COMMISSION } from './ledger/commissions/commission.queries.ts';
import { CommissionEventData } from './ledger/commissions/commission.schema.ts';
import { ANNOUNCED_PAYOUT } from './ledger/payouts/payout-events.ts';
import {
  FailedPayoutEventData,
  MergedPayoutEventData,
  PaidPayoutEventData,
  PayoutEventData,
} from './ledger/payouts/payout.schema.ts';
import { ANNOUNCED_SALE } from './ledger/sales/sale.queries.ts';
import { SaleEventData } from './ledger/sales/sale.schema.ts';
import { PayoutExportEventData } from './payouts/exports/payout-export.schema.ts';
import { PayoutRunEventData } from './payouts/runs/payout-run.schema.ts';
import { AffiliateEventData, ANNOUNCED_AFFILIATE } from './program/affiliates/affiliate.ts';
import { ANNOUNCED_CAMPAIGN, CampaignEventData } from './program/campaigns/campaign.ts';
import { ANNOUNCED_CUSTOMER, CustomerEventData, MergedCustomerEventData } from './program/customers/customer.ts';
import { ANNOUNCED_LINK, LinkEventData } from './program/links/link.ts';
import { PayoutMethodEventData } from './program/payout-methods/payout-method.schema.ts';
import { ANNOUNCED_PAYOUT_METHOD } from './program/payout-methods/payout-method.ts';
import { ANNOUNCED_REFERRAL, ReferralEventData } from './program/referrals/referral.ts';
import { ANNOUNCED_REWARD_RULE } from './rewards/rules/reward-rule.queries.ts';
import { RewardRuleEventData } from './rewards/rules/reward-rule.schema.ts';
import { ANNOUNCED_TIER, TierChangeEventData, TierEventData } from './rewards/tiers/tier.ts';
import type { AnnouncedRecord } from './webhooks/events/announced-record.ts';
import type { EventType } from './webhooks/events/event-types.ts';

/** Schema of `data` of each event (docs/rules/webhooks.md#events). */
export const EVENT_CATALOG = {
  'affiliate.created': AffiliateEventData,
  'affiliate.approved': AffiliateEventData,
  'affiliate.updated': AffiliateEventData,
  'affiliate.tier_changed': TierChangeEventData,
  'campaign.created': CampaignEventData,
  'campaign.updated': CampaignEventData,
  'reward_rule.created': RewardRuleEventData,
  'reward_rule.updated': RewardRuleEventData,
  'tier.created': TierEventData,
  'tier.updated': TierEventData,
  'link.created': LinkEventData,
  'link.updated': LinkEventData,
  'promo_code.created': PromoCodeEventData,
  'promo_code.updated': PromoCodeEventData,
  'referral.created': ReferralEventData,
  'referral.converted': ReferralEventData,
  'referral.updated': ReferralEventData,
  'customer.created': CustomerEventData,
  'customer.updated': CustomerEventData,
  'customer.merged': MergedCustomerEventData,
  'sale.recorded': SaleEventData,
  'sale.refunded': SaleEventData,
  'sale.updated': SaleEventData,
  'commission.created': CommissionEventData,
  'commission.due': CommissionEventData,
  'commission.paid': CommissionEventData,
  'commission.voided': CommissionEventData,
  'commission.updated': CommissionEventData,
  'payout.created': PayoutEventData,
  'payout.updated': PayoutEventData,
  'payout.merged': MergedPayoutEventData,
  'payout.paid': PaidPayoutEventData,
  'payout.returned': PaidPayoutEventData,
  'payout.failed': FailedPayoutEventData,
  'payout_method.created': PayoutMethodEventData,
  'payout_method.updated': PayoutMethodEventData,
  'payout_run.finished': PayoutRunEventData,
  'payout_export.paid': PayoutExportEventData,
  'import.completed': ImportEventData,
} as const satisfies Record<EventType, z.ZodObject>;

export type EventData<Type extends EventType> = z.infer<(typeof EVENT_CATALOG)[Type]>;

/** The records whose changes become events by themselves. Other events are stated by `emit`. */
export const ANNOUNCED: readonly AnnouncedRecord[] = [
  ANNOUNCED_AFFILIATE,
  ANNOUNCED_CAMPAIGN,
  ANNOUNCED_REWARD_RULE,
  ANNOUNCED_TIER,
  ANNOUNCED_LINK,
  ANNOUNCED_PROMO_CODE,
  ANNOUNCED_REFERRAL,
  ANNOUNCED_CUSTOMER,
  ANNOUNCED_SALE,
  ANNOUNCED_COMMISSION,
  ANNOUNCED_PAYOUT,
  ANNOUNCED_PAYOUT_METHOD,
];
