import { post } from '@affiliate/postgres';
import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { selected, insert, newRecordColumns, save } from '../../platform/call/records.ts';
import { newMerchantColumns } from '../../platform/call/save-merchant-data.ts';
import { prepared } from '../../platform/db/prepared.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import {
  identities,
  type Identity,
  type IdentitySource,
  isVerified,
  type Join,
  joinsOf,
  keyOf,
  withJoins,
} from '../customer-identities/customer-identity.ts';
import { Customer, type Exclusion, isExcludedAt, withExclusions, type Trial, trialUntil, withTrials } from './customer.entity.ts';

/** Details of a customer from one source, with at least one identity. */
export interface KnownCustomer {
  source: IdentitySource;
  /** Time from which the source shows that all names are of one person (docs/rules/attribution.md#identities). */
  shown_at: Instant;
  email?: string | null | undefined;
  /** The address that `email` replaced. */
  formerEmail?: string | null | undefined;
  name?: string | null | undefined;
  psp_customer_id?: string | null | undefined;
  /** The id at another source than the one of `psp_customer_id`, with the kind of the source in front. */
  payer_id?: string | null | undefined;
  /** The merchant's own id of the customer. */
  external_customer_id?: string | null | undefined;
}

/** Returns the identities by which a source refers to a customer. */
export function identitiesOf({
  email,
  formerEmail,
  psp_customer_id,
  external_customer_id,
  payer_id,
}: Omit<KnownCustomer, 'source' | 'shown_at'>): Identity[] {
  return identities([
    ['email', email],
    ['email', formerEmail],
    ['psp_customer_id', psp_customer_id],
    ['external_customer_id', external_customer_id],
    ['payer_id', payer_id],
  ]);
}

/** Creates a customer with their identities, while the identities are locked. */
export function createCustomer(ctx: WriteCtx, known: KnownCustomer): Customer {
  const customer = insert(ctx, Customer, {
    ...newRecordColumns(ctx, newId('customer', ctx.clock.now())),
    ...newMerchantColumns({ external_id: known.external_customer_id }),
    email: known.email ?? null,
    name: known.name ?? null,
    ...splitName(known.name),
    psp_customer_id: known.psp_customer_id ?? null,
    exclusions: [],
    joins: joinsOf(identitiesOf(known).map(keyOf), known.shown_at),
    stray_reference: null,
    trials: [],
    trial_until: null,
    erased_at: null,
  });
  addIdentities(ctx, customer.id, identitiesOf(known), known.source);
  return customer;
}

/** Gives a customer identities that nobody has, and records that a source has vouched for those that the customer has already. */
function addIdentities(ctx: WriteCtx, customerId: string, added: readonly Identity[], source: IdentitySource): void {
  if (added.length === 0) return;
  const kinds = added.map(({ kind }) => kind);
  const values = added.map(({ value }) => value);
  const verified = added.map((identity) => isVerified(identity, source));
  const rows = sql`
    insert into customer_identity (account_id, kind, value, customer_id, verified, source, created_at)
    select ${ctx.accountId}, kind, value, ${customerId}, verified, ${source}, ${ctx.now}
    from unnest(${kinds}::text[], ${values}::text[], ${verified}::boolean[]) identity (kind, value, verified)
    on conflict (account_id, kind, value) do update set verified = true
      where customer_identity.customer_id = excluded.customer_id and excluded.verified and not customer_identity.verified`;
  post(ctx.db, rows.compile(ctx.db));
}

/** Customers whom some identities belong to, oldest first, and the identities that need no further statement. There are several customers only until they are merged. */
export interface FoundCustomers {
  customers: Customer[];
  /** Keys (`keyOf`) of the identities that belong to one of the customers. The value says whether a source has vouched for the identity. */
  identities: ReadonlyMap<string, boolean>;
}

/** Finds the customers to whom any of these identities belongs, without creating one. */
export async function findCustomers(ctx: WriteCtx, named: readonly Identity[]): Promise<FoundCustomers> {
  if (named.length === 0) return { customers: [], identities: new Map() };
  const rows = await findByIdentity(ctx.db, {
    accountId: ctx.accountId,
    kinds: named.map(({ kind }) => kind),
    values: named.map(({ value }) => value),
  });
  return {
    customers: [...new Set(rows.map((row) => CUSTOMER.read(ctx, row)!))],
    identities: new Map(rows.map((row) => [keyOf(row), row.verified])),
  };
}

const CUSTOMER = selected(Customer);

