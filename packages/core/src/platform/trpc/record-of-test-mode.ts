import type { Principal } from '../call/context.ts';
import { isTestAccount, testAccountOf } from '../call/test-account-id.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { ID_PREFIXES, type RecordKind } from '../wire/ids.ts';

/*
 * Calls of keys without a mode that name a record of test mode by its id, but not the test account (docs/rules/platform.md#test-mode).
 */

type KeyPrincipal = Extract<Principal, { kind: 'api_key' }>;

/** The tables of records that calls name by their ids. */
const TABLES = {
  affiliate: 'affiliate',
  affiliate_coupon: 'affiliate_coupon',
  api_request: 'api_request',
  application: 'application',
  asset: 'asset',
  campaign: 'campaign',
  commission: 'commission',
  connector: 'connector',
  customer: 'customer',
  delivery: 'webhook_delivery',
  erasure: 'erasure',
  event: 'event',
  invitation: 'invitation',
  link: 'link',
  payout: 'payout',
  payout_export: 'payout_export',
  payout_run: 'payout_run',
  promo_code: 'promo_code',
  referral: 'referral',
  refund: 'refund',
  reward_rule: 'reward_rule',
  sale: 'sale',
  tier: 'tier',
  webhook_endpoint: 'webhook_endpoint',
} as const satisfies Partial<Record<RecordKind, keyof Tables>>;

const TABLE_BY_PREFIX = new Map(
  Object.entries(TABLES).map(([kind, table]) => [ID_PREFIXES[kind as keyof typeof TABLES], table as 'affiliate']),
);

/**
 * Returns the caller of a call that has found no record in the live account as a caller of the test account, if the call names a record of that
 * account by its id. Returns null if it does not, and for callers with a mode. Records that are named by the merchant's own ids are not looked up,
 * because both modes may have one with the same id.
 *
 * @param input the input of the call, not validated
 */
export async function asCallerOfTestRecord(db: Db, caller: Principal, input: unknown): Promise<KeyPrincipal | null> {
  if (caller.kind !== 'api_key' || caller.livemode !== null || isTestAccount(caller.account_id)) return null;
  const account_id = testAccountOf(caller.account_id);
  for (const value of Object.values(Object(input) as Record<string, unknown>)) {
    if (typeof value !== 'string') continue;
    const table = TABLE_BY_PREFIX.get(value.slice(0, -27) as 'aff');
    if (table === undefined) continue;
    const found = await db
      .selectFrom(table)
      .select('id')
      .where('id', '=', value)
      .where('account_id', '=', account_id)
      .executeTakeFirst();
    if (found) return { ...caller, account_id };
  }
  return null;
}
