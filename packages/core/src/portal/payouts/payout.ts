import { mapInParts } from '@affiliate/postgres';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { CommissionKind } from '../../ledger/commissions/commission.entity.ts';
import { explainToAffiliate } from '../../ledger/commissions/explain-amounts.ts';
import { paymentOfRow, selectPayments } from '../../ledger/payouts/payment-outlook.queries.ts';
import { type Payment, paymentIn } from '../../ledger/payouts/payment-outlook.ts';
import { payoutView } from '../../ledger/payouts/payout.queries.ts';
import { PlainPayout } from '../../ledger/payouts/payout.schema.ts';
import { SALE_AMOUNT_CENTS } from '../../ledger/sales/sale.entity.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { decimalAmount } from '../../platform/money/money.ts';
import { type Language, LANGUAGES } from '../../platform/texts/texts.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, pageInput, type PageInput, paginate, paginated } from '../../platform/wire/pagination.ts';
import { id, textInEachLanguage } from '../../platform/wire/scalars.ts';
import { fieldNames } from '../../platform/wire/wire-record.ts';
import { dayIn } from '../../reports/analytics/local-days.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import { EXPLAINED_BY, SOURCE } from '../commissions/commissions.ts';
import { findSelf } from '../self/self.ts';
import { pdfOf } from './statement-pdf.ts';
import { csvOf, type StatementContent } from './statement.ts';

/** The columns of a payout that its affiliate sees. */
const StoredPayout = PlainPayout.pick({
  id: true,
  state: true,
  amount_cents: true,
  currency: true,
  commissions_count: true,
  paid_at: true,
  returned_at: true,
  return_reason: true,
  created_at: true,
});

type StoredPayout = z.infer<typeof StoredPayout>;

export const PortalPayout = StoredPayout.extend({
  payment_in: textInEachLanguage()
    .nullable()
    .describe(
      'How the payout is or was paid, in words, in each language: method, address, day and reference. Null for an open payout.',
    ),
}).meta({ id: 'PortalPayout', description: 'A payout, as its affiliate sees it.' });
export type PortalPayout = z.infer<typeof PortalPayout>;

export const ListPortalPayouts = z.strictObject(pageInput);
export const PortalPayoutPage = paginated(PortalPayout);

export const GetStatement = z.strictObject({
  id: id('payout'),
  format: z.enum(['csv', 'pdf']).default('csv'),
  language: z.enum(LANGUAGES).default('en').describe('Language of the statement.'),
});

export const Statement = z
  .object({
    file_name: z.string(),
    download_url: z
      .url()
      .describe(
        'Address of the file, which has one row for each commission of the payout. It needs no credentials, accepts ranges, and works for ten minutes.',
      ),
  })
  .meta({ id: 'PortalStatement', description: 'The statement of a payout.' });
export type Statement = z.infer<typeof Statement>;

type RowsCtx = Pick<AffiliateCtx, 'mine' | 'now'>;
type StatementCtx = Pick<AffiliateCtx, 'mine' | 'now' | 'secrets' | 'payoutMethods'>;

/** Starts a query of the affiliate's payouts with their state, as `payoutView` computes it for merchants. */
function ownPayouts({ mine, now }: RowsCtx) {
  return payoutView({ db: mine('payout', 'affiliate', 'campaign'), now });
}

const COLUMNS = fieldNames(StoredPayout).map((name) => `payout.${name}` as const);

/** Lists the affiliate's payouts, newest first. */
export async function listOwnPayouts(ctx: AffiliateCtx, page: PageInput): Promise<Page<PortalPayout>> {
  const { data, pagination } = await paginate(ownPayouts(ctx), page, {
    order: listOrder('-created_at', { table: 'payout' }),
    select: (all) => all.select(COLUMNS),
  });
  const ids = data.map(({ id }) => id);
  const rows = await ctx.mine.rows(['account', 'payout', 'payout_attempt'], selectPayments(ids));
  const payments = new Map(rows.map((row) => [row.payout_id, paymentOfRow(ctx, row)]));
  const inWords = (payment: Payment | undefined) =>
    payment ? { en: paymentIn('en', payment, ctx.now), de: paymentIn('de', payment, ctx.now) } : null;
  return { data: data.map((payout) => ({ ...payout, payment_in: inWords(payments.get(payout.id)) })), pagination };
}

/** Returns one payout. Throws NOT_FOUND when the payout does not exist or belongs to another affiliate. */
async function getOwnPayout(ctx: RowsCtx, id: string): Promise<StoredPayout> {
  return foundOrThrow(await ownPayouts(ctx).select(COLUMNS).where('payout.id', '=', id).executeTakeFirst(), 'payout');
}

interface Commission {
  id: string;
  kind: CommissionKind;
  note: string | null;
  created_at: string;
  charged_at: string | null;
  customer: string | null;
  description: string | null;
  sale: string | null;
  source: string | null;
  gross_cents: number | null;
  base_cents: number | null;
  basis_points: number | null;
  base_currency: string | null;
  amount_cents: number;
}

interface StatementName {
  id: string;
  format: 'csv' | 'pdf';
  language: Language;
}