const findByIdentity = prepared(
  (_db, { accountId, kinds, values }: { accountId: string; kinds: readonly string[]; values: readonly string[] }) => sql<
    Identity & { verified: boolean } & Record<string, unknown>
  >`
    select identity.kind, identity.value, identity.verified, ${sql.raw(CUSTOMER.column)}
    from unnest(${kinds}::text[], ${values}::text[]) named (kind, value)
    join customer_identity identity on identity.account_id = ${accountId} and identity.kind = named.kind and identity.value = named.value
    join customer on customer.id = identity.customer_id
    order by customer.id`,
);

/**
 * Adds the known details to a customer. Keeps the customer's first email address and first provider id as the shown ones. Replaces the name,
 * because people change their names.
 *
 * @param found the result of `findCustomers` for the identities of `known`, by which they need not be stored again
 */
export function learnCustomer(ctx: WriteCtx, customer: Customer, told: KnownCustomer, found: FoundCustomers): void {
  // Facts about an erased customer add no personal data.
  const known = customer.erased_at === null ? told : { ...told, email: null, formerEmail: null, name: null };
  const { email, name, psp_customer_id, external_customer_id } = known;
  const changes: Partial<Customer> = {
    ...(name && name !== customer.name && { name, ...splitName(name) }),
    ...(email && customer.email === null && { email }),
    ...(psp_customer_id && customer.psp_customer_id === null && { psp_customer_id }),
    ...(external_customer_id && customer.external_id === null && { external_id: external_customer_id }),
  };
  if (Object.keys(changes).length > 0) save(ctx, Customer, customer, { ...changes, updated_at: ctx.now });
  const isNews = (identity: Identity) => !(found.identities.get(keyOf(identity)) ?? false);
  const news = identitiesOf(known).filter(
    (identity) => isNews(identity) && (!found.identities.has(keyOf(identity)) || isVerified(identity, known.source)),
  );
  addIdentities(ctx, customer.id, news, known.source);
}

/**
 * Shows the address `to` of a customer instead of `from`. Has no effect unless the shown address is still `from`, because a late or repeated report
 * must not undo a later change. The customer is still found by `from`, which stays one of their identities.
 */
export function moveEmail(ctx: WriteCtx, customer: Customer, from: string, to: string): void {
  if (customer.email?.toLowerCase() === from.toLowerCase()) save(ctx, Customer, customer, { email: to, updated_at: ctx.now });
}

/**
 * Stores a report that the customer is excluded or not.
 *
 * @param isChange false if the report only repeats the current state, as most reports do. It then adds nothing to a known state. A change is
 * always stored, because the report of an earlier change may come later
 * @returns whether the report was stored
 */
export function excludeCustomer(ctx: WriteCtx, customer: Customer, report: Exclusion, isChange: boolean): boolean {
  if (!isChange && isExcludedAt(customer.exclusions, report.at) === report.excluded) return false;
  save(ctx, Customer, customer, { exclusions: withExclusions(customer.exclusions, [report]), updated_at: ctx.now });
  return true;
}

/** Stores that names of a customer are of one person. Returns false if that was known. */
export function joinNames(ctx: WriteCtx, customer: Customer, more: readonly Join[]): boolean {
  const joins = withJoins(customer.joins, more);
  if (JSON.stringify(joins) === JSON.stringify(customer.joins)) return false;
  save(ctx, Customer, customer, { joins });
  return true;
}

/** Stores a report about the trial of one of the customer's subscriptions. A report that is older than a known one changes nothing. */
export function learnTrial(ctx: WriteCtx, customer: Customer, trial: Trial): void {
  const trials = withTrials(customer.trials, [trial]);
  if (JSON.stringify(trials) === JSON.stringify(customer.trials)) return;
  save(ctx, Customer, customer, { trials, trial_until: trialUntil(trials), updated_at: ctx.now });
}

/** Stores a reference that was named for the customer and is not a referral. The first in the order of the alphabet stays, in whatever order they come. */
export function learnStrayReference(ctx: WriteCtx, customer: Customer, reference: string): void {
  if (customer.erased_at !== null || (customer.stray_reference !== null && customer.stray_reference <= reference)) return;
  save(ctx, Customer, customer, { stray_reference: reference, updated_at: ctx.now });
}

/** Changes the name of a customer. */
export function renameCustomer(ctx: WriteCtx, customer: Customer, name: string): void {
  if (name !== customer.name) save(ctx, Customer, customer, { name, ...splitName(name), updated_at: ctx.now });
}

/** Splits "Ada King Lovelace" into Ada and King Lovelace. */
function splitName(name: string | null | undefined): { first_name: string | null; last_name: string | null } {
  const [first = '', ...rest] = (name ?? '').trim().split(/\s+/);
  return { first_name: first || null, last_name: rest.join(' ') || null };
}
