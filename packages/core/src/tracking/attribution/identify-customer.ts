import { sql } from 'kysely';
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
  const customer = await findOrCreateCustomer(ctx, known);
  const twin = known.psp_customer_id && known.email ? await findCustomer(ctx, { email: known.email }) : null;
  // A twin with a provider id of its own is another customer of the provider who shares the address.
  if (!twin || twin.id === customer.id || twin.psp_customer_id !== null || customer.psp_customer_id !== known.psp_customer_id) {
    await lockCustomer(ctx, customer.id);
    return customer;
  }
  const [older, newer] = twin.id < customer.id ? [twin, customer] : [customer, twin];
  for (const { id } of [older, newer]) await lockCustomer(ctx, id);
  return mergeCustomers(ctx, older, newer);
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
    insert into attribution_claim (id, account_id, customer_id, kind, referral_id, affiliate_id, campaign_id, code, psp_promotion_code_id, sale_id, claimed_from, source, created_at)
    select new_id('claim', ${ctx.now}::timestamptz), account_id, ${to}, kind, referral_id, affiliate_id, campaign_id, code, psp_promotion_code_id, sale_id, claimed_from, source, created_at
    from attribution_claim where customer_id = ${from}
    on conflict do nothing`.execute(ctx.db);
  await sql`delete from attribution_claim where customer_id = ${from}`.execute(ctx.db);
  await moveReferralToCustomer(ctx.db, ctx.now, from, to);
  await moveSalesToCustomer(ctx.db, ctx.now, from, to);
  const known = { email: newer.email, psp_customer_id: newer.psp_customer_id, name: newer.name };
  const names = { first_name: newer.first_name, last_name: newer.last_name };
  await sql`delete from customer where id = ${from}`.execute(ctx.db);
  ctx.em.clear();
  const merged = await ctx.em.findOneOrFail(Customer, { id: to });
  merged.email ??= known.email;
  merged.psp_customer_id ??= known.psp_customer_id;
  if (merged.name === null) Object.assign(merged, { name: known.name, ...names });
  merged.updated_at = ctx.now;
  await ctx.em.flush();
  ctx.services.log.info(
    { customer_id: to, merged_customer_id: from, account_id: ctx.accountId, request_id: ctx.requestId },
    'customers merged',
  );
  return merged;
}
