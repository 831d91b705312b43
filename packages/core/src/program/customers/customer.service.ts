import { sql } from 'kysely';
import { newId } from '../../platform/wire/ids.ts';
import { load, newRecordColumns, save } from '../../platform/call/records.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { type Exclusion, isExcludedAt, withExclusions } from './exclusions.ts';
import { Customer, emailsOf } from './customer.entity.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { hasEmail, hasPspCustomerId } from './customer-names.ts';

/** Details of a customer from one source, with at least one of `email` and `psp_customer_id`. */
export interface KnownCustomer {
  email?: string | null | undefined;
  /** The address that `email` replaced. */
  formerEmail?: string | null | undefined;
  name?: string | null | undefined;
  psp_customer_id?: string | null | undefined;
}

/**
 * Creates a customer, or finds the customer that a concurrent transaction has created. The unique indexes make the second of two inserts
 * wait and then do nothing.
 */
export async function createCustomer(ctx: WriteCtx, known: KnownCustomer): Promise<Customer> {
  await ctx.db
    .insertInto('customer')
    .values({
      ...newRecordColumns(ctx, newId('customer', ctx.clock.now())),
      email: known.email ?? null,
      name: known.name ?? null,
      ...splitName(known.name),
      psp_customer_id: known.psp_customer_id ?? null,
      other_emails: NOTHING,
      other_psp_customer_ids: NOTHING,
      exclusions: sql<Exclusion[]>`'[]'::jsonb`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const customer = await findCustomer(ctx, known);
  if (!customer) throw new Error('A customer that was just inserted cannot be found.');
  return customer;
}

const NOTHING = sql<string[]>`'[]'::jsonb`;

/** Finds the oldest customer with this provider id or one of these addresses, without creating one. */
export async function findCustomer(ctx: WriteCtx, known: KnownCustomer): Promise<Customer | null> {
  return (await findCustomers(ctx, known))[0] ?? null;
}

/** Finds all customers with this provider id or one of these addresses, oldest first. There are several only until they are merged. */
export async function findCustomers(ctx: WriteCtx, { psp_customer_id, email, formerEmail }: KnownCustomer): Promise<Customer[]> {
  const names = [
    ...(psp_customer_id ? [hasPspCustomerId(psp_customer_id)] : []),
    ...[email, formerEmail].flatMap((address) => (address ? [hasEmail(address)] : [])),
  ].flat();
  if (names.length === 0) return [];
  const { rows } = await sql<{ id: string }>`${sql.join(
    names.map((condition) => sql`select id from customer where account_id = ${ctx.accountId} and ${condition}`),
    sql` union `,
  )} order by id`.execute(ctx.db);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const customers = ctx.db.selectFrom('customer').selectAll().where('account_id', '=', ctx.accountId);
  return load(ctx, Customer, customers.where(oneOf('id', ids)).orderBy('id'));
}

/**
 * Adds the known details to a customer. Keeps the customer's first email address and first provider id, and stores different ones in
 * addition. Replaces the name, because people change their names.
 */
export async function learnNames(ctx: WriteCtx, customer: Customer, known: KnownCustomer): Promise<void> {
  const changes: Partial<Customer> = {};
  if (known.name && known.name !== customer.name) Object.assign(changes, { name: known.name, ...splitName(known.name) });
  const { psp_customer_id: id } = known;
  if (id && customer.psp_customer_id === null) changes.psp_customer_id = id;
  else if (id && customer.psp_customer_id !== id && !customer.other_psp_customer_ids.includes(id))
    changes.other_psp_customer_ids = [...customer.other_psp_customer_ids, id];
  if (known.email && customer.email === null) changes.email = known.email;
  if (Object.keys(changes).length > 0) save(ctx, Customer, customer, { ...changes, updated_at: ctx.now });
  for (const address of [known.email, known.formerEmail]) if (address) await addAddress(ctx, customer, address);
}

/**
 * Adds another email address to a customer who does not have it yet. The SQL statement compares the addresses again, because the indexes
 * use PostgreSQL's `lower`, which may convert some letters differently from JavaScript.
 */
async function addAddress(ctx: WriteCtx, customer: Customer, address: string): Promise<void> {
  const folded = address.toLowerCase();
  if (emailsOf(customer).some((email) => email.toLowerCase() === folded)) return;
  const { rows } = await sql<Pick<Customer, 'other_emails' | 'updated_at'>>`
    update customer set other_emails = other_emails || jsonb_build_array(lower(${address}::text)), updated_at = ${ctx.now}
    where id = ${customer.id} and lower(email) is distinct from lower(${address}) and not other_emails @> jsonb_build_array(lower(${address}::text))
    returning other_emails, updated_at`.execute(ctx.db);
  Object.assign(customer, rows[0]);
}

/**
 * Replaces the shown address of a customer (`from`) by `to`, and keeps `from` as an additional address. Has no effect unless the shown address
 * is still `from`, because a late or repeated report must not undo a later change.
 */
export function moveEmail(ctx: WriteCtx, customer: Customer, from: string, to: string): void {
  const [folded, replaced] = [to.toLowerCase(), from.toLowerCase()];
  if (customer.email?.toLowerCase() !== replaced || customer.email === to) return;
  const others = customer.other_emails.filter((email) => email !== folded);
  save(ctx, Customer, customer, {
    other_emails: folded === replaced || others.includes(replaced) ? others : [...others, replaced],
    email: to,
    updated_at: ctx.now,
  });
}

/**
 * Stores a report that the customer is excluded or not.
 *
 * @param isChange false if the report only repeats the current state, as most reports do. It then adds nothing to a known state. A change is
 * always stored, because the report of an earlier change may come later
 */
export function excludeCustomer(ctx: WriteCtx, customer: Customer, report: Exclusion, isChange: boolean): void {
  if (!isChange && isExcludedAt(customer.exclusions, report.at) === report.excluded) return;
  save(ctx, Customer, customer, { exclusions: withExclusions(customer.exclusions, [report]), updated_at: ctx.now });
}

/** Splits "Ada King Lovelace" into Ada and King Lovelace. */
function splitName(name: string | null | undefined): { first_name: string | null; last_name: string | null } {
  const [first = '', ...rest] = (name ?? '').trim().split(/\s+/);
  return { first_name: first || null, last_name: rest.join(' ') || null };
}
