import { ATTRIBUTION_TABLES } from './attribution/tables.ts';
import { AffiliateCoupon } from './codes/affiliate-coupons/affiliate-coupon.entity.ts';
import { CODES_CONSTRAINTS } from './codes/constraints.ts';
import { PromoCode } from './codes/promo-codes/promo-code.entity.ts';
import { CODES_TABLES } from './codes/tables.ts';
import { ANNOUNCED } from './event-catalog.ts';
import { Account } from './identity/accounts/account.entity.ts';
import { ApiKey } from './identity/api-keys/api-key.entity.ts';
import { Connector } from './identity/connectors/connector.entity.ts';
import { IDENTITY_CONSTRAINTS } from './identity/constraints.ts';
import { Membership } from './identity/members/membership.entity.ts';
import { IDENTITY_TABLES } from './identity/tables.ts';
import { IMPORTS_CONSTRAINTS } from './imports/constraints.ts';
import { Import } from './imports/port/import.entity.ts';
import { IMPORTS_TABLES } from './imports/tables.ts';
import { INTAKE_CONSTRAINTS } from './intake/constraints.ts';
import { Commission } from './ledger/commissions/commission.entity.ts';
import './ledger/commissions/commission-count.tables.ts';
import './platform/audit-log/audit-log.tables.ts';
import './identity/api-log/api-log.tables.ts';
import './identity/auth-library/auth.tables.ts';
import './identity/branding/branding.tables.ts';
import './identity/members/member-mail.tables.ts';
import './identity/oauth/oauth.tables.ts';
import './identity/sign-in-links/sign-in-link.tables.ts';
import './identity/setup/setup-token.tables.ts';
import './rewards/tiers/affiliate-tier.tables.ts';
import './portal/applications/application.tables.ts';
import './portal/assets/asset.tables.ts';
import './portal/email-change/email-change.tables.ts';
import './portal/entry/portal-access.tables.ts';
import './portal/notices/notice.tables.ts';
import './platform/files/file.tables.ts';
import './platform/idempotency/idempotency.tables.ts';
import './platform/mail/outgoing-mail.tables.ts';
import './platform/secrets/secret-key.tables.ts';
import './program/clicks/click.tables.ts';
import './program/affiliate-mails/mail-template.tables.ts';
import { LEDGER_CONSTRAINTS } from './ledger/constraints.ts';
import './program/referrals/referral.tables.ts';
import './platform/operations/operation.tables.ts';
import './sources/sources.ts';
import './ledger/sales/payment.tables.ts';
import './reports/analytics/analytics.tables.ts';
import './attribution/claims/attribution-claim.tables.ts';
import './intake/provider-events/psp-event.tables.ts';
import './webhooks/deliveries/webhook-delivery.tables.ts';
import { PayoutAttempt } from './ledger/payouts/payout-attempt.entity.ts';
import { Payout } from './ledger/payouts/payout.entity.ts';
import { Refund } from './ledger/sales/refund.entity.ts';
import { Sale } from './ledger/sales/sale.entity.ts';
import { LEDGER_TABLES } from './ledger/tables.ts';
import { LOCK_ORDER } from './lock-order.ts';
import { PayoutBatch } from './payouts/batches/payout-batch.entity.ts';
import { PAYOUTS_CONSTRAINTS } from './payouts/constraints.ts';
import { PayoutRail } from './payouts/rails/payout-rail.entity.ts';
import { PAYOUTS_TABLES } from './payouts/tables.ts';
import { PLATFORM_CONSTRAINTS } from './platform/constraints.ts';
import { Database, type DatabaseOptions } from './platform/db/database.ts';
import { Constraints } from './platform/errors/constraints.ts';
import type { RoomTables } from './platform/room-tables.ts';
import { PLATFORM_TABLES } from './platform/tables.ts';
import type { RecordKind } from './platform/wire/ids.ts';
import { PORTAL_CONSTRAINTS } from './portal/constraints.ts';
import { PORTAL_TABLES } from './portal/tables.ts';
import { Affiliate } from './program/affiliates/affiliate.entity.ts';
import { Campaign } from './program/campaigns/campaign.entity.ts';
import { KEYS_TO_DELETED_RECORDS, PROGRAM_CONSTRAINTS } from './program/constraints.ts';
import { Customer } from './program/customers/customer.entity.ts';
import { Invitation } from './program/invitations/invitation.entity.ts';
import { Link } from './program/links/link.entity.ts';
import { PayoutMethod } from './program/payout-methods/payout-method.entity.ts';
import { Referral } from './program/referrals/referral.entity.ts';
import { PROGRAM_TABLES } from './program/tables.ts';
import { REPORTS_TABLES } from './reports/tables.ts';
import { REWARDS_CONSTRAINTS } from './rewards/constraints.ts';
import { RewardRule } from './rewards/rules/reward-rule.entity.ts';
import { REWARDS_TABLES } from './rewards/tables.ts';
import { Connection } from './sources/connections/connection.entity.ts';
import { SOURCES_CONSTRAINTS } from './sources/constraints.ts';
import { SOURCES_TABLES } from './sources/tables.ts';
import { WEBHOOKS_CONSTRAINTS } from './webhooks/constraints.ts';
import { WebhookEndpoint } from './webhooks/endpoints/webhook-endpoint.entity.ts';
import { announcerOf } from './webhooks/events/announce.ts';
import { WEBHOOKS_TABLES } from './webhooks/tables.ts';

