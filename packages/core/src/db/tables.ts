import type { AffiliateCouponSchema } from '../affiliate-coupons/affiliate-coupon.entity.ts';
import type { AffiliateSchema } from '../affiliates/affiliate.entity.ts';
import type { CommissionSchema } from '../commissions/commission.entity.ts';
import type { AuditLogTable } from '../audit-log/audit-log.table.ts';
import type { ConnectorSchema } from '../connectors/connector.entity.ts';
import type { CustomerSchema } from '../customers/customer.entity.ts';
import type { LinkSchema } from '../links/link.entity.ts';
import type { PayoutSchema } from '../payouts/payout.entity.ts';
import type { PayoutExportSchema } from '../payout-exports/payout-export.entity.ts';
import type { PayoutExportItemTable } from '../payout-exports/payout-export.tables.ts';
import type { PayoutRunSchema } from '../payout-runs/payout-run.entity.ts';
import type { PayoutRunItemTable } from '../payout-runs/payout-run.tables.ts';
import type { PayoutClaimTable } from '../payouts/claim.tables.ts';
import type { ReferralSchema } from '../referrals/referral.entity.ts';
import type { RefundSchema } from '../sales/refund.entity.ts';
import type { SaleSchema } from '../sales/sale.entity.ts';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { ColumnType, Selectable } from 'kysely';
import type { AccountSchema } from '../accounts/account.entity.ts';
import type { ApiKeySchema } from '../api-keys/api-key.entity.ts';
import type { CampaignSchema } from '../campaigns/campaign.entity.ts';
import type { InvitationSchema } from '../invitations/invitation.entity.ts';
import type { MembershipSchema } from '../members/membership.entity.ts';
import type { PromoCodeSchema } from '../promo-codes/promo-code.entity.ts';
import type { PspPaymentSchema } from '../psp-events/psp-payment.entity.ts';
import type { PspConnectionSchema } from '../psp-connections/psp-connection.entity.ts';
import type { EventTable, WebhookAttemptTable, WebhookDeliveryTable } from '../webhooks/webhook-delivery.tables.ts';
import type { WebhookEndpointSchema } from '../webhooks/webhook-endpoint.entity.ts';
import type {
  OauthAccessTokenTable,
  OauthClientTable,
  OauthConsentTable,
  OauthRefreshTokenTable,
  OauthResourceTable,
} from '../oauth/oauth.tables.ts';
import type { Instant } from './instant.ts';

/** Every table as Kysely sees it: those of entities are inferred from them, the others stand here. */
export interface Tables {
  account: InferKyselyTable<typeof AccountSchema>;
  api_key: InferKyselyTable<typeof ApiKeySchema>;
  audit_log: AuditLogTable;
  auth_credential: AuthCredentialTable;
  auth_attempt: AuthAttemptTable;
  auth_session: AuthSessionTable;
  auth_user: AuthUserTable;
  auth_verification: AuthVerificationTable;
  campaign: InferKyselyTable<typeof CampaignSchema>;
  affiliate: InferKyselyTable<typeof AffiliateSchema>;
  affiliate_coupon: InferKyselyTable<typeof AffiliateCouponSchema>;
  commission: InferKyselyTable<typeof CommissionSchema>;
  connector: InferKyselyTable<typeof ConnectorSchema>;
  customer: InferKyselyTable<typeof CustomerSchema>;
  link: InferKyselyTable<typeof LinkSchema>;
  payout: InferKyselyTable<typeof PayoutSchema>;
  referral: InferKyselyTable<typeof ReferralSchema>;
  refund: InferKyselyTable<typeof RefundSchema>;
  sale: InferKyselyTable<typeof SaleSchema>;
  invitation: InferKyselyTable<typeof InvitationSchema>;
  membership: InferKyselyTable<typeof MembershipSchema>;
  link_clicks: LinkClicksTable;
  oauth_access_token: OauthAccessTokenTable;
  oauth_client: OauthClientTable;
  oauth_consent: OauthConsentTable;
  oauth_refresh_token: OauthRefreshTokenTable;
  oauth_resource: OauthResourceTable;
  payout_claim: PayoutClaimTable;
  payout_export: InferKyselyTable<typeof PayoutExportSchema>;
  payout_export_item: PayoutExportItemTable;
  payout_item: PayoutItemTable;
  payout_run: InferKyselyTable<typeof PayoutRunSchema>;
  payout_run_item: PayoutRunItemTable;
  promo_code: InferKyselyTable<typeof PromoCodeSchema>;
  psp_connection: InferKyselyTable<typeof PspConnectionSchema>;
  psp_event: PspEventTable;
  psp_operation: PspOperationTable;
  psp_payment: InferKyselyTable<typeof PspPaymentSchema>;
  idempotency_key: IdempotencyKeyTable;
  event: EventTable;
  webhook_attempt: WebhookAttemptTable;
  webhook_delivery: WebhookDeliveryTable;
  webhook_endpoint: InferKyselyTable<typeof WebhookEndpointSchema>;
  outgoing_mail: OutgoingMailTable;
}

/** A row as a select returns it. */
export type TableRow<Name extends keyof Tables> = Selectable<Tables[Name]>;

interface IdempotencyKeyTable {
  account_id: string;
  caller_id: string;
  key: string;
  fingerprint: string;
  status: number;
  sealed_body: string;
  created_at: Instant;
}

interface PspEventTable {
  account_id: string;
  psp_event_id: string;
  livemode: boolean;
  type: string;
  occurred_at: Instant;
  state: 'pending' | 'processed' | 'ignored';
  problem: string | null;
  payload: string;
  received_at: Instant;
  processed_at: Instant | null;
}

interface PspOperationTable {
  id: string;
  account_id: string;
  caller_id: string;
  idempotency_key: string | null;
  fingerprint: string;
  kind: string;
  livemode: boolean;
  subject: string;
  state: 'pending' | 'succeeded' | 'failed';
  attempt: number;
  leased_until: Instant | null;
  response_status: number | null;
  response_body: ColumnType<unknown, string | null, string | null>;
  created_at: Instant;
  updated_at: Instant;
}

/** Owned by the authentication library, which also writes the columns that are not listed here. */
interface AuthUserTable {
  id: string;
  email: string;
  email_verified: boolean;
  name: string;
  image: string | null;
  created_at: Instant;
  updated_at: Instant;
}

interface AuthCredentialTable {
  id: string;
  user_id: string;
  account_id: string;
  provider_id: string;
  password: string | null;
  created_at: Instant;
  updated_at: Instant;
}

interface LinkClicksTable {
  link_id: string;
  day: string;
  account_id: string;
  clicks: number;
}

interface PayoutItemTable {
  commission_id: string;
  payout_id: string;
}

interface AuthSessionTable {
  id: string;
  user_id: string;
  token: string;
  active_account_id: string | null;
  ip_address: string | null;
  user_agent: string | null;
  expires_at: Instant;
  created_at: Instant;
  updated_at: Instant;
}

interface AuthVerificationTable {
  id: string;
  identifier: string;
  value: string;
  expires_at: Instant;
  created_at: Instant;
  updated_at: Instant;
}

interface AuthAttemptTable {
  key: string;
  attempts: number;
  window_ends_at: Instant;
}

interface OutgoingMailTable {
  id: string;
  sealed_mail: string;
  attempts: number;
  next_attempt_at: Instant | null;
  last_error: string | null;
  expires_at: Instant;
  created_at: Instant;
}
