import { LockOrder, type WriteLocks } from './platform/db/lock-order.ts';

/**
 * The order in which a transaction takes locks, so that transactions never wait for each other in a circle. A lock is an advisory lock of the
 * account or the locks on rows of a table, named after the table. A transaction may take a lock again, and may skip locks, but may not go back
 * (`LockLedger`). Locks in a list of their own need no order among themselves.
 *
 * Advisory locks are for decisions that depend on rows which do not exist yet and therefore cannot be locked. PostgreSQL has one space of 64-bit
 * keys per database. The key of a lock in `locks.ts` is the hash of the account id, the lock's name and what it is about. If two keys are equal,
 * the transactions that have them only wait for each other. Migrations (`platform/db/migrate.ts`) and the worker's endpoints use the same space, with
 * locks that belong to a session instead of a transaction.
 *
 * Release: at the end of the transaction, by commit, by rollback, or because the process or its connection died.
 */
const NAMES = [
  'idempotency key',
  'operation key',
  'operation subject',
  'psp events',
  'operation',
  'account',
  'payout batch',
  'payout_batch',
  'data_import',
  'charge',
  'customer of sale',
  'leads of network',
  'customer identity',
  'customer',
  'claims on referral',
  'affiliate',
  'invitation',
  'campaign',
  'reward_rule',
  'tier',
  // Rows that change under the lock of their affiliate.
  ['referral', 'sale', 'payout', 'payout_attempt', 'commission', 'payout_method', 'payout_screening'],
  'affiliate_coupon',
  'promo_code',
  'connections',
  'connection',
  'payout rails',
  'payout_rail',
  'api_key',
  'connector',
  'payout sending',
  'webhook endpoints',
  'webhook_endpoint',
  'webhook_delivery',
  'campaign slug',
  'link token',
  'link',
] as const;

type Name<Place> = Place extends readonly (infer Each)[] ? Each : Place;

declare module './platform/db/lock-order.ts' {
  interface Locks extends Record<Extract<Name<(typeof NAMES)[number]>, string>, true> {}
}

interface Owned {
  id: string;
  affiliate_id: string | null;
  customer_id: string | null;
}

/** The locks under which records of money and of people are changed, by the table. Any one of them suffices. */
const WRITE_LOCKS: WriteLocks = {
  customer: ({ id }: Owned) => [['customer', id]],
  affiliate: ({ id }: Owned) => [['affiliate', id]],
  referral: ({ id, affiliate_id }: Owned) => [
    ['referral', id],
    ['affiliate', affiliate_id],
  ],
  sale: ({ id, affiliate_id, customer_id }: Owned) => [
    ['sale', id],
    ['affiliate', affiliate_id],
    ['customer', customer_id],
    ['customer of sale', id],
  ],
  commission: ({ affiliate_id }: Owned) => [['affiliate', affiliate_id]],
  payout_method: ({ affiliate_id }: Owned) => [['affiliate', affiliate_id]],
  payout_screening: ({ affiliate_id }: Owned) => [['affiliate', affiliate_id]],
  payout_batch: ({ id }: Owned) => [['payout_batch', id]],
  campaign: ({ id }: Owned) => [['campaign', id]],
  promo_code: ({ id }: Owned) => [['promo_code', id]],
  connection: ({ id }: Owned) => [['connection', id]],
  payout_rail: ({ id }: Owned) => [['payout_rail', id]],
};

/** The order of the locks of all rooms, and the locks under which records are changed. */
export const LOCK_ORDER = new LockOrder(NAMES, WRITE_LOCKS);