/** All entities of the ORM. */
export const ENTITIES = [
  Account,
  AffiliateCoupon,
  Affiliate,
  ApiKey,
  Campaign,
  Commission,
  Connector,
  Customer,
  Import,
  Invitation,
  Link,
  Membership,
  Payout,
  PayoutAttempt,
  PayoutMethod,
  PayoutBatch,
  PayoutRail,
  PromoCode,
  Connection,
  Referral,
  Refund,
  RewardRule,
  Sale,
  WebhookEndpoint,
];

/** The errors for violations of all unique indexes, as the rooms declare them. */
export const CONSTRAINTS = new Constraints(
  [
    CODES_CONSTRAINTS,
    LEDGER_CONSTRAINTS,
    IDENTITY_CONSTRAINTS,
    IMPORTS_CONSTRAINTS,
    PAYOUTS_CONSTRAINTS,
    PORTAL_CONSTRAINTS,
    PLATFORM_CONSTRAINTS,
    PROGRAM_CONSTRAINTS,
    REWARDS_CONSTRAINTS,
    INTAKE_CONSTRAINTS,
    SOURCES_CONSTRAINTS,
    WEBHOOKS_CONSTRAINTS,
  ],
  KEYS_TO_DELETED_RECORDS,
);

/** The tables of all rooms, as the platform needs to know them. */
const TABLES = [
  ATTRIBUTION_TABLES,
  CODES_TABLES,
  IDENTITY_TABLES,
  IMPORTS_TABLES,
  LEDGER_TABLES,
  PAYOUTS_TABLES,
  PLATFORM_TABLES,
  PORTAL_TABLES,
  PROGRAM_TABLES,
  REPORTS_TABLES,
  REWARDS_TABLES,
  SOURCES_TABLES,
  WEBHOOKS_TABLES,
];

/** Returns the table of a kind of record and the names of its columns, or null if the kind has no entity. */
export function tableOfKind(kind: RecordKind): { name: string; columns: ReadonlySet<string> } | null {
  const name = (TABLES as readonly RoomTables[]).find(({ named }) => named?.[kind] !== undefined)?.named?.[kind] ?? kind;
  const entity = ENTITIES.find(({ tableName }) => tableName === name);
  return entity ? { name, columns: new Set(Object.keys(entity.meta.properties)) } : null;
}

/** Opens the connections to PostgreSQL, with the declarations of all rooms, without migrating. Connects at the first statement. */
export function openDatabase(options: DatabaseOptions): Promise<Database> {
  return Promise.resolve(
    new Database(options, {
      entities: ENTITIES,
      constraints: CONSTRAINTS,
      announcer: announcerOf(ANNOUNCED),
      tables: TABLES,
      lockOrder: LOCK_ORDER,
    }),
  );
}
