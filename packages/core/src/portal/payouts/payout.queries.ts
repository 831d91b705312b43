import { sql } from 'kysely';
import { payoutView } from '../../ledger/payouts/payout.queries.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { decimalAmount } from '../../platform/money/money.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, type PageInput, paginate } from '../../platform/wire/pagination.ts';
import { fieldNames } from '../../platform/wire/wire-record.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import { findSelf } from '../self/self.queries.ts';
import { PortalPayout, type Statement } from './payout.schema.ts';
import { pdfOf } from './statement-pdf.ts';
import { csvOf, type StatementContent } from './statement.ts';

/** Starts a query of the affiliate's payouts with their eligibility, as `payoutView` computes it for merchants. */
export function ownPayouts({ mine, now }: AffiliateCtx) {
  return payoutView({ db: mine('payout', 'affiliate', 'campaign'), now });
}

const COLUMNS = fieldNames(PortalPayout).map((name) => `payout.${name}` as const);

/** Lists the affiliate's payouts, newest first. */
export async function listOwnPayouts(ctx: AffiliateCtx, page: PageInput): Promise<Page<PortalPayout>> {
  return paginate(ownPayouts(ctx), page, {
    order: listOrder('-created_at', { table: 'payout' }),
    select: (all) => all.select(COLUMNS),
  });
}

/** Returns one payout. Throws NOT_FOUND when the payout does not exist or belongs to another affiliate. */
async function getOwnPayout(ctx: AffiliateCtx, id: string): Promise<PortalPayout> {
  return foundOrThrow(await ownPayouts(ctx).select(COLUMNS).where('payout.id', '=', id).executeTakeFirst(), 'payout');
}

interface Commission {
  id: string;
  kind: string;
  note: string | null;
  created_at: string;
  charged_at: string | null;
  customer: string | null;
  description: string | null;
  amount_cents: number;
}

/**
 * Returns the statement of a payout as a file. It lists the commissions of the payout; for a returned payout, the commissions that were in
 * it, with the amounts that were paid (docs/rules/payouts.md#returned-payouts). Throws NOT_FOUND.
 */
export async function getStatement(ctx: AffiliateCtx, { id, format }: { id: string; format: 'csv' | 'pdf' }): Promise<Statement> {
  const content = await findContent(ctx, id);
  const file_name = `statement-${id}.${format}`;
  return format === 'csv'
    ? { file_name, content_type: 'text/csv; charset=utf-8', encoding: 'utf8', content: await csvOf(content) }
    : { file_name, content_type: 'application/pdf', encoding: 'base64', content: (await pdfOf(content)).toString('base64') };
}

async function findContent(ctx: AffiliateCtx, id: string): Promise<StatementContent> {
  const payout = await getOwnPayout(ctx, id);
  const self = await findSelf(ctx);
  const commissions = await ctx.mine.rows(
    ['commission', 'payout_item', 'returned_payout_item', 'sale', 'customer', 'payout'],
    sql<Commission>`
      select commission.id, commission.kind, commission.note, commission.created_at, sale.charged_at,
        coalesce(customer.name, customer.email) as customer, sale.description,
        coalesce(item.stored_cents, commission.amount_cents) as amount_cents
      from (
        select commission_id, null::bigint as stored_cents from payout_item where payout_id = ${id}
        union all select commission_id, amount_cents from returned_payout_item where payout_id = ${id}
      ) item
      join commission on commission.id = item.commission_id
      left join sale on sale.id = commission.sale_id
      left join customer on customer.id = sale.customer_id
      order by commission.id`,
  );
  const { currency } = payout;
  return {
    payout: { id, state: payout.state, paid_on: dayOf(payout.paid_at), created_on: dayOf(payout.created_at) },
    merchant: self.account_name,
    affiliate: { name: [self.first_name, self.last_name].filter((name) => name !== null).join(' '), email: self.email },
    lines: commissions.map((line) => ({
      commission: line.id,
      date: dayOf(line.charged_at ?? line.created_at),
      kind: line.kind,
      customer: line.customer ?? '',
      description: line.description ?? line.note ?? '',
      amount: decimalAmount(line.amount_cents, currency),
    })),
    total: decimalAmount(payout.amount_cents, currency),
    currency,
  };
}

function dayOf(at: string | null): string {
  return at?.slice(0, 10) ?? '';
}
