import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { AuditEntries, type BrowseAuditLog, browseAuditLog, NamedAuditEntry } from '../../identity/audit-log/audit-log.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { ID_PREFIXES } from '../../platform/wire/ids.ts';
import { currencyCode, signedCents } from '../../platform/wire/scalars.ts';

/** A record as people name it. */
export const NamedRecord = z
  .object({
    id: z.string(),
    name: z.string().nullable().describe('Name of the record, or of the affiliate to whom it belongs; null if it has none.'),
    amount_cents: signedCents().nullable().describe('Amount of a commission, payout or sale.'),
    currency: currencyCode().nullable(),
  })
  .meta({ id: 'NamedRecord', description: 'A record with a name that people know it by.' });
export type NamedRecord = z.infer<typeof NamedRecord>;

/** SQL expression: the full name of the row `affiliate`, or the email address if no name is known. */
const AFFILIATE_NAME = sql<string>`coalesce(nullif(trim(concat_ws(' ', affiliate.first_name, affiliate.last_name)), ''), affiliate.email)`;

const NO_AMOUNT = sql`null::bigint as amount_cents, null as currency`;

type Names = (accountId: string, ids: readonly string[]) => RawBuilder<NamedRecord>;

/** SQL query: the records of a table that has a column with their name. */
function ofColumn(table: string, column: string): Names {
  return (accountId, ids) => sql`
    select id, ${sql.ref(column)} as name, ${NO_AMOUNT} from ${sql.table(table)} where account_id = ${accountId} and id = any(${ids})`;
}

/** SQL query: the records of a table that belong to an affiliate, named after the affiliate. */
function ofAffiliate(table: string, amount: RawBuilder<unknown>): Names {
  return (accountId, ids) => sql`
    select record.id, ${AFFILIATE_NAME} as name, ${amount} from ${sql.table(table)} record join affiliate on affiliate.id = record.affiliate_id
    where record.account_id = ${accountId} and record.id = any(${ids})`;
}

const OWN_AMOUNT = sql`record.amount_cents, record.currency`;

/** The queries for names, by the prefix of the id. Records of other kinds have no name. */
const NAMES: Readonly<Record<string, Names>> = {
  [ID_PREFIXES.affiliate]: (accountId, ids) => sql`
    select id, ${AFFILIATE_NAME} as name, ${NO_AMOUNT} from affiliate where account_id = ${accountId} and id = any(${ids})`,
  [ID_PREFIXES.commission]: ofAffiliate('commission', OWN_AMOUNT),
  [ID_PREFIXES.payout]: ofAffiliate('payout', OWN_AMOUNT),
  [ID_PREFIXES.referral]: ofAffiliate('referral', NO_AMOUNT),
  [ID_PREFIXES.sale]: (accountId, ids) => sql`
    select sale.id, coalesce(customer.name, customer.email) as name, sale.charge_amount_cents, sale.currency
    from sale left join customer on customer.id = sale.customer_id where sale.account_id = ${accountId} and sale.id = any(${ids})`,
  [ID_PREFIXES.customer]: (accountId, ids) => sql`
    select id, coalesce(name, email) as name, ${NO_AMOUNT} from customer where account_id = ${accountId} and id = any(${ids})`,
  [ID_PREFIXES.user]: (accountId, ids) => sql`
    select auth_user.id, name, ${NO_AMOUNT} from auth_user join membership on membership.user_id = auth_user.id
    where membership.account_id = ${accountId} and auth_user.id = any(${ids})`,
  [ID_PREFIXES.payout_run]: (accountId, ids) => sql`
    select id, null as name, ${NO_AMOUNT} from payout_batch where account_id = ${accountId} and id = any(${ids})`,
  [ID_PREFIXES.campaign]: ofColumn('campaign', 'name'),
  [ID_PREFIXES.link]: ofColumn('link', 'token'),
  [ID_PREFIXES.api_key]: ofColumn('api_key', 'name'),
  [ID_PREFIXES.connector]: ofColumn('connector', 'name'),
  [ID_PREFIXES.webhook_endpoint]: ofColumn('webhook_endpoint', 'name'),
  [ID_PREFIXES.invitation]: ofColumn('invitation', 'email'),
  [ID_PREFIXES.asset]: ofColumn('asset', 'name'),
  [ID_PREFIXES.reward_rule]: ofColumn('reward_rule', 'name'),
  [ID_PREFIXES.tier]: ofColumn('tier', 'name'),
  [ID_PREFIXES.promo_code]: ofColumn('promo_code', 'code'),
};

/** Returns the names of records of the account, by their ids. Ids of unknown records, and of records without a name, are left out. */
export async function nameRecords({ db, accountId }: Ctx, ids: Iterable<string>): Promise<Map<string, NamedRecord>> {
  const byKind = Map.groupBy(new Set(ids), (id) => id.slice(0, Math.max(0, id.lastIndexOf('_'))));
  const parts = [...byKind].flatMap(([prefix, known]) =>
    Object.hasOwn(NAMES, prefix) ? [NAMES[prefix]!(accountId, known)] : [],
  );
  if (parts.length === 0) return new Map();
  const { rows } = await sql<NamedRecord>`${sql.join(parts, sql` union all `)}`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export const DescribedAuditEntries = AuditEntries.extend({
  data: z.array(
    NamedAuditEntry.extend({
      subjects: z.array(NamedRecord).describe('Records that the entry concerns, at most five. Deleted records are left out.'),
    }).meta({ id: 'DescribedAuditEntry' }),
  ),
});
export type DescribedAuditEntries = z.infer<typeof DescribedAuditEntries>;

/** Returns a part of the audit log, with the names of the callers and of the records that they changed. */
export async function describeAuditLog(ctx: Ctx, input: BrowseAuditLog): Promise<DescribedAuditEntries> {
  const { data, next_before } = await browseAuditLog(ctx, input);
  const named = await nameRecords(
    ctx,
    data.flatMap(({ subject_ids }) => subject_ids),
  );
  return {
    data: data.map((entry) => ({ ...entry, subjects: entry.subject_ids.flatMap((id) => named.get(id) ?? []) })),
    next_before,
  };
}
