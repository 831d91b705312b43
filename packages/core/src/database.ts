import { sql } from 'kysely';
import { ATTRIBUTION } from './attribution/declarations.ts';
import { AffiliateCoupon } from './codes/affiliate-coupons/affiliate-coupon.ts';
import { CODES } from './codes/declarations.ts';
import { PromoCode } from './codes/promo-codes/promo-code.entity.ts';
import { ANNOUNCED } from './event-catalog.ts';
import { Account } from './identity/accounts/account.entity.ts';
import { ApiKey } from './identity/api-keys/api-key.ts';
import { Connector } from './identity/connectors/connector.ts';
import { IDENTITY } from './identity/declarations.ts';
import { Membership } from './identity/members/memberships.ts';
import { IMPORTS } from './imports/declarations.ts';
import { Import } from './imports/port/import.entity.ts';
import { INTAKE } from './intake/declarations.ts';
import { Commission } from './ledger/commissions/commission.entity.ts';
import { LEDGER } from './ledger/declarations.ts';
import { PayoutAttempt } from './ledger/payouts/payout-attempt.entity.ts';
import { Payout } from './ledger/payouts/payout.entity.ts';
import { Refund } from './ledger/sales/refund.ts';
import { Sale } from './ledger/sales/sale.entity.ts';
import { LOCK_ORDER } from './lock-order.ts';
import { PayoutBatch } from './payouts/batches/payout-batch.entity.ts';
import { PAYOUTS } from './payouts/declarations.ts';
import { PayoutRail } from './payouts/rails/open-rail.ts';
import type { Services } from './platform/call/context.ts';
import { Database, type DatabaseOptions } from './platform/db/database.ts';
import { type MustStop, purge } from './platform/db/purge.ts';
import type { Tables } from './platform/db/tables.ts';
import { PLATFORM } from './platform/declarations.ts';
import { Constraints } from './platform/errors/constraints.ts';
import type { JobKindProperties, JobKinds } from './platform/jobs/jobs.ts';
import type { Retention, Room } from './platform/room.ts';
import { plusDays, toInstant } from './platform/time/instant.ts';
import { firstIdAt, type RecordKind } from './platform/wire/ids.ts';
import { PORTAL } from './portal/declarations.ts';
import { PRIVACY } from './privacy/declarations.ts';
import { Affiliate } from './program/affiliates/affiliate.entity.ts';
import { Campaign } from './program/campaigns/campaign.entity.ts';
import { Customer } from './program/customers/customer.entity.ts';
import { PROGRAM } from './program/declarations.ts';
import { Invitation } from './program/invitations/invitation.ts';
import { Link } from './program/links/link.ts';
import { PayoutMethod } from './program/payout-methods/payout-method.ts';
import { Referral } from './program/referrals/referral.entity.ts';
import { REPORTS } from './reports/declarations.ts';
import { REWARDS } from './rewards/declarations.ts';
import { RewardRule } from './rewards/rules/reward-rule.entity.ts';
import { Connection } from './sources/connections/connection.entity.ts';
import { SOURCES } from './sources/declarations.ts';
import { WEBHOOKS } from './webhooks/declarations.ts';
import { WebhookEndpoint } from './webhooks/endpoints/webhook-endpoint.ts';
import { announcerOf } from './webhooks/events/announce.ts';

/** The declarations of all rooms. */
const ROOMS: readonly Room[] = [
  ATTRIBUTION,
  CODES,
  IDENTITY,
  IMPORTS,
  INTAKE,
  LEDGER,
  PAYOUTS,
  PLATFORM,
  PORTAL,
  PRIVACY,
  PROGRAM,
  REPORTS,
  REWARDS,
  SOURCES,
  WEBHOOKS,
];

/** All entities of the ORM. */
export const ENTITIES = [
  AffiliateCoupon,
  PromoCode,
  Account,
  ApiKey,
  Connector,
  Membership,
  Import,
  Commission,
  PayoutAttempt,
  Payout,
  Refund,
  Sale,
  PayoutBatch,
  PayoutRail,
  Affiliate,
  Campaign,
  Customer,
  Invitation,
  Link,
  PayoutMethod,
  Referral,
  RewardRule,
  Connection,
  WebhookEndpoint,
];

/** The errors for violations of all unique indexes. */
export const CONSTRAINTS = new Constraints(
  ROOMS.map(({ uniqueIndexes = {} }) => uniqueIndexes),
  ROOMS.flatMap(({ raced = [] }) => raced),
);

/** The kinds of jobs of all rooms. */
export const JOB_KINDS: Readonly<Record<keyof JobKinds, JobKindProperties>> = {
  ...ATTRIBUTION.jobs,
  ...IDENTITY.jobs,
  ...IMPORTS.jobs,
  ...INTAKE.jobs,
  ...LEDGER.jobs,
  ...PAYOUTS.jobs,
  ...PLATFORM.jobs,
  ...PORTAL.jobs,
  ...PRIVACY.jobs,
  ...WEBHOOKS.jobs,
};

const RETENTION: ReadonlyMap<string, Retention> = new Map(ROOMS.flatMap(({ retention = {} }) => Object.entries(retention)));

/** The tables of which `purgeRows` deletes rows. */
export const RETAINED_TABLES = [...RETENTION.keys()] as readonly (keyof Tables)[];

/** Deletes the rows of a table whose retention is over, oldest first, as `purge` does. Returns their number. */
export function purgeRows({ database, clock }: Services, table: keyof Tables, mustStop?: MustStop): Promise<number> {
  const { key, since = 'expires_at', idsOf, days = 0, when = 'true' } = RETENTION.get(table)!;
  const before = plusDays(toInstant(clock.now()), -days);
  const isOld = idsOf
    ? sql<boolean>`id < ${firstIdAt(idsOf, new Date(before))}`
    : sql<boolean>`${sql.ref(since)} <= ${before}::timestamptz`;
  const isOver = sql<boolean>`${isOld} and ${sql.raw(when)}`;
  return purge(database.kysely, { table, ...(key && { key }), isOver, order: idsOf ? 'id' : since }, mustStop);
}

/** Returns the table of a kind of record and the names of its columns, or null if the kind has no entity. */
export function tableOfKind(kind: RecordKind): { name: string; columns: ReadonlySet<string> } | null {
  const name = ROOMS.find(({ named }) => named?.[kind] !== undefined)?.named?.[kind] ?? kind;
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
      tables: ROOMS,
      lockOrder: LOCK_ORDER,
    }),
  );
}
