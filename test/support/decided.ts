import { deepEqual } from 'node:assert/strict';
import type { Services } from '@affiliate/core';
import { ANYTHING, attribute } from '../../packages/core/src/attribution/attribute.ts';
import { lockCustomer } from '../../packages/core/src/attribution/claims/customers.ts';
import { decide } from '../../packages/core/src/attribution/decide/decide.ts';
import { NOBODY } from '../../packages/core/src/attribution/decide/facts.ts';
import { gather } from '../../packages/core/src/attribution/gather/gather.ts';
import { Sale } from '../../packages/core/src/ledger/sales/sale.entity.ts';
import type { WriteCtx } from '../../packages/core/src/platform/call/context.ts';
import { load } from '../../packages/core/src/platform/call/records.ts';
import { inTransaction, systemContext } from '../../packages/core/src/platform/call/transaction.ts';

/** Tables that a decision may change. */
const DECIDED = ['sale', 'commission', 'referral', 'attribution_claim', 'customer', 'payout', 'payout_item', 'event'] as const;

/**
 * Checks that everything about the customers of an account is decided: deciding again by all facts changes nothing, and a decision about the latest
 * sale alone is the same as the one by all facts.
 */
export async function checkDecided(services: Services, accountId: string): Promise<void> {
  const { kysely } = services.database;
  const customers = await kysely.selectFrom('customer').select('id').where('account_id', '=', accountId).execute();
  const before = await rowsOf(kysely, accountId);
  for (const { id } of customers)
    await inTransaction(systemContext(services, accountId, 'decided'), async (ctx) => {
      await attribute(ctx, { of: 'customer', customer: await lockCustomer(ctx, id), change: ANYTHING });
      await checkLatest(ctx, id);
    });
  const after = await rowsOf(kysely, accountId);
  for (const table of DECIDED) deepEqual(after[table], before[table], `Deciding again changes ${table}.`);
}

async function checkLatest(ctx: WriteCtx, customerId: string): Promise<void> {
  const sales = ctx.db
    .selectFrom('sale')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('charged_at', 'desc')
    .orderBy('id');
  const [sale] = await load(ctx, Sale, sales.limit(1));
  if (sale === undefined) return;
  const customer = await ctx.locks.subject('comparison', () => lockCustomer(ctx, customerId));
  const subject = { customer, sale, isCreated: false, news: null, payer: NOBODY, hasNewClaims: false, reopensLeads: false };
  const [whole, part] = [
    decide((await gather(ctx, { ...subject, from: null })).facts),
    decide((await gather(ctx, { ...subject, from: sale.charged_at })).facts),
  ];
  const ofSale = (verdict: ReturnType<typeof decide>) => {
    const { fact: _, claim, flags, ...rest } = verdict.sales.find(({ fact }) => fact.sale.id === sale.id)!;
    return { ...rest, flags, claim: claim?.referral_id ?? claim?.key ?? null, binding: verdict.binding?.referral_id ?? null };
  };
  deepEqual(ofSale(part), ofSale(whole), 'A decision about the latest sale differs from the decision by all facts.');
}

async function rowsOf(
  db: Services['database']['kysely'],
  accountId: string,
): Promise<Record<(typeof DECIDED)[number], unknown[]>> {
  const all: [string, unknown[]][] = [];
  for (const table of DECIDED) {
    const rows =
      table === 'payout_item'
        ? db
            .selectFrom(table)
            .innerJoin('payout', 'payout.id', 'payout_id')
            .selectAll('payout_item')
            .where('account_id', '=', accountId)
        : db.selectFrom(table).selectAll().where('account_id', '=', accountId);
    const found: unknown[] = await rows.execute();
    all.push([table, found.map((row) => JSON.stringify(row)).toSorted()]);
  }
  return Object.fromEntries(all) as never;
}
