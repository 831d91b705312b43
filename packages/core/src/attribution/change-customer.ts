import { sql } from 'kysely';
import { takeTime } from '../platform/call/call-time.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { find, lock, save } from '../platform/call/records.ts';
import { saveMerchantData } from '../platform/call/save-merchant-data.ts';
import { invalid, noSuch, notFound } from '../platform/errors/errors.ts';
import { externalIdOf } from '../platform/wire/merchant-data.ts';
import { ALWAYS, joinsOf, keyOf } from '../program/customer-identities/customer-identity.ts';
import { Customer } from '../program/customers/customer.entity.ts';
import { findCustomers, identitiesOf, joinNames, learnCustomer, renameCustomer } from '../program/customers/customer.service.ts';
import {
  getCustomer,
  type ListedCustomer,
  type MergeCustomers,
  type UpdateCustomer,
  type UpsertCustomer,
} from '../program/customers/customer.ts';
import { ANYTHING, attribute } from './attribute.ts';
import {
  identifyCustomer,
  lockCustomer,
  type LockedCustomer,
  lockIdentities,
  mergeCustomers,
  namesOf,
} from './claims/customers.ts';
import { ATTRIBUTION_REASONS } from './reasons.ts';

/**
 * Changes the given fields of a customer. A new `external_id` replaces the shown one, by which the customer is no longer found.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR if another customer has the `external_id`
 */
export async function updateCustomer(
  ctx: WriteCtx,
  { id, external_id, metadata, name }: UpdateCustomer,
): Promise<ListedCustomer> {
  const named = identitiesOf({ external_customer_id: external_id });
  await lockIdentities(ctx, named);
  await lockCustomer(ctx, id);
  const customer = await lock(ctx, Customer, id);
  assertNotErased(customer);
  if (external_id !== undefined && external_id !== customer.external_id) {
    const found = await findCustomers(ctx, named);
    if (found.customers.some((other) => other.id !== id))
      throw invalid('external_id', ATTRIBUTION_REASONS.customer_external_id_taken, 'taken');
    await forgetExternalId(ctx, customer);
    learnCustomer(ctx, customer, { source: 'merchant', shown_at: ALWAYS, external_customer_id: external_id }, found);
    joinNames(ctx, customer, joinsOf([...(await namesOf(ctx, id)), ...named.map(keyOf)], ctx.now));
  }
  if (name !== undefined) renameCustomer(ctx, customer, name);
  saveMerchantData(ctx, Customer, customer, { metadata });
  return getCustomer(ctx, id);
}

function assertNotErased({ erased_at }: Customer): void {
  if (erased_at !== null) throw invalid('id', ATTRIBUTION_REASONS.customer_erased, 'erased');
}

/** Removes the shown `external_id` of a customer. */
async function forgetExternalId(ctx: WriteCtx, customer: Customer): Promise<void> {
  if (customer.external_id === null) return;
  await sql`
    delete from customer_identity
    where account_id = ${ctx.accountId} and kind = 'external_customer_id' and value = ${customer.external_id}`.execute(ctx.db);
  save(ctx, Customer, customer, { external_id: null, updated_at: ctx.now });
}

/**
 * Creates a customer with an `external_id`, or changes the customer who has it. The customer is also known by the email address: if another
 * customer has the address, both are one person and are merged (docs/rules/program.md#merging-customers).
 *
 * @returns the customer, and whether this call created it
 */
export async function upsertCustomer(
  ctx: WriteCtx,
  { id, email, name, metadata }: UpsertCustomer,
): Promise<{ record: ListedCustomer; created: boolean }> {
  const known = { external_customer_id: externalIdOf(id), email };
  const before = await findCustomers(ctx, identitiesOf(known));
  const identified = await identifyCustomer(ctx, { source: 'merchant', shown_at: ctx.now, ...known });
  const { customer } = identified;
  assertNotErased(customer);
  if (email !== undefined && email !== customer.email) save(ctx, Customer, customer, { email, updated_at: ctx.now });
  if (name !== undefined) renameCustomer(ctx, customer, name);
  saveMerchantData(ctx, Customer, await lock(ctx, Customer, customer.id), { metadata });
  await attribute(ctx, { of: 'customer', customer: identified, change: ANYTHING });
  return { record: await getCustomer(ctx, customer.id), created: before.customers.length === 0 };
}

/**
 * Merges the customer `customer_id` into the customer `id`, who keeps the id, and decides again who earns (docs/rules/program.md#merging-customers).
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for an unknown `customer_id`, if both are the same, and if the data of the other customer would be stored with an
 * erased one
 */
export async function mergeIntoCustomer(ctx: WriteCtx, { id, customer_id }: MergeCustomers): Promise<ListedCustomer> {
  if (id === customer_id) throw invalid('customer_id', ATTRIBUTION_REASONS.same_customer, 'same');
  const locks = new Map<string, LockedCustomer>();
  for (const each of [id, customer_id].toSorted()) locks.set(each, await lockCustomer(ctx, each));
  takeTime(ctx);
  const customer = await find(ctx, Customer, id);
  if (!customer) throw notFound('customer');
  const other = await find(ctx, Customer, customer_id);
  if (!other) throw invalid('customer_id', noSuch('customer'), 'not_found');
  if (other.erased_at === null) assertNotErased(customer);
  const names = [...(await namesOf(ctx, id)), ...(await namesOf(ctx, customer_id))];
  await mergeCustomers(ctx, { ...locks.get(id)!, customer }, { ...locks.get(customer_id)!, customer: other });
  // A person knows that both have been one all along.
  joinNames(ctx, customer, joinsOf(names, ALWAYS));
  await attribute(ctx, { of: 'customer', customer: locks.get(id)!, change: ANYTHING });
  return getCustomer(ctx, id);
}
