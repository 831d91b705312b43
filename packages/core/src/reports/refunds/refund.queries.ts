import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { isVisibleTo } from '../../platform/call/mode.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { allOf, whatValues, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import { refundsOfSales } from '../timelines/record-timeline.queries.ts';
import type { ListRefunds, RefundsOfSale } from './refund.schema.ts';

const COLUMNS = [
  'id as sale_id',
  'external_id',
  'affiliate_id',
  'customer_id',
  'currency',
  'refund_amount_cents',
  'created_at',
  'updated_at',
] as const;

/** Lists the sales of which something was refunded, with their refunds, newest sales first unless sorted otherwise. */
export async function listRefunds(ctx: Ctx, input: ListRefunds): Promise<Page<RefundsOfSale>> {
  const { affiliate_id, customer_id } = input;
  const query = sales(ctx)
    .where('refund_amount_cents', '>', 0)
    .where(allOf([...whenUpdated('updated_at', input), ...whatValues({ affiliate_id, customer_id })]));
  return paginate(
    query,
    input,
    { order: listOrder(input.sort, { table: 'sale', idProperty: 'sale_id' }), select: (all) => all.select(COLUMNS) },
    async (page) => withRefunds(ctx, await page.execute()),
  );
}

/** Returns the refunds of a sale; none if nothing was refunded. Throws NOT_FOUND. */
export async function getRefunds(ctx: Ctx, { sale_id }: { sale_id: string }): Promise<RefundsOfSale> {
  const row = await sales(ctx).select(COLUMNS).where('id', '=', sale_id).executeTakeFirst();
  const [found] = await withRefunds(ctx, [foundOrThrow(row, 'sale')]);
  return found!;
}

function sales(ctx: Ctx) {
  return ctx.db.selectFrom('sale').where('account_id', '=', ctx.accountId).where(isVisibleTo(ctx, 'sale'));
}

async function withRefunds<Row extends { sale_id: string }>(
  { db }: Ctx,
  rows: readonly Row[],
): Promise<(Row & Pick<RefundsOfSale, 'refunds'>)[]> {
  const ids = rows.map(({ sale_id }) => sale_id);
  const entries = ids.length === 0 ? [] : await refundsOfSales(db, sql`select unnest(${ids}::text[]) as id`);
  const bySale = Map.groupBy(entries, ({ record_id }) => record_id);
  return rows.map((row) => ({
    ...row,
    refunds: (bySale.get(row.sale_id) ?? [])
      .map(({ at, kind, amount_cents, actor }) => ({ at, kind, amount_cents, source: actor }))
      .toSorted((a, b) => (a.at < b.at ? -1 : 1)),
  }));
}