/** Returns the name of a payout's statement and the address of its content. Throws NOT_FOUND. */
export async function getStatement(ctx: AffiliateCtx, { id, format, language }: StatementName): Promise<Statement> {
  const payout = await getOwnPayout(ctx, id);
  const { time_zone } = await findSelf(ctx);
  return {
    file_name: fileNameOf(payout, format, time_zone),
    download_url: ctx.fileUrl({ kind: 'statement', id, format, language }),
  };
}

/**
 * Makes the statement of a payout. It lists the commissions of the payout; for a returned payout, the commissions that were in it, with the amounts
 * that were paid (docs/rules/payouts.md#returned-payouts). Throws NOT_FOUND.
 */
export async function renderStatement(
  ctx: StatementCtx,
  { id, format, language }: StatementName,
): Promise<{ name: string; content: Buffer }> {
  const payout = await getOwnPayout(ctx, id);
  const { time_zone } = await findSelf(ctx);
  const content = await findContent(ctx, payout, language);
  return {
    name: fileNameOf(payout, format, time_zone),
    content: format === 'csv' ? Buffer.from(await csvOf(content)) : await pdfOf(content),
  };
}

/** Returns a name with the day, the currency and the end of the id, so that files of several payouts stay apart. */
function fileNameOf({ id, paid_at, created_at, currency }: StoredPayout, format: 'csv' | 'pdf', timeZone: string): string {
  return `statement-${dayIn(timeZone, paid_at ?? created_at)}-${currency.toLowerCase()}-${id.slice(-6)}.${format}`;
}

async function findContent(ctx: StatementCtx, payout: StoredPayout, language: Language): Promise<StatementContent> {
  const { id } = payout;
  const self = await findSelf(ctx);
  const commissions = await ctx.mine.rows(
    ['commission', 'payout_item', 'returned_payout_item', 'sale', 'customer', 'payout', 'referral', 'link', 'promo_code'],
    sql<Commission>`
      select commission.id, commission.kind, commission.note, commission.created_at, sale.charged_at,
        coalesce(customer.name, customer.email) as customer, sale.description, sale.id as sale, ${SOURCE} as source,
        case when sale.id is not null then ${SALE_AMOUNT_CENTS} end as base_cents, sale.charge_amount_cents - sale.tax_amount_cents as gross_cents,
        commission.basis_points, sale.currency as base_currency,
        coalesce(item.stored_cents, commission.amount_cents) as amount_cents
      from (
        select commission_id, null::bigint as stored_cents from payout_item where payout_id = ${id}
        union all select commission_id, amount_cents from returned_payout_item where payout_id = ${id}
      ) item
      join commission on commission.id = item.commission_id
      left join sale on sale.id = commission.sale_id
      left join customer on customer.id = sale.customer_id
      left join referral on referral.id = commission.referral_id
      left join link on link.id = referral.link_id
      order by commission.id`,
  );
  const read = <Row>(statement: RawBuilder<Row>) => ctx.mine.rows(EXPLAINED_BY, statement);
  // Commissions of a returned payout are open again and may have changed, so today's sale and steps do not explain what was paid.
  const isExplained = payout.state !== 'returned';
  const explanations = isExplained ? await explainToAffiliate({ accountId: self.account_id, read }, commissions) : [];
  const [payment] = await ctx.mine.rows(['account', 'payout', 'payout_attempt'], selectPayments([id]));
  const { currency } = payout;
  const dayOf = (at: string | null) => (at === null ? '' : dayIn(self.time_zone, at));
  const ofSale = (cents: number | null, line: Commission) =>
    isExplained && cents !== null ? decimalAmount(cents, line.base_currency!) : '';
  const lines = await mapInParts([...commissions.entries()], ([at, line]) => ({
    commission: line.id,
    sale: line.sale ?? '',
    source: line.source ?? '',
    gross: ofSale(line.gross_cents, line),
    base: ofSale(line.base_cents, line),
    rate: isExplained && line.basis_points !== null ? String(line.basis_points / 100) : '',
    base_currency: (isExplained && line.base_currency) || '',
    explanation: explanations[at]?.in_words[language] ?? '',
    date: dayOf(line.charged_at ?? line.created_at),
    kind: line.kind,
    customer: line.customer ?? '',
    description: line.description ?? line.note ?? '',
    amount: decimalAmount(line.amount_cents, currency),
  }));
  const days = lines.map(({ date }) => date).toSorted();
  return {
    language,
    payout: { id, state: payout.state, paid_on: dayOf(payout.paid_at), created_on: dayOf(payout.created_at) },
    payment: payment ? paymentIn(language, paymentOfRow(ctx, payment)) : '',
    fee: payment?.affiliate_fee_cents ? decimalAmount(payment.affiliate_fee_cents, currency) : '',
    period: { from: days[0] ?? '', until: days.at(-1) ?? '' },
    merchant: { name: self.account_name, details: self.merchant_details ?? '' },
    affiliate: {
      name: [self.first_name, self.last_name].filter((name) => name !== null).join(' '),
      email: self.email,
      details: self.billing_details ?? '',
    },
    lines,
    total: decimalAmount(payout.amount_cents, currency),
    currency,
  };
}
