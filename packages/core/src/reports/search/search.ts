import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { salesNamed } from '../../ledger/sales/wire-names.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { isVisibleTo } from '../../platform/call/mode.ts';
import { startsWith } from '../../platform/db/conditions.ts';
import { ID_PREFIXES } from '../../platform/wire/ids.ts';
import { PSP } from '../../platform/wire/psp-name.ts';
import { text } from '../../platform/wire/scalars.ts';
import { identityValue } from '../../program/customer-identities/customer-identity.ts';
import { hasToken } from '../../program/links/link-token.ts';

const FOUND_KINDS = [
  'affiliate',
  'customer',
  'referral',
  'sale',
  'commission',
  'payout',
  'payout_run',
  'link',
  'promo_code',
] as const;

export const Search = z.strictObject({
  q: text(254)
    .describe(
      `An ID; the beginning of the name or email address of an affiliate, or of the email address of a customer; or a complete link code, promo code, order ID, ${PSP} ID, or payment reference.`,
    )
    .meta({ example: 'ada@example.com' }),
});
export type Search = z.infer<typeof Search>;

export const Found = z
  .object({
    data: z
      .array(
        z.object({
          kind: z.enum(FOUND_KINDS),
          record_id: z.string().describe('ID of the record to open. For a link or promo code, this is the affiliate.'),
          title: z.string(),
          detail: z.string().nullable(),
        }),
      )
      .describe('A few records of each kind; affiliates and customers first. Not paginated.'),
  })
  .meta({ id: 'SearchResults', description: 'The records that match a search.' });
export type Found = z.infer<typeof Found>;

/** Maximum number of results of each partial query, which finds records of one kind by one column. */
const SHOWN = 5;
/** Minimum length of a text that is searched for as the beginning of a name. A shorter one would match too many names. */
const MIN_BEGINNING = 2;

/** Kinds of records that can be found by their ids. */
const BY_ID = ['affiliate', 'customer', 'referral', 'sale', 'commission', 'payout', 'payout_run'] as const satisfies (
  | (typeof FOUND_KINDS)[number]
  | keyof typeof ID_PREFIXES
)[];

const AFFILIATE_NAME = sql`coalesce(nullif(concat_ws(' ', first_name, last_name), ''), email)`;

/**
 * Finds records by an id, a name, an email address, a code, an order id, an id of the payment provider or the reference of a payment. Each partial query reads at most a
 * few rows of an index, whatever the size of the account.
 */
export async function search(ctx: Ctx, { q }: Search): Promise<Found> {
  const { db, accountId } = ctx;
  const known = q.trim();
  const kind = BY_ID.find((each) => known.startsWith(`${ID_PREFIXES[each]}_`));
  const parts = kind ? [byId(ctx, kind, known)] : [...byWhole(ctx, known), ...byBeginning(accountId, known)];
  const found = sql.join(
    parts.map((part) => sql`(${part} limit ${sql.lit(SHOWN)})`),
    sql` union `,
  );
  const { rows } = await sql<Found['data'][number]>`
    select * from (${found}) as found (kind, record_id, title, detail) order by array_position(array['affiliate', 'customer'], kind), title, record_id`.execute(
    db,
  );
  return { data: rows };
}

/** Those of the kinds that may be of the payment provider's test mode. */
const WITH_MODE: readonly string[] = ['sale', 'commission', 'payout', 'payout_run'];

function byId(ctx: Ctx, kind: (typeof BY_ID)[number], id: string): RawBuilder<unknown> {
  const table = ctx.services.database.namedTables[kind] ?? kind;
  const title = { affiliate: AFFILIATE_NAME, customer: sql`coalesce(name, email, id)` }[kind as string] ?? sql`id`;
  const detail = kind === 'affiliate' || kind === 'customer' ? sql`email` : sql`null::text`;
  return sql`select ${sql.lit(kind)}::text, id, ${title}, ${detail} from ${sql.table(table)}
    where account_id = ${ctx.accountId} and id = ${id} and ${WITH_MODE.includes(kind) ? isVisibleTo(ctx, table) : sql`true`}`;
}

function byWhole(ctx: Ctx, text: string): RawBuilder<unknown>[] {
  const { accountId } = ctx;
  const sales = [sql`external_id = ${text}`, sql`id = any (${salesNamed(accountId, text)})`].map(
    (condition) => sql`select 'sale'::text, id, ${text}::text, description from sale
      where account_id = ${accountId} and ${condition} and ${isVisibleTo(ctx, 'sale')}`,
  );
  return [
    ...sales,
    sql`select 'customer'::text, customer.id, coalesce(name, email, psp_customer_id), email
      from customer_identity identity join customer on customer.id = identity.customer_id
      where identity.account_id = ${accountId} and (
        (kind = 'email' and value = ${identityValue('email', text)}) or (kind in ('psp_customer_id', 'external_customer_id') and value = ${text}))`,
    sql`select 'payout'::text, payout.id, payment_reference, ${AFFILIATE_NAME} from payout join affiliate on affiliate.id = payout.affiliate_id
      where payout.account_id = ${accountId} and payment_reference = ${text} and ${isVisibleTo(ctx, 'payout')}`,
    sql`select 'link'::text, affiliate_id, token, url from link where account_id = ${accountId} and ${hasToken([text.toLowerCase()])}`,
    sql`select 'promo_code'::text, affiliate_id, code, null::text from promo_code
      where account_id = ${accountId} and lower(code) = lower(${text}) and ${isVisibleTo(ctx, 'promo_code')}`,
  ];
}

function byBeginning(accountId: string, text: string): RawBuilder<unknown>[] {
  if (text.length < MIN_BEGINNING) return [];
  const names = ['email', `coalesce(first_name, '') || ' ' || coalesce(last_name, '')`, 'last_name'].map(
    (name) => sql<string>`lower(${sql.raw(name)})`,
  );
  return [
    ...names.map(
      (name) => sql`select 'affiliate'::text, id, ${AFFILIATE_NAME}, email from affiliate
        where account_id = ${accountId} and ${startsWith(name, text)}`,
    ),
    sql`select 'customer'::text, id, coalesce(name, email), email from customer
      where account_id = ${accountId} and ${startsWith(sql<string>`lower(email)`, text)}`,
  ];
}
