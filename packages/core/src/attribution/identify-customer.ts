import { sql } from 'kysely';
import { recordAuditedChange } from '../platform/audit-log/audit-entry.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { type Held, advisoryLocks } from '../platform/call/locks.ts';
import { find, save } from '../platform/call/records.ts';
import { takeTime } from '../platform/call/take-time.ts';
import { emit } from '../webhooks/events/emit.ts';
import { Customer } from '../program/customers/customer.entity.ts';
import { customerRecord } from '../program/customers/customer.queries.ts';
import { type Identity, keyOf, moveIdentities } from '../program/customer-identities/customer-identity.ts';
import {
  createCustomer,
  findCustomers,
  identitiesOf,
  type KnownCustomer,
  learnCustomer,
} from '../program/customers/customer.service.ts';
import { withExclusions } from '../program/customers/exclusions.ts';
import { moveSalesToCustomer } from '../ledger/sales/sale.transitions.ts';
import { moveReferralToCustomer } from '../program/referrals/referral.transitions.ts';
import { type HeldCustomer, lockCustomer } from './claims.ts';

/** A customer, and the lock on them. */
export interface Identified {
  customer: Customer;
  held: HeldCustomer;
}

/**
 * Finds the customer with these identities, or creates one, and locks the customer (`lockCustomer`). If the identities belong to several customers,
 * merges them into one (docs/rules/program.md#merging-customers).
 *
 * @param sameAs id of a customer who is known to be the same person, because both paid the same charge; null if none is known
 */
export async function identifyCustomer(ctx: WriteCtx, known: KnownCustomer, sameAs: string | null = null): Promise<Identified> {
  const named = identitiesOf(known);
  await lockIdentities(ctx, named);
  for (;;) {
    const found = await findCustomers(ctx, named);
    const involved = await withCustomer(ctx, found.customers, sameAs);
    if (involved.length === 0) {
      const created = createCustomer(ctx, known);
      return { customer: created, held: await lockCustomer(ctx, created.id) };
    }
    const locks: HeldCustomer[] = [];
    for (const { id } of involved) locks.push(await lockCustomer(ctx, id));
    if (!(await stillExist(ctx, involved))) continue;
    let [oldest, ...newer] = involved as [Customer, ...Customer[]];
    for (const each of newer) oldest = await mergeCustomers(ctx, oldest, each);
    learnCustomer(ctx, oldest, known, found);
    return { customer: oldest, held: locks[0]! };
  }
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
 * Merges `newer` into `older`: moves all records to `older`, which keeps its id, and deletes `newer`. The caller then settles who earns,
 * based on the claims of both.
 */
async function mergeCustomers(ctx: WriteCtx, older: Customer, newer: Customer): Promise<Customer> {
  const { id: from } = newer;
  const { id: to } = older;
  // One referral may have been continued for both customers, each by a claim of their own. Both claims are kept.
  await sql`
    insert into attribution_claim (id, account_id, customer_id, kind, referral_id, affiliate_id, campaign_id, code, psp_promotion_code_id, sale_id, claimed_from, made_at, source, last_click, before_link, proven, created_at)
    select new_id('claim', ${ctx.now}::timestamptz), account_id, ${to}, kind, referral_id, affiliate_id, campaign_id, code, psp_promotion_code_id, sale_id, claimed_from, made_at,
      case when exists (
        select from attribution_claim kept where kept.customer_id = ${to} and kept.source = claim.source and kept.referral_id <> claim.referral_id
      ) then 'referral ' || referral_id else source end,
      last_click, before_link, proven, created_at
    from attribution_claim claim where customer_id = ${from}
    on conflict (customer_id, source) do update set claimed_from = least(attribution_claim.claimed_from, excluded.claimed_from),
      made_at = least(attribution_claim.made_at, excluded.made_at), proven = attribution_claim.proven or excluded.proven`.execute(
    ctx.db,
  );
  await sql`delete from attribution_claim where customer_id = ${from}`.execute(ctx.db);
  await moveReferralToCustomer(ctx, from, to);
  const sales = await moveSalesToCustomer(ctx, from, to);
  const { email, psp_customer_id, name, first_name, last_name } = newer;
  const moved = await moveIdentities(ctx.db, from, to);
  await sql`delete from customer where id = ${from}`.execute(ctx.db);
  ctx.records.forget('customer', from);
  emit(ctx, 'customer.merged', { ...customerRecord(newer), merged_into: to });
  save(ctx, Customer, older, {
    email: older.email ?? email,
    psp_customer_id: older.psp_customer_id ?? psp_customer_id,
    exclusions: withExclusions(older.exclusions, newer.exclusions),
    ...(older.name === null && { name, first_name, last_name }),
    updated_at: ctx.now,
  });
  await recordAuditedChange(ctx, {
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
