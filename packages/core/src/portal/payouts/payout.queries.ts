import { sql } from 'kysely';
import { writeCsv } from '../../platform/wire/csv.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { decimalAmount } from '../../platform/money/decimal.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import { ownPayouts } from './own-payouts.ts';
import type { PortalPayout, Statement } from './payout.schema.ts';

const COLUMNS = [
  'payout.id',
  'payout.state',
  'payout.amount_cents',
  'payout.currency',
  'payout.commissions_count',
  'payout.ineligible_reasons',
  'payout.paid_at',
  'payout.returned_at',
  'payout.created_at',
] as const;

/** The affiliate's payouts, newest first. */
export async function listOwnPayouts(ctx: AffiliateCtx, page: { page: number; limit: number }): Promise<Page<PortalPayout>> {
  return paginate(ownPayouts(ctx), page, (all) => all.select(COLUMNS).orderBy(sql`payout.id`, 'desc'));
}

/** One payout. Throws NOT_FOUND, also for that of another affiliate. */
async function getOwnPayout(ctx: AffiliateCtx, id: string): Promise<PortalPayout> {
  return foundOrThrow(await ownPayouts(ctx).select(COLUMNS).where('payout.id', '=', id).executeTakeFirst(), 'payout');
}

interface Line {
  id: string;
  kind: string;
  note: string | null;
  created_at: string;
  charged_at: string | null;
  customer: string | null;
  description: string | null;
  amount_cents: number;
}

/** The statement of a payout as CSV: its commissions, of a returned payout those that were in it. Throws NOT_FOUND. */
export async function getStatement(ctx: AffiliateCtx, { id }: { id: string }): Promise<Statement> {
  const payout = await getOwnPayout(ctx, id);
  const lines = await ctx.mine.rows(
    ['commission', 'payout_item', 'returned_payout_item', 'sale', 'customer', 'payout'],
    sql<Line>`
      select commission.id, commission.kind, commission.note, commission.created_at, sale.charged_at,
        coalesce(customer.name, customer.email) as customer, sale.description, commission.amount_cents
      from (
        select commission_id from payout_item where payout_id = ${id}
        union all select commission_id from returned_payout_item where payout_id = ${id}
      ) item
      join commission on commission.id = item.commission_id
      left join sale on sale.id = commission.sale_id
      left join customer on customer.id = sale.customer_id
      order by commission.id`,
  );
  const { currency } = payout;
  const rows = lines.map((line) => [
    line.id,
    (line.charged_at ?? line.created_at).slice(0, 10),
    line.kind,
    line.customer ?? '',
    line.description ?? line.note ?? '',
    decimalAmount(line.amount_cents, currency),
    currency,
  ]);
  const total = [
    '',
    payout.paid_at?.slice(0, 10) ?? '',
    'total',
    '',
    payout.state,
    decimalAmount(payout.amount_cents, currency),
    currency,
  ];
  const header = ['commission', 'date', 'kind', 'customer', 'description', 'amount', 'currency'];
  return {
    file_name: `statement-${id}.csv`,
    content_type: 'text/csv; charset=utf-8',
    content: writeCsv([header, ...rows, total]),
  };
}
