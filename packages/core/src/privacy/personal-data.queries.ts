import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../platform/call/context.ts';
import { isVisibleTo } from '../platform/call/mode.ts';
import { foundOrThrow } from '../platform/call/records.ts';
import type { PersonalData } from './erasure.schema.ts';

/** Maximum number of records of one kind in an export. */
const MOST = 10_000;

/** Queries of the rows about a person, by the name that they have in the export. */
type Sections = Readonly<Record<string, RawBuilder<unknown>>>;

function ofCustomer(ctx: Ctx, id: string): Sections {
  const referral = sql`select id from referral where customer_id = ${id}`;
  const sale = sql`select id from sale where customer_id = ${id} and ${isVisibleTo(ctx, 'sale')}`;
  return {
    customer: sql`select * from customer where id = ${id}`,
    identities: sql`select * from customer_identity where customer_id = ${id}`,
    referrals: sql`select * from referral where customer_id = ${id}`,
    referral_sources: sql`select * from referral_source where referral_id in (${referral})`,
    clicks: sql`select * from click where referral_id in (${referral})`,
    sales: sql`select * from sale where id in (${sale})`,
    sale_lines: sql`select * from sale_line where sale_id in (${sale})`,
    refunds: sql`select * from refund where sale_id in (${sale})`,
    payments: sql`select * from payment where sale_id in (${sale})`,
    payment_pieces: sql`select * from payment_pieces
      where names && array(select name from payment_name where sale_id in (${sale}))`,
  };
}

function ofAffiliate(ctx: Ctx, id: string): Sections {
  return {
    affiliate: sql`select * from affiliate where id = ${id}`,
    application: sql`select * from affiliate_application where affiliate_id = ${id}`,
    accepted_terms: sql`select * from terms_acceptance where affiliate_id = ${id}`,
    invitations: sql`select id, kind, email, campaign_id, status, created_at, accepted_at from invitation where affiliate_id = ${id}`,
    links: sql`select * from link where affiliate_id = ${id}`,
    promo_codes: sql`select * from promo_code where affiliate_id = ${id} and ${isVisibleTo(ctx, 'promo_code')}`,
    commissions: sql`select * from commission where affiliate_id = ${id} and ${isVisibleTo(ctx, 'commission')}`,
    payouts: sql`select * from payout where affiliate_id = ${id} and ${isVisibleTo(ctx, 'payout')}`,
    payout_export_items: sql`
      select item.* from payout_export_item item join payout_export on payout_export.id = item.export_id
      where item.affiliate_id = ${id} and ${isVisibleTo(ctx, 'payout_export')}`,
    notices: sql`select * from affiliate_notice where affiliate_id = ${id}`,
  };
}

/** Returns everything that is stored about a customer. Throws NOT_FOUND. */
export function getDataOfCustomer(ctx: Ctx, { id }: { id: string }): Promise<PersonalData> {
  return exported(ctx, 'customer', id, ofCustomer(ctx, id));
}

/** Returns everything that is stored about an affiliate. Throws NOT_FOUND. */
export function getDataOfAffiliate(ctx: Ctx, { id }: { id: string }): Promise<PersonalData> {
  return exported(ctx, 'affiliate', id, ofAffiliate(ctx, id));
}

async function exported(
  { db, accountId, now }: Ctx,
  kind: PersonalData['kind'],
  id: string,
  sections: Sections,
): Promise<PersonalData> {
  const known = await db
    .selectFrom(kind)
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  foundOrThrow(known, kind);
  const records: PersonalData['records'] = {};
  for (const [name, query] of Object.entries(sections)) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(part) - 'visitor_key' as row from (${query} limit ${sql.lit(MOST)}) part`.execute(db);
    records[name] = rows.map(({ row }) => row);
  }
  return { kind, id, exported_at: now, records };
}
