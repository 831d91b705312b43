import { AffiliateCouponSchema } from '../affiliate-coupons/affiliate-coupon.entity.ts';
import { AffiliateSchema } from '../affiliates/affiliate.entity.ts';
import { CommissionSchema } from '../commissions/commission.entity.ts';
import { ConnectorSchema } from '../connectors/connector.entity.ts';
import { CustomerSchema } from '../customers/customer.entity.ts';
import { LinkSchema } from '../links/link.entity.ts';
import { PayoutSchema } from '../payouts/payout.entity.ts';
import { PayoutExportSchema } from '../payout-exports/payout-export.entity.ts';
import { PayoutRunSchema } from '../payout-runs/payout-run.entity.ts';
import { ReferralSchema } from '../referrals/referral.entity.ts';
import { RefundSchema } from '../sales/refund.entity.ts';
import { SaleSchema } from '../sales/sale.entity.ts';
import { AccountSchema } from '../accounts/account.entity.ts';
import { ApiKeySchema } from '../api-keys/api-key.entity.ts';
import { CampaignSchema } from '../campaigns/campaign.entity.ts';
import { InvitationSchema } from '../invitations/invitation.entity.ts';
import { MembershipSchema } from '../members/membership.entity.ts';
import { PromoCodeSchema } from '../promo-codes/promo-code.entity.ts';
import { PspPaymentSchema } from '../psp-events/psp-payment.entity.ts';
import { PspConnectionSchema } from '../psp-connections/psp-connection.entity.ts';
import { WebhookEndpointSchema } from '../webhooks/webhook-endpoint.entity.ts';

/** Every entity: what the ORM knows. */
export const ENTITIES = [
  AccountSchema,
  AffiliateCouponSchema,
  AffiliateSchema,
  ApiKeySchema,
  CampaignSchema,
  CommissionSchema,
  ConnectorSchema,
  CustomerSchema,
  InvitationSchema,
  LinkSchema,
  MembershipSchema,
  PayoutSchema,
  PayoutExportSchema,
  PayoutRunSchema,
  PromoCodeSchema,
  PspConnectionSchema,
  PspPaymentSchema,
  ReferralSchema,
  RefundSchema,
  SaleSchema,
  WebhookEndpointSchema,
];
