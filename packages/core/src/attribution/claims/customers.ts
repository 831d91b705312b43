/** Identifies the customers whom facts name, locks them, and merges those who turn out to be one person. */
import { sql } from 'kysely';
import { moveSalesToCustomer } from '../../ledger/sales/sale.transitions.ts';
import { recordAuditedChange } from '../../platform/audit-log/audit-entry.ts';
import { takeTime } from '../../platform/call/call-time.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock, advisoryLocks, type Held } from '../../platform/call/locks.ts';
import { find, save } from '../../platform/call/records.ts';
import { combinedMetadata } from '../../platform/call/save-merchant-data.ts';
import type { Instant } from '../../platform/time/instant.ts';
import {
  type Identity,
  isVerified,
  joinsOf,
  keyOf,
  moveIdentities,
  withJoins,
} from '../../program/customer-identities/customer-identity.ts';
import { Customer, trialUntil, withExclusions, withTrials } from '../../program/customers/customer.entity.ts';
import {
  createCustomer,
  findCustomers,
  type FoundCustomers,
  identitiesOf,
  joinNames,
  type KnownCustomer,
  learnCustomer,
} from '../../program/customers/customer.service.ts';
import { customerRecord } from '../../program/customers/customer.ts';
import { moveReferralToCustomer } from '../../program/referrals/referral.transitions.ts';
import { emit } from '../../webhooks/events/emit.ts';
import { moveClaims } from './claims.ts';

type HeldCustomer = Held<'customer'>;

/** The id of a customer, and the lock on them. */
export interface LockedCustomer {
  id: string;
  held: HeldCustomer;
}

/**
 * Locks a customer, so that only one transaction at a time decides who earns from this customer's charges. The locks of attribution are
 * taken in this order: customer, then affiliates in the order of their ids, then rows.
 */
export async function lockCustomer(ctx: WriteCtx, id: string): Promise<LockedCustomer> {
  return { id, held: await advisoryLock(ctx, 'customer', id) };
}

/** A customer's record, and the lock on them. */
interface LockedRecord extends LockedCustomer {
  customer: Customer;
}

/** A customer whom a fact names, and the lock on them. */
export interface Identified extends LockedRecord {
  /** True if the customer was known and has an identity now that they did not have before, also by a merge or by a source that vouches for it. */
  hasNewIdentity: boolean;
  /** The ids that the fact contains, as keys (`keyOf`). */
  ids: readonly string[];
  /** The addresses that the fact contains, as keys. */
  emails: readonly string[];
  /** Time from which the fact shows that all its names are of one person. */
  shownAt: Instant;
}

/** The customer of a charge for which a fact names the payer. */
export interface SamePayer {
  id: string;
  /** Returns false if no fact names this customer for the charge, because only its referral has led to them. */
  isNamed: () => Promise<boolean>;
}

/**
 * Finds the customer with these identities, or creates one, and locks the customer (`lockCustomer`). If the identities belong to several customers,
 * merges them into one (docs/rules/program.md#merging-customers).
 *
 * @param payer a customer who is known to be the same person, because both paid the same charge; null if none is known
 */
export async function identifyCustomer(ctx: WriteCtx, known: KnownCustomer, payer: SamePayer | null = null): Promise<Identified> {
  const named = identitiesOf(known);
  const [ids, emails] = [false, true].map((isEmail) => named.filter(({ kind }) => (kind === 'email') === isEmail).map(keyOf)) as [
    string[],
    string[],
  ];
  const names = { ids, emails, shownAt: known.shown_at };
  await lockIdentities(ctx, named);
  for (;;) {
    const { sought, found } = await findNamed(ctx, named);
    const isKnown = payer !== null && found.customers.some(({ id }) => id === payer.id);
    const sameAs = payer !== null && (isKnown || (await payer.isNamed())) ? payer.id : null;
    const involved = await withCustomer(ctx, found.customers, sameAs);
    if (involved.length === 0) {
      const created = createCustomer(ctx, known);
      return { ...(await lockCustomer(ctx, created.id)), customer: created, hasNewIdentity: false, ...names };
    }
    const locks: LockedCustomer[] = [];
    for (const { id } of involved) locks.push(await lockCustomer(ctx, id));
    if (!(await stillExist(ctx, involved))) continue;
    let [oldest, ...newer] = involved as [Customer, ...Customer[]];
    for (const [place, each] of newer.entries())
      oldest = await mergeCustomers(ctx, { ...locks[0]!, customer: oldest }, { ...locks[place + 1]!, customer: each });
    learnCustomer(ctx, oldest, known, found);
    const isNews = (identity: Identity) => {
      const isVouchedFor = found.identities.get(keyOf(identity));
      return isVouchedFor === undefined || (!isVouchedFor && isVerified(identity, known.source));
    };
    const isNew = newer.length > 0 || sought.some(isNews);
    const shown = sought.map(keyOf);
    // The payers of a charge join at the charge. Its other names are those of the sale.
    const withPayer = sameAs !== null && isNew ? [`payer ${sameAs} ${known.shown_at}`, ...shown] : shown;
    const isJoined = joinNames(ctx, oldest, joinsOf(withPayer, known.shown_at));
    return { ...locks[0]!, customer: oldest, hasNewIdentity: isNew || isJoined, ...names };
  }
}

