import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { PayoutAddress, PayoutAddresses } from './payout-address.ts';

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
