import { sql } from 'kysely';
import { lockCustomer, lockIdentities } from '../attribution/claims/customers.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { advisoryLock } from '../platform/call/locks.ts';
import { lock, save } from '../platform/call/records.ts';
import { type Identity, withoutNames } from '../program/customer-identities/customer-identity.ts';
import { Customer } from '../program/customers/customer.entity.ts';
import { rememberErased } from '../program/erasures/erased-identities.ts';
import { erasePieces } from '../sources/sources.ts';
import { beginErasure, type Erased, findErasure, namesOf } from './erasure.ts';
import { eraseRows } from './personal-rows.ts';

/** Columns that tell nothing about the person, or not always. The compiler names a new column that is neither one of them nor erased below. */
type Kept =
  | 'id'
  | 'account_id'
  | 'external_id'
  | 'psp_customer_id'
  | 'livemode'
  | 'trials'
  | 'trial_until'
  | 'exclusions'
  | 'erased_at'
  | 'created_at'
  | 'updated_at';

/**
 * Erases a customer's personal data (docs/rules/privacy.md#erasing-customers): the record keeps its IDs, so that refunds and later payments of a
 * subscription still belong to it, and loses name, addresses and metadata. No amount changes. Erasing an erased customer returns the erasure.
 *
 * @throws NOT_FOUND
 */
export async function eraseCustomer(ctx: WriteCtx, { id }: { id: string }): Promise<Erased> {
  // Events of the payment provider are applied one after the other under this lock. One that read the address before finds the erasure afterwards.
  await advisoryLock(ctx, 'psp events');
  const identities = await identitiesOf(ctx, id);
  await lockIdentities(ctx, identities);
  await lockCustomer(ctx, id);
  const customer = await lock(ctx, Customer, id);
  if (customer.erased_at !== null) return (await findErasure(ctx, id))!;
  const known = await identitiesOf(ctx, id);
  await rememberErased(ctx, known);
  const shown = customer.email === null ? [] : [customer.email.toLowerCase()];
  const namedBy = (wanted: Identity['kind']) => known.filter(({ kind }) => kind === wanted).map(({ value }) => value);
  const addresses = [...new Set([...namedBy('email'), ...shown])];
  // Some merchants use the address as their own ID.
  const isAddress = (text: string) => addresses.some((address) => text.toLowerCase().includes(address));
  const ownIds = namedBy('external_customer_id');
  const ofCustomer = sql`select id from sale where customer_id = ${id}`;
  await sql`
    delete from customer_identity
    where account_id = ${ctx.accountId} and customer_id = ${id}
      and (kind = 'email' or value = any (${ownIds.filter(isAddress)}::text[]))`.execute(ctx.db);
  await eraseRows(ctx, { kind: 'customer', id });
  const named = sql`names && array(select name from payment_name where sale_id in (${ofCustomer}))`;
  await erasePieces(ctx, named, { addresses, ids: [], ownIds }, true);
  const names = namesOf(customer);
  const erased: Omit<Customer, Kept> = {
    email: null,
    name: null,
    first_name: null,
    last_name: null,
    metadata: {},
    stray_reference: null,
    joins: withoutNames(customer.joins, isAddress),
  };
  save(ctx, Customer, customer, {
    ...erased,
    ...(customer.external_id !== null && isAddress(customer.external_id) && { external_id: null }),
    erased_at: ctx.now,
    updated_at: ctx.now,
  });
  ctx.records.concealPrevious('customer', id, [...Object.keys(erased), 'external_id']);
  const sought = {
    addresses,
    ids: [id, ...(await mergedInto(ctx, id)), ...namedBy('psp_customer_id')],
    ownIds,
    names,
    fields: Object.keys(erased),
  };
  return beginErasure(ctx, { kind: 'customer', id, sought });
}

/** Returns the ids of the customers who were merged into a customer, directly or by way of another one, as far as the audit log goes. */
async function mergedInto({ db, accountId }: WriteCtx, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive merged (id) as (
      select ${id}::text
      union
      select arguments ->> 'merged_customer_id' from audit_log join merged on arguments ->> 'customer_id' = merged.id
      where account_id = ${accountId} and tool = 'customers' and action = 'merge' and outcome = 'succeeded'
    ) select id from merged where id is not null and id <> ${id}`.execute(db);
  return rows.map((row) => row.id);
}

async function identitiesOf({ db, accountId }: WriteCtx, id: string): Promise<Identity[]> {
  return db
    .selectFrom('customer_identity')
    .select(['kind', 'value'])
    .where('account_id', '=', accountId)
    .where('customer_id', '=', id)
    .execute();
}