/**
 * Finds the customers whom a fact names, and the identities by which it names them. An address in a fact that has an id of an erased customer is not
 * stored (docs/rules/privacy.md#erasing-customers), so it names nobody either.
 */
async function findNamed(
  ctx: WriteCtx,
  named: readonly Identity[],
): Promise<{ sought: readonly Identity[]; found: FoundCustomers }> {
  const found = await findCustomers(ctx, named);
  if (found.customers.every(({ erased_at }) => erased_at === null)) return { sought: named, found };
  const sought = named.filter(({ kind }) => kind !== 'email');
  return { sought, found: await findCustomers(ctx, sought) };
}

/** Returns the keys of the identities of a customer. */
export async function namesOf({ db, accountId }: WriteCtx, customerId: string): Promise<string[]> {
  const identities = await db
    .selectFrom('customer_identity')
    .select(['kind', 'value'])
    .where('account_id', '=', accountId)
    .where('customer_id', '=', customerId)
    .execute();
  return identities.map(keyOf);
}

/** Locks identities, so that concurrent facts that share one wait for each other. */
export async function lockIdentities(ctx: WriteCtx, named: readonly Identity[]): Promise<Held<'customer identity'>> {
  const held = await advisoryLocks(ctx, 'customer identity', named.map(keyOf));
  takeTime(ctx);
  return held;
}

/** Adds a customer to others. The result is in the order of the ids, oldest first. */
async function withCustomer(ctx: WriteCtx, customers: Customer[], id: string | null): Promise<Customer[]> {
  if (id === null || customers.some((customer) => customer.id === id)) return customers;
  // The customer may have been merged into another one by now, who then has the identities.
  const other = await find(ctx, Customer, id);
  return other === null ? customers : [...customers, other].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Reads the locked customers again. Returns false if one of them no longer exists, because another transaction merged that customer into
 * another one while this transaction waited for the lock.
 */
async function stillExist(ctx: WriteCtx, customers: readonly Customer[]): Promise<boolean> {
  for (const { id } of customers) {
    if (await find(ctx, Customer, id)) continue;
    ctx.records.forget('customer', id);
    return false;
  }
  return true;
}

/**
 * Merges `newer` into `older`: moves all records to `older`, which keeps its id, and deletes `newer`. `attribute` then
 * decides again which affiliates earn, by the claims of both.
 */
export async function mergeCustomers(
  ctx: WriteCtx,
  { customer: older }: LockedRecord,
  { customer: newer }: LockedRecord,
): Promise<Customer> {
  const { id: from } = newer;
  const { id: to } = older;
  await moveClaims(ctx, from, to);
  await moveReferralToCustomer(ctx, from, to);
  const sales = await moveSalesToCustomer(ctx, from, to);
  const { email, psp_customer_id, external_id, metadata, name, first_name, last_name } = newer;
  const trials = withTrials(older.trials, newer.trials);
  const moved = await moveIdentities(ctx.db, from, to);
  await sql`delete from customer where id = ${from}`.execute(ctx.db);
  ctx.records.forget('customer', from);
  emit(ctx, 'customer.merged', { ...customerRecord(newer), merged_into: to });
  save(ctx, Customer, older, {
    email: older.email ?? email,
    psp_customer_id: older.psp_customer_id ?? psp_customer_id,
    external_id: older.external_id ?? external_id,
    metadata: combinedMetadata(older.metadata, metadata),
    trials,
    trial_until: trialUntil(trials),
    exclusions: withExclusions(older.exclusions, newer.exclusions),
    joins: withJoins(older.joins, newer.joins),
    stray_reference: older.stray_reference ?? newer.stray_reference,
    ...(older.name === null && { name, first_name, last_name }),
    // With the data of a customer who is not erased, the record can be erased again.
    erased_at: newer.erased_at === null ? null : older.erased_at,
    updated_at: ctx.now,
  });
  recordAuditedChange(ctx, {
    tool: 'customers',
    action: 'merge',
    arguments: {
      customer_id: to,
      merged_customer_id: from,
      merged: { email, psp_customer_id, name, identities: moved },
      sale_ids: sales,
    },
  });
  return older;
}
