import { sql } from 'kysely';
import { recordAuditedChange } from '../platform/audit-log/audit-entry.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { advisoryLock } from '../platform/call/locks.ts';
import { find, get, save } from '../platform/call/records.ts';
import { Customer } from '../program/customers/customer.entity.ts';
import { createCustomer, findCustomers, type KnownCustomer, learnNames } from '../program/customers/customer.service.ts';
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
 * Finds the customer with this provider id or email address, or creates one, and locks the customer (`lockCustomer`). If the provider id
 * belongs to one customer and the address to another, merges both into one (docs/rules/program.md#merging-customers).
 *
 * @param sameAs id of a customer who is known to be the same person, because both paid the same charge; null if none is known
 */
export async function identifyCustomer(ctx: WriteCtx, known: KnownCustomer, sameAs: string | null = null): Promise<Identified> {
  const addresses = [known.email, known.formerEmail].map((address) => address?.toLowerCase());
  const names = new Set([...addresses, known.psp_customer_id].filter((name) => name !== undefined && name !== null));
  // Calls that share a name wait for each other. The names are sorted, so that two calls with the same names cannot deadlock.
  for (const name of [...names].toSorted()) await advisoryLock(ctx, 'customer name', name);
  for (;;) {
    const found = await withCustomer(ctx, await findCustomers(ctx, known), sameAs);
    const involved = found.length > 0 ? found : [await createCustomer(ctx, known)];
    const locks: HeldCustomer[] = [];
    for (const { id } of involved) locks.push(await lockCustomer(ctx, id));
    if (!(await stillExist(ctx, involved))) continue;
    let [oldest, ...newer] = involved as [Customer, ...Customer[]];
    for (const each of newer) oldest = await mergeCustomers(ctx, oldest, each);
    await learnNames(ctx, oldest, known);
    return { customer: oldest, held: locks[0]! };
  }
}

/** Adds a customer to others. The result is in the order of the ids, oldest first. */
async function withCustomer(ctx: WriteCtx, customers: Customer[], id: string | null): Promise<Customer[]> {
  if (id === null || customers.some((customer) => customer.id === id)) return customers;
  // The customer may have been merged into another one by now, who then has the names.
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
  await moveReferralToCustomer(ctx.db, ctx.now, from, to);
  const sales = await moveSalesToCustomer(ctx.db, ctx.now, from, to);
  const { email, psp_customer_id, name, other_emails, other_psp_customer_ids } = newer;
  const known = { email, psp_customer_id, name, other_emails, other_psp_customer_ids };
  const names = { first_name: newer.first_name, last_name: newer.last_name };
  await sql`delete from customer where id = ${from}`.execute(ctx.db);
  ctx.records.forget('customer', from);
  const merged = await get(ctx, Customer, to);
  await learnNames(ctx, merged, { email, psp_customer_id });
  for (const id of other_psp_customer_ids) await learnNames(ctx, merged, { psp_customer_id: id });
  for (const address of other_emails) await learnNames(ctx, merged, { email: address });
  save(ctx, Customer, merged, {
    exclusions: withExclusions(merged.exclusions, newer.exclusions),
    ...(merged.name === null && { name: known.name, ...names }),
    updated_at: ctx.now,
  });
  await recordAuditedChange(ctx, {
    tool: 'customers',
    action: 'merge',
    arguments: { customer_id: to, merged_customer_id: from, merged: known, sale_ids: sales },
  });
  return merged;
}
