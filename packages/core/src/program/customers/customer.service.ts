import { newId } from '../../platform/wire/ids.ts';
import { newRecordColumns } from '../../platform/call/records.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { Customer } from './customer.entity.ts';
import { sameText } from '../../platform/db/same-text.ts';

/** Details of a customer from one source, with at least one of `email` and `psp_customer_id`. */
export interface KnownCustomer {
  email?: string | null | undefined;
  name?: string | null | undefined;
  psp_customer_id?: string | null | undefined;
}

/**
 * Finds the customer with this provider id or e-mail address, or creates one, and fills in missing details. The provider's id decides when
 * the two belong to different customers. Concurrent calls find the same customer.
 */
export async function findOrCreateCustomer(ctx: WriteCtx, known: KnownCustomer): Promise<Customer> {
  // The unique indexes make one of two concurrent inserts wait and then do nothing.
  const { first_name, last_name } = splitName(known.name);
  const existing = await findCustomer(ctx, known);
  if (!existing) {
    await ctx.db
      .insertInto('customer')
      .values({
        ...newRecordColumns(ctx, newId('customer', ctx.clock.now())),
        email: known.email ?? null,
        name: known.name ?? null,
        first_name,
        last_name,
        psp_customer_id: known.psp_customer_id ?? null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const customer = existing ?? (await findCustomer(ctx, known));
  if (!customer) throw new Error('A customer that was just inserted cannot be found.');
  await learn(ctx, customer, known);
  return customer;
}

/** Finds a customer, without creating one. */
export async function findCustomer(ctx: WriteCtx, known: KnownCustomer): Promise<Customer | null> {
  if (known.psp_customer_id) {
    const byProvider = await ctx.em.findOne(Customer, { account_id: ctx.accountId, psp_customer_id: known.psp_customer_id });
    if (byProvider) return byProvider;
  }
  if (!known.email) return null;
  const row = await ctx.db
    .selectFrom('customer')
    .select('id')
    .where('account_id', '=', ctx.accountId)
    .where(sameText('email', known.email))
    .executeTakeFirst();
  return row ? ctx.em.findOne(Customer, { id: row.id }) : null;
}

/**
 * Fills in missing details of a customer. Known details stay, except names, which people change. Leaves out an e-mail address that another
 * customer has.
 */
async function learn(ctx: WriteCtx, customer: Customer, known: KnownCustomer): Promise<void> {
  const before = JSON.stringify(customer);
  if (known.name && known.name !== customer.name) Object.assign(customer, { name: known.name, ...splitName(known.name) });
  if (known.psp_customer_id && customer.psp_customer_id === null) customer.psp_customer_id = known.psp_customer_id;
  if (known.email && customer.email === null && !(await findCustomer(ctx, { email: known.email }))) customer.email = known.email;
  if (JSON.stringify(customer) !== before) customer.updated_at = ctx.now;
  await ctx.em.flush();
}

/**
 * Changes a customer's e-mail address from `from` to `to`. Has no effect unless the address still is `from`: a late or repeated report must
 * not undo a later change. Leaves out an address that another customer has.
 */
export async function moveEmail(ctx: WriteCtx, customer: Customer, from: string, to: string): Promise<void> {
  if (customer.email?.toLowerCase() !== from.toLowerCase() || customer.email === to) return;
  const holder = await findCustomer(ctx, { email: to });
  if (holder && holder.id !== customer.id) return;
  customer.email = to;
  customer.updated_at = ctx.now;
  await ctx.em.flush();
}

/** Splits "Ada King Lovelace" into Ada and King Lovelace. */
function splitName(name: string | null | undefined): { first_name: string | null; last_name: string | null } {
  const [first = '', ...rest] = (name ?? '').trim().split(/\s+/);
  return { first_name: first || null, last_name: rest.join(' ') || null };
}
