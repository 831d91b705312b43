/**
 * The identities of customers: email addresses, ids at the payment provider and ids at the merchant, and ids at other sources with the kind of the source in front (docs/rules/program.md#customers). An
 * identity is a row of `customer_identity` and belongs to one customer of the account.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { trimEnds, typedEmail } from '../../platform/wire/typed-text.ts';

export const IDENTITY_KINDS = ['email', 'psp_customer_id', 'external_customer_id', 'payer_id'] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number];

/** The source that stated an identity. */
export const IDENTITY_SOURCES = ['merchant', 'provider', 'lead'] as const;
export type IdentitySource = (typeof IDENTITY_SOURCES)[number];

export interface Identity {
  kind: IdentityKind;
  /** The value as `identityValue` returns it. */
  value: string;
}

/** Returns the form in which the value of an identity is stored and compared. Blanks at its ends, and upper and lower case of an address, do not matter. */
export function identityValue(kind: IdentityKind, text: string): string {
  return kind === 'email' ? typedEmail(text).toLowerCase() : trimEnds(text);
}

/** Returns the identities of the given texts, without empty ones and repetitions. */
export function identities(texts: readonly (readonly [IdentityKind, string | null | undefined])[]): Identity[] {
  const all = texts.flatMap(([kind, text]) =>
    text && trimEnds(text) !== '' ? [{ kind, value: identityValue(kind, text) }] : [],
  );
  return [...new Map(all.map((identity) => [keyOf(identity), identity])).values()];
}

/** Returns a text that identifies an identity within its account. */
export function keyOf({ kind, value }: Identity): string {
  return `${kind} ${value}`;
}

/**
 * True if the source vouches for the identity. The merchant knows its customers, and writes its own ids into the metadata at the provider. The
 * provider knows its own ids. But the payer types the address.
 */
export function isVerified({ kind }: Identity, source: IdentitySource): boolean {
  return source === 'merchant' || (source === 'provider' && kind !== 'email');
}

/** SQL expression: the id of the customer with this identity, or null. */
export function customerWith(accountId: string, kind: IdentityKind, text: string): RawBuilder<string | null> {
  return customerWithValue(accountId, kind, identityValue(kind, text));
}

/** Like `customerWith`, for a value that has its stored form already. */
export function customerWithValue(accountId: string, kind: IdentityKind, value: string): RawBuilder<string | null> {
  return sql<string | null>`(
    select customer_id from customer_identity where account_id = ${accountId} and kind = ${sql.lit(kind)} and value = ${value})`;
}

/** SQL expression: all email addresses of the customer with the id `customerId`, as a `text[]`. */
export function emailsOfCustomer(customerId: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql<string[]>`array(
    select value from customer_identity where customer_id = ${customerId} and kind = 'email' order by value)`;
}

/** Moves all identities of one customer to another one. Returns the identities. */
export async function moveIdentities(db: Db, from: string, to: string): Promise<Identity[]> {
  const { rows } = await sql<Identity>`
    update customer_identity set customer_id = ${to} where customer_id = ${from} returning kind, value`.execute(db);
  return rows;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    customer_identity: CustomerIdentityTable;
  }
}

/** A name by which facts refer to a customer. The primary key is the account, the kind and the value. */
interface CustomerIdentityTable extends Identity {
  account_id: string;
  customer_id: string;
  /** True if a source has vouched for the identity (`isVerified`). */
  verified: boolean;
  /** The first source that stated the identity. */
  source: IdentitySource;
  created_at: Instant;
}

/**
 * A fact that shows two names to be those of one person. A name is the key of an identity (`keyOf`), or a claim (`nameOfClaim`)
 * (docs/rules/attribution.md#identities).
 */
export interface Join {
  /** In the order of the alphabet. */
  of: [string, string];
  /** Time from which both are known to be one person. */
  at: Instant;
}

/** A time before all facts, for names that a person declares to be one. */
export const ALWAYS: Instant = '1970-01-01T00:00:00.000Z';

/** Returns the joins of names that one fact shows together. */
export function joinsOf(names: readonly string[], at: Instant): Join[] {
  const [first, ...others] = [...new Set(names)].toSorted();
  return others.map((other): Join => ({ of: [first!, other], at }));
}

/** Returns the joins of two sources, with the earliest time of each. The result does not depend on the order of the sources. */
export function withJoins(known: readonly Join[], more: readonly Join[]): Join[] {
  const earliest = new Map<string, Join>();
  for (const join of [...known, ...more]) {
    const key = JSON.stringify(join.of);
    const other = earliest.get(key);
    if (other === undefined || join.at < other.at) earliest.set(key, join);
  }
  return [...earliest].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, join]) => join);
}

/** Replaces the names that are personal data by numbers, so that the joins stay what they are. */
export function withoutNames(joins: readonly Join[], isPersonal: (name: string) => boolean): Join[] {
  const numbers = new Map([...new Set(joins.flatMap(({ of }) => of))].filter(isPersonal).map((name, i) => [name, `erased ${i}`]));
  const nameOf = (name: string) => numbers.get(name) ?? name;
  return withJoins(
    [],
    joins.flatMap(({ of, at }) => joinsOf(of.map(nameOf), at)),
  );
}

/** Returns the name of a claim in joins. A claim by a referral is named by the referral that was named. */
export function nameOfClaim(key: string): string {
  return `claim ${key}`;
}
