import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { identities, IDENTITY_KINDS, keyOf } from '../../program/customer-identities/customer-identity.ts';
import { hasToken } from '../../program/links/link-token.ts';
import type { ImportedRow, RecordKind } from '../port/import-kind.ts';
import type { Import, ImportedKind, RowOutcome } from '../port/import.entity.ts';

/** A row of the import, or a record that the account has. */
export interface FoundRow {
  id: string;
  source_id: string;
  outcome: RowOutcome | null;
  record_id: string | null;
}

/** The affiliate of a row: the record, or a row that may get one. */
type AffiliateRow = Pick<FoundRow, 'id' | 'outcome' | 'record_id'>;

type Scope = Pick<Ctx, 'db' | 'accountId'>;

/** Finds the first row of the import that has each of the keys (`RecordKind.keysOf`). */
async function findByKey({ db }: Scope, of: Import, kind: ImportedKind, keys: readonly string[]): Promise<Map<string, FoundRow>> {
  const { rows } = await sql<FoundRow & { key: string }>`
    select named.key, its.id, its.source_id, its.outcome, its.record_id
    from data_import_key named join data_import_row its on its.id = named.row_id
    where named.import_id = ${of.id} and named.kind = ${kind} and named.key = any (${keys}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.key, row]));
}

/** Finds for each row the first earlier row of the import that is the same record, or null. */
export async function findEarlier<Data>(
  ctx: Scope,
  of: Import,
  kind: ImportedKind,
  { keysOf }: Pick<RecordKind<Data>, 'keysOf'>,
  rows: readonly ImportedRow<Data>[],
): Promise<(FoundRow | null)[]> {
  const keys = rows.map(({ data }) => keysOf(data));
  const found = await findByKey(ctx, of, kind, keys.flat());
  return rows.map(({ id }, i) => {
    const earlier = keys[i]!.flatMap((key) => found.get(key) ?? []).filter((other) => other.id < id);
    return earlier.toSorted((one, other) => (one.id < other.id ? -1 : 1))[0] ?? null;
  });
}

/** Finds rows of the import by the id that the source gives them. */
async function findBySourceId(
  { db }: Scope,
  of: Import,
  kind: ImportedKind,
  ids: readonly string[],
): Promise<Map<string, FoundRow>> {
  const { rows } = await sql<FoundRow>`
    select id, source_id, outcome, record_id from data_import_row
    where import_id = ${of.id} and kind = ${kind} and source_id = any (${ids}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.source_id, row]));
}

/** Finds the campaigns that rows name by their id at the source. */
export function findCampaigns(
  ctx: Scope,
  of: Import,
  rows: readonly ImportedRow<{ campaign: string | null }>[],
): Promise<Map<string, FoundRow>> {
  const ids = rows.flatMap(({ data }) => data.campaign ?? []);
  return findBySourceId(ctx, of, 'campaign', ids);
}

/** True if a row has a record, or gets one. */
export function isComing(row: Pick<FoundRow, 'outcome'> | undefined): boolean {
  return row !== undefined && row.outcome !== null && row.outcome !== 'problem';
}

/**
 * Finds the affiliates that rows name by id at the source, address, or token of a link: those of the import, otherwise those of the account. The values of
 * the result are rows of affiliates; those of the account have the outcome `existing`. A token comes last, because affiliates choose tokens, and one may be
 * the id of somebody else.
 */
export async function findAffiliates(
  ctx: Scope,
  of: Import,
  names: readonly (string | null)[],
): Promise<Map<string, AffiliateRow>> {
  const { db, accountId } = ctx;
  const distinct = [...new Set(names.filter((name) => name !== null))];
  const lower = distinct.map((name) => name.toLowerCase());
  const bySource = await findBySourceId(ctx, of, 'affiliate', distinct);
  const keys = distinct.flatMap((name) => [emailKey(name), externalKey(name)]);
  const byKey = await findByKey(ctx, of, 'affiliate', keys);
  const links = await findByKey(ctx, of, 'link', distinct.map(tokenKey));
  const { rows: ofLinks } = await sql<AffiliateRow & { link_id: string }>`
    select link.id as link_id, affiliate.id, affiliate.outcome, affiliate.record_id from data_import_row link
    join data_import_row affiliate
      on affiliate.import_id = ${of.id} and affiliate.kind = 'affiliate' and affiliate.source_id = link.data ->> 'affiliate'
    where link.id = any (${[...links.values()].filter(isComing).map(({ id }) => id)}::text[])`.execute(db);
  const byLink = new Map(ofLinks.map((row) => [row.link_id, row]));
  const { rows: known } = await sql<{ name: string; id: string; is_token: boolean }>`
    select lower(email) as name, id, false as is_token from affiliate
      where account_id = ${accountId} and archived_at is null and lower(email) = any (${lower}::text[])
    union all
    select external_id, id, false from affiliate
      where account_id = ${accountId} and archived_at is null and external_id = any (${distinct}::text[])
    union all
    select unnest(array[lower(token), lower(former_token)]), affiliate_id, true from link where account_id = ${accountId} and ${hasToken(lower)}`.execute(
    db,
  );
  const ofAccount = (isToken: boolean) =>
    new Map(
      known.flatMap(({ name, id, is_token }) =>
        is_token === isToken ? [[name, { id, outcome: 'existing' as const, record_id: id }] as const] : [],
      ),
    );
  const [byName, byToken] = [ofAccount(false), ofAccount(true)];
  return new Map(
    distinct.flatMap((name) => {
      const link = links.get(tokenKey(name));
      const found =
        bySource.get(name) ??
        byKey.get(emailKey(name)) ??
        byKey.get(externalKey(name)) ??
        byName.get(name) ??
        byName.get(name.toLowerCase()) ??
        (link && byLink.get(link.id)) ??
        byToken.get(name.toLowerCase());
      return found === undefined ? [] : [[name, found] as const];
    }),
  );
}

