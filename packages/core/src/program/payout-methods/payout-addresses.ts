import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { SharedAccount } from './payout-method.schema.ts';

/** The address of a payout method, in the form of its kind. An `email` in it belongs to the affiliate and gets mail about changes. */
export type PayoutAddress = Readonly<Record<string, string>>;

/** The addresses of an affiliate's methods that are not removed, by kind. */
export type PayoutAddresses = Readonly<Record<string, PayoutAddress>>;

/** Returns enough of an address for its owner to recognize it: the end of a number, or the beginning and the domain of an email address. */
export function hintOf(address: PayoutAddress): string {
  const { email, iban, account_number } = address;
  if (email !== undefined) return `${email.slice(0, 1)}…${email.slice(email.lastIndexOf('@'))}`;
  if (iban !== undefined) return `${iban.slice(0, 2)}…${iban.slice(-4)}`;
  const number = account_number ?? Object.values(address)[0] ?? '';
  return `…${number.slice(-Math.min(4, Math.floor(number.length / 2)))}`;
}

/** The sealed addresses of an affiliate's methods that are not removed, by kind. Null if there are none. */
export type SealedAddresses = Readonly<Record<string, string>> | null;

/** SQL: the `SealedAddresses` of an affiliate. */
export function sealedAddresses(affiliateAlias: string): string {
  return `(select json_object_agg(kind, sealed_address order by kind) from payout_method
    where payout_method.affiliate_id = ${affiliateAlias}.id and retired_at is null)`;
}

/** SQL condition: the affiliate, a row of `affiliate`, has no method. */
export const HAS_NO_METHOD = sql<boolean>`not exists (
  select from payout_method where payout_method.affiliate_id = affiliate.id and retired_at is null)`;

/** SQL: the methods of an affiliate that are not removed, with the versions of their addresses, which a change of an address changes. */
export function methodVersions(affiliateId: string): string {
  return `(select jsonb_agg(jsonb_build_array(id, version) order by id) from payout_method
    where payout_method.affiliate_id = ${affiliateId} and retired_at is null)`;
}

/** Returns the addresses in `SealedAddresses`. */
export function openAddresses(secrets: SecretBox, sealed: SealedAddresses): PayoutAddresses {
  if (sealed === null) return {};
  return Object.fromEntries(Object.entries(sealed).map(([kind, text]) => [kind, openAddress(secrets, text)]));
}

export function openAddress(secrets: SecretBox, sealed: string): PayoutAddress {
  return JSON.parse(secrets.open(sealed)) as PayoutAddress;
}

/** Returns the addresses of an affiliate's methods that are not removed. */
export async function findAddresses(
  { db, services }: Pick<Ctx, 'db' | 'services'>,
  affiliateId: string,
): Promise<PayoutAddresses> {
  const rows = await currentMethods(db, affiliateId).select(['kind', 'sealed_address']).execute();
  return openAddresses(services.secrets, Object.fromEntries(rows.map((row) => [row.kind, row.sealed_address!])));
}

/** Starts a query of the methods of an affiliate that are not removed. */
export function currentMethods(db: Pick<Db, 'selectFrom'>, affiliateId: string) {
  return db.selectFrom('payout_method').where('affiliate_id', '=', affiliateId).where('retired_at', 'is', null).orderBy('kind');
}

/** Returns the email addresses among payout addresses. */
export function emailsIn(addresses: PayoutAddresses): string[] {
  return Object.values(addresses).flatMap(({ email }) => (email === undefined ? [] : [email]));
}

/** Returns the text of an address that is sealed and fingerprinted. */
export function addressText(address: PayoutAddress): string {
  return JSON.stringify(Object.fromEntries(Object.entries(address).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** The parts of addresses that name an account. The others say how it is reached, and whose it is. */
const ACCOUNT_PARTS = ['email', 'iban', 'routing_number', 'sort_code', 'account_number', 'account_id'];

/** Returns the text of an address by which the same account is found, whatever its kind, holder and form. */
export function accountText(address: PayoutAddress): string {
  const parts = ACCOUNT_PARTS.flatMap((name) =>
    address[name] === undefined ? [] : [[name, address[name].replaceAll(/[\s-]/g, '')]],
  );
  return addressText(parts.length === 0 ? address : (Object.fromEntries(parts) as PayoutAddress));
}

/** Finds the other affiliates who are paid to the same accounts as affiliates are. Accounts are compared by their hashes. */
export async function findSharedAccounts(
  { db, accountId }: Pick<Ctx, 'db' | 'accountId'>,
  affiliateIds: readonly string[],
): Promise<SharedAccount[][]> {
  const { rows } = await sql<SharedAccount & { of: string }>`
    select own.affiliate_id as of, other.affiliate_id, other.kind, other.hint,
      coalesce(nullif(trim(concat_ws(' ', nullif(trim(first_name), ''), nullif(trim(last_name), ''))), ''), email) as affiliate_name
    from payout_method own
    join payout_method other on other.account_id = own.account_id and other.account_hash = own.account_hash
      and other.affiliate_id <> own.affiliate_id and other.retired_at is null
    join affiliate on affiliate.id = other.affiliate_id
    where own.account_id = ${accountId} and own.affiliate_id = any (${affiliateIds}) and own.retired_at is null
    order by other.affiliate_id, other.kind`.execute(db);
  const byAffiliate = Map.groupBy(rows, ({ of }) => of);
  return affiliateIds.map((affiliateId) => (byAffiliate.get(affiliateId) ?? []).map(({ of: _, ...shared }) => shared));
}
