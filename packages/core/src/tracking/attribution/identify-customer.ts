import { sql } from 'kysely';
import { advisoryLock } from '../../platform/call/advisory-lock.ts';
import { recordAuditedChange } from '../../identity/audit-log/audit-entry.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { Customer } from '../../program/customers/customer.entity.ts';
import { findCustomer, findOrCreateCustomer, type KnownCustomer } from '../../program/customers/customer.service.ts';
import { moveSalesToCustomer } from '../../earnings/sales/sale.transitions.ts';
import { moveReferralToCustomer } from '../../program/referrals/referral.transitions.ts';
import { lockCustomer } from './claims.ts';

/**
 * The customer with this provider id or e-mail address, created when there is none, and locked (`lockCustomer`). Two customers whom a source
 * shows to be one, because it names the provider id of the first and the address of the second, are merged
 * (docs/domain-rules.md#merging-customers).
 */
export async function identifyCustomer(ctx: WriteCtx, known: KnownCustomer): Promise<Customer> {
  const names = [known.email?.toLowerCase(), known.psp_customer_id].filter((name) => name !== undefined && name !== null);
  // Calls that share a name take turns; sorted, so that two calls with the same names cannot deadlock.
  for (const name of names.toSorted()) await advisoryLock(ctx, `customer name ${name}`);
  for (;;) {
    const customer = await findOrCreateCustomer(ctx, known);
    const twin = known.psp_customer_id && known.email ? await findCustomer(ctx, { email: known.email }) : null;
    const involved =
      twin === null || twin.id === customer.id ? [customer] : [twin, customer].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const { id } of involved) await lockCustomer(ctx, id);
    if (!(await stillExist(ctx, involved))) continue;
    const [older, newer] = involved;
    // A twin with a provider id of its own is another customer of the provider who shares the address.
    const isOne = newer && twin?.psp_customer_id === null && customer.psp_customer_id === known.psp_customer_id;
    return isOne ? mergeCustomers(ctx, older!, newer) : customer;
  }
}

/** Reads locked customers again. Another transaction may have merged one away while this one waited for its lock. */
async function stillExist(ctx: WriteCtx, customers: readonly Customer[]): Promise<boolean> {
  await ctx.em.flush();
  for (const customer of customers) {
    const found = await ctx.em.findOne(Customer, { id: customer.id }, { refresh: true });
    if (found) continue;
    ctx.em.getUnitOfWork().unsetIdentity(customer);
    return false;
  }
  return true;
}

/** Moves everything of `newer` to `older`, which keeps its id. Who earns is settled afterwards, by the claims of both. */
async function mergeCustomers(ctx: WriteCtx, older: Customer, newer: Customer): Promise<Customer> {
  await ctx.em.flush();
  const { id: from } = newer;
  const { id: to } = older;
  // Both may be bound. The bindings become claims, of which the first that holds binds the merged customer.
  await sql`
    insert into attribution_claim (id, account_id, customer_id, kind, referral_id, affiliate_id, campaign_id, claimed_from, source, created_at)
    select new_id('claim', ${ctx.now}::timestamptz), account_id, ${to}, 'link', id, affiliate_id, campaign_id, created_at, 'referral ' || id, ${ctx.now}
    from referral where customer_id in (${from}, ${to})
      and not exists (select from attribution_claim known where known.referral_id = referral.id and known.customer_id in (${from}, ${to}))
    on conflict do nothing`.execute(ctx.db);
  await sql`
    insert into attribution_claim (id, account_id, customer_id, kind, referral_id, affiliate_id, campaign_id, code, psp_promotion_code_id, sale_id, claimed_from, source, last_click, before_link, created_at)
    select new_id('claim', ${ctx.now}::timestamptz), account_id, ${to}, kind, referral_id, affiliate_id, campaign_id, code, psp_promotion_code_id, sale_id, claimed_from, source, last_click, before_link, created_at
    from attribution_claim where customer_id = ${from}
    on conflict do nothing`.execute(ctx.db);
  await sql`delete from attribution_claim where customer_id = ${from}`.execute(ctx.db);
  await moveReferralToCustomer(ctx.db, ctx.now, from, to);
  const sales = await moveSalesToCustomer(ctx.db, ctx.now, from, to);
  const known = { email: newer.email, psp_customer_id: newer.psp_customer_id, name: newer.name };
  const names = { first_name: newer.first_name, last_name: newer.last_name };
  await sql`delete from customer where id = ${from}`.execute(ctx.db);
  ctx.em.getUnitOfWork().unsetIdentity(newer);
  const merged = await ctx.em.findOneOrFail(Customer, { id: to }, { refresh: true });
  merged.email ??= known.email;
  merged.psp_customer_id ??= known.psp_customer_id;
  if (merged.name === null) Object.assign(merged, { name: known.name, ...names });
  merged.updated_at = ctx.now;
  await ctx.em.flush();
  await recordAuditedChange(ctx, {
    tool: 'customers',
    action: 'merge',
    arguments: { customer_id: to, merged_customer_id: from, merged: known, sale_ids: sales },
  });
  return merged;
}