/** Finds the campaigns of affiliates, by the ids that `findAffiliates` has found. */
export async function findOwnCampaigns(
  { db, accountId }: Scope,
  affiliates: Awaited<ReturnType<typeof findAffiliates>>,
): Promise<Map<string, string>> {
  const ids = [...affiliates.values()].flatMap(({ record_id }) => record_id ?? []);
  const { rows } = await sql<{ id: string; campaign_id: string }>`
    select id, campaign_id from affiliate where account_id = ${accountId} and id = any (${ids}::text[])`.execute(db);
  return new Map(rows.map(({ id, campaign_id }) => [id, campaign_id]));
}

/** Finds links of the import that have or get a record, by the id that the source gives them. */
export async function findLinks(
  { db }: Scope,
  of: Import,
  ids: readonly string[],
): Promise<Map<string, { affiliate: string; campaign_id: string | null }>> {
  const { rows } = await sql<{ source_id: string; affiliate: string; campaign_id: string | null }>`
    select its.source_id, its.data ->> 'affiliate' as affiliate, link.campaign_id
    from data_import_row its left join link on link.id = its.record_id
    where its.import_id = ${of.id} and its.kind = 'link' and its.source_id = any (${ids}::text[]) and its.outcome <> 'problem'`.execute(
    db,
  );
  return new Map(rows.map(({ source_id, ...found }) => [source_id, found]));
}

/** The referral of a customer, with the customer here. Null while the import has not made them. */
export interface FoundReferral {
  referral_id: string | null;
  affiliate_id: string | null;
  campaign_id: string | null;
  customer_id: string | null;
}

/**
 * Finds the referrals of customers whom rows name by id at the source, address, id at the payment provider or the merchant's own id: those of the import,
 * otherwise those of the account.
 */
export async function findReferrals(ctx: Scope, of: Import, names: readonly string[]): Promise<Map<string, FoundReferral>> {
  const { db, accountId } = ctx;
  const distinct = [...new Set(names)];
  if (distinct.length === 0) return new Map();
  const namedAs = new Map(distinct.map((name) => [name, identities(IDENTITY_KINDS.map((kind) => [kind, name]))]));
  const keys = [...namedAs.values()].flat().map(keyOf);
  const bySource = await findBySourceId(ctx, of, 'customer', distinct);
  const byKey = await findByKey(ctx, of, 'customer', keys);
  const rowOf = (name: string) =>
    [bySource.get(name), ...namedAs.get(name)!.map((identity) => byKey.get(keyOf(identity)))].find((row) => isComing(row));
  const ids = distinct.flatMap((name) => rowOf(name)?.record_id ?? []);
  const { rows } = await sql<Required & { name: string }>`
    select id as name, id as referral_id, affiliate_id, campaign_id, customer_id from referral where account_id = ${accountId} and id = any (${ids}::text[])
    union all
    select external_id, id, affiliate_id, campaign_id, customer_id from referral
    where account_id = ${accountId} and external_id = any (${distinct}::text[])
    union all
    select identity.kind || ' ' || identity.value, referral.id, referral.affiliate_id, referral.campaign_id, referral.customer_id
    from unnest(${keys}::text[]) key join customer_identity identity
      on identity.account_id = ${accountId} and identity.kind = split_part(key, ' ', 1) and identity.value = substr(key, strpos(key, ' ') + 1)
    join referral on referral.customer_id = identity.customer_id`.execute(db);
  const byName = new Map(rows.map(({ name, ...found }) => [name, found]));
  return new Map(
    distinct.flatMap((name) => {
      const row = rowOf(name);
      const known = row?.record_id == null ? undefined : byName.get(row.record_id);
      const found =
        known ??
        (row?.outcome === 'new' ? COMING : undefined) ??
        byName.get(name) ??
        namedAs.get(name)!.flatMap((identity) => byName.get(keyOf(identity)) ?? [])[0];
      return found === undefined ? [] : [[name, found] as const];
    }),
  );
}

type Required = { [Column in keyof FoundReferral]: string };

/** A referral that the import will make. */
const COMING: FoundReferral = { referral_id: null, affiliate_id: null, campaign_id: null, customer_id: null };

export function emailKey(address: string): string {
  return `email ${address.toLowerCase()}`;
}

export function externalKey(id: string): string {
  return `external ${id}`;
}

export function tokenKey(token: string): string {
  return `token ${token.toLowerCase()}`;
}
