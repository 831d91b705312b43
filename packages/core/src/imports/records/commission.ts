import { sql } from 'kysely';
import { z } from 'zod';
import { lockAffiliates } from '../../ledger/affiliate-lock.ts';
import { IS_OF_SALE } from '../../ledger/commissions/commission.entity.ts';
import {
  dueDate,
  type ImportedCommission as Recorded,
  recordImportedCommissions,
} from '../../ledger/commissions/commission.transitions.ts';
import { foldCountsSoon } from '../../ledger/earning/book-commission.ts';
import { collectCommissions } from '../../ledger/payouts/payout.transitions.ts';
import {
  type ImportedSale as RecordedSale,
  markSalesImported,
  recordImportedSales,
} from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { advisoryLocks } from '../../platform/call/locks.ts';
import { newId } from '../../platform/wire/ids.ts';
import { externalId } from '../../platform/wire/merchant-data.ts';
import { cents, currency, MAX_CENTS, text, timestamp } from '../../platform/wire/scalars.ts';
import { COMMISSION_STATES } from '../../platform/wire/states.ts';
import type { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import type { ImportedRow, MadeIds, NewRow, RecordKind, Verdict } from '../port/import-kind.ts';
import { externalKey, findAffiliates, findCampaigns, findEarlier, findReferrals, isComing } from './find-rows.ts';

const ImportedSale = z.strictObject({
  /** Names of the payment alone, and of the invoice that it pays, by which it is found again when the provider tells it. */
  names: z.array(text(300)),
  name_of_group: text(300).nullable(),
  charge_amount_cents: cents(),
  tax_amount_cents: cents(),
  /** Refunds by now. */
  refund_amount_cents: cents(),
  currency: currency(),
  charged_at: timestamp(),
});

const ImportedCommission = z.strictObject({
  external_id: externalId().nullable(),
  /** Id at the source, address or token of the affiliate. Null for that of the customer. */
  affiliate: text(255).nullable(),
  /** Id at the source of the campaign. Null for that of the customer, otherwise of the affiliate. */
  campaign: text(255).nullable(),
  /** Id at the source, address or other id of the customer. */
  customer: text(255).nullable(),
  state: z.enum(COMMISSION_STATES),
  /** False for points, months and the like. */
  is_money: z.boolean(),
  /** True if a person has to look at the commission before it is paid. */
  flagged: z.boolean(),
  amount_cents: z.int().min(-MAX_CENTS).max(MAX_CENTS),
  /** Null for the currency of the import. */
  currency: currency().nullable(),
  due_at: timestamp().nullable(),
  paid_at: timestamp().nullable(),
  voided_at: timestamp().nullable(),
  /** Null if the source knows nothing of a payment. */
  sale: ImportedSale.nullable(),
  /** Id at the source of the payout that paid the commission. */
  payout: text(255).nullable(),
  created_at: timestamp(),
});
export type ImportedCommission = z.infer<typeof ImportedCommission>;

/** The records to which a commission refers. In a dry run, null also stands for those that do not exist yet. */
interface References {
  affiliate_id: string | null;
  affiliate_state: Affiliate['state'] | null;
  campaign_id: string | null;
  /** Days after a sale until its commission is due. */
  days_until_commissions_are_due: number;
  referral_id: string | null;
  customer_id: string | null;
  /** A sale of the account without a commission. Null for a new one. */
  sale_id: string | null;
  /** True if another commission of the same payment has its sale. */
  is_further: boolean;
  currency: string;
}

/**
 * Commissions, in the state that they have at the former tool, with the sales that earned them. What they are worth is decided: only refunds from after the
 * import change it.
 */
export const COMMISSIONS: RecordKind<ImportedCommission, References> = {
  schema: ImportedCommission,

  keysOf: (data) => [...keysOfRecord(data), ...keysOfPayment(data)],

  async lock(ctx, rows, of) {
    const names = rows.flatMap(({ data }) => namesOf(data.sale));
    if (names.length > 0) await advisoryLocks(ctx, 'charge', names);
    const sales = await findSales(ctx, names);
    const referrals = await findReferrals(ctx, of, customersIn(rows));
    const customers = [...referrals.values(), ...sales.values()].flatMap(({ customer_id }) => customer_id ?? []);
    await advisoryLocks(ctx, 'customer', [...new Set(customers)]);
    const earning = rows.map(({ data }) => data.affiliate);
    const affiliates = await findAffiliates(ctx, of, earning);
    const earners = [
      ...[...affiliates.values()].map(({ record_id }) => record_id),
      ...[...referrals.values()].map(({ affiliate_id }) => affiliate_id),
    ];
    await lockAffiliates(ctx, [...new Set(earners.flatMap((id) => id ?? []))]);
  },

  async check(ctx, of, rows) {
    const { db, accountId } = ctx;
    const same = await findEarlier(ctx, of, 'commission', { keysOf: keysOfRecord }, rows);
    const further = await findEarlier(ctx, of, 'commission', { keysOf: keysOfPayment }, rows);
    const names = rows.map(({ data }) => data.affiliate);
    const affiliates = await findAffiliates(ctx, of, names);
    const referrals = await findReferrals(ctx, of, customersIn(rows));
    const campaigns = await findCampaigns(ctx, of, rows);
    const sales = await findSales(
      ctx,
      rows.flatMap(({ data }) => namesOf(data.sale)),
    );
    const externalIds = rows.flatMap(({ data }) => data.external_id ?? []);
    const { rows: known } = await sql<{ id: string; external_id: string }>`
      select id, external_id from commission where account_id = ${accountId} and external_id = any (${externalIds}::text[])`.execute(
      db,
    );
    const byExternalId = new Map(known.map(({ id, external_id }) => [external_id, id]));
    const earners = rows.map(({ data }) => {
      const ofCustomer = referrals.get(data.customer ?? '');
      if (data.affiliate !== null) return affiliates.get(data.affiliate);
      return ofCustomer && { outcome: 'existing' as const, record_id: ofCustomer.affiliate_id };
    });
    const affiliateIds = earners.flatMap((affiliate) => affiliate?.record_id ?? []);
    const { rows: terms } = await sql<{ id: string; state: Affiliate['state']; campaign_id: string }>`
      select id, state, campaign_id from affiliate where id = any (${affiliateIds}::text[])`.execute(db);
    const termsOf = new Map(terms.map((each) => [each.id, each]));
    const { rows: days } = await sql<{ id: string; days: number }>`
      select id, days_until_commissions_are_due as days from campaign where account_id = ${accountId}`.execute(db);
    const daysOf = new Map(days.map((each) => [each.id, each.days]));
    return rows.map(({ data }, i): Verdict<References> => {
      const existing = data.external_id === null ? undefined : byExternalId.get(data.external_id);
      if (existing !== undefined) return { outcome: 'existing', record_id: existing };
      if (same[i]) return { outcome: 'skipped', reason: 'repeated', record_id: same[i].record_id };
      if (!data.is_money) return { outcome: 'skipped', reason: 'no_money', record_id: null };
      const affiliate = earners[i];
      if (affiliate === undefined || !isComing(affiliate)) return { outcome: 'problem', reason: 'affiliate_missing' };
      const unit = data.currency ?? of.currency;
      if (unit === null) return { outcome: 'problem', reason: 'currency_missing' };
      const named = namesOf(data.sale).flatMap((name) => sales.get(name) ?? [])[0];
      if (named?.commission_id != null && !named.is_imported)
        return { outcome: 'skipped', reason: 'earned_here', record_id: named.commission_id };
      const own = affiliate.record_id === null ? undefined : termsOf.get(affiliate.record_id);
      const found = data.customer === null ? undefined : referrals.get(data.customer);
      // The customer of another affiliate stays with that affiliate, also if this one has earned before.
      const referral = found?.affiliate_id === affiliate.record_id ? found : undefined;
      const campaign = data.campaign === null ? undefined : campaigns.get(data.campaign);
      const campaign_id = campaign?.record_id ?? referral?.campaign_id ?? own?.campaign_id ?? null;
      return {
        outcome: 'new',
        references: {
          affiliate_id: affiliate.record_id,
          affiliate_state: own?.state ?? null,
          campaign_id,
          days_until_commissions_are_due: daysOf.get(campaign_id ?? '') ?? 0,
          referral_id: referral?.referral_id ?? null,
          customer_id: found?.customer_id ?? null,
          sale_id: named?.id ?? null,
          is_further: named?.is_imported === true || isComing(further[i] ?? undefined),
          currency: unit,
        },
      };
    });
  },

  async makeAll(ctx, _of, rows) {
    const held = await lockAffiliates(ctx, [...new Set(rows.map(({ references }) => references.affiliate_id!))]);
    const named = new Set<string>();
    const made = rows.map((each) => {
      const names = namesOf(each.row.data.sale);
      const is_further = each.references.is_further || names.some((name) => named.has(name));
      for (const name of names) named.add(name);
      return recordsOf(ctx, { ...each, references: { ...each.references, is_further } });
    });
    await recordImportedSales(
      ctx,
      made.flatMap(({ sale, isKnownSale }) => (sale === null || isKnownSale ? [] : [sale])),
    );
    const known = made.flatMap(({ sale, isKnownSale }) => (sale !== null && isKnownSale ? [sale] : []));
    if (known.length > 0) await markSalesImported(ctx, known);
    await recordImportedCommissions(
      ctx,
      held,
      made.map(({ commission }) => commission),
    );
    const ids = made.map(({ commission }) => commission.id);
    await collectCommissions(ctx, held, ctx.now, ids);
    foldCountsSoon(ctx);
    const { rows: opened } = await sql<{ commission_id: string; payout_id: string }>`
      select commission_id, payout_id from payout_item item join payout on payout.id = item.payout_id
      where item.commission_id = any (${ids}::text[]) and payout.created_at = ${ctx.now} and payout.updated_at = ${ctx.now}`.execute(
      ctx.db,
    );
    const openedBy = new Map(opened.map(({ commission_id, payout_id }) => [commission_id, payout_id]));
    return made.map(({ commission: { id }, sale }): MadeIds => {
      const payoutId = openedBy.get(id);
      return [id, ...(sale === null ? [] : [sale.id]), ...(payoutId === undefined ? [] : [payoutId])];
    });
  },
};

/** The records of a row. `isKnownSale`: the account has the sale. */
interface MadeRecords {
  commission: Recorded;
  sale: RecordedSale | null;
  isKnownSale: boolean;
}

function recordsOf(ctx: WriteCtx, { row: { data }, references }: NewRow<ImportedCommission, References>): MadeRecords {
  const { state, created_at, flagged } = data;
  const { affiliate_state, is_further, sale_id } = references;
  const sale = data.sale === null || is_further ? null : saleOf(ctx, data.sale, references, created_at);
  const due = data.due_at ?? dueDate(data.sale?.charged_at ?? created_at, references);
  const isOpen = state === 'pending' || state === 'due';
  // Without a date, the former tool waits for a person.
  const isHeld = flagged || (state === 'pending' && data.due_at === null && due <= ctx.now);
  const isOfSuspicious = affiliate_state === 'suspicious';
  return {
    commission: {
      id: newId('commission', ctx.clock.now()),
      campaign_id: references.campaign_id!,
      affiliate_id: references.affiliate_id!,
      referral_id: references.referral_id,
      sale_id: sale?.id ?? null,
      external_id: data.external_id,
      state,
      amount_cents: data.amount_cents,
      currency: references.currency,
      due_at: state === 'due' && due > ctx.now ? ctx.now : due,
      paid_at: state === 'paid' ? (data.paid_at ?? created_at) : null,
      voided_at: state === 'voided' ? (data.voided_at ?? created_at) : null,
      review_status: isOpen && (isHeld || isOfSuspicious) ? 'suspicious' : null,
      review_reason: isOpen && !isHeld && isOfSuspicious ? 'suspicious_affiliate' : null,
      created_at,
    },
    sale,
    isKnownSale: sale_id !== null,
  };
}

function saleOf(
  { clock }: Pick<WriteCtx, 'clock'>,
  told: z.infer<typeof ImportedSale>,
  { sale_id, referral_id, affiliate_id, customer_id }: References,
  created_at: string,
): RecordedSale {
  return {
    id: sale_id ?? newId('sale', clock.now()),
    referral_id,
    affiliate_id,
    customer_id,
    names: told.names.toSorted(),
    name_of_group: told.name_of_group,
    charge_amount_cents: told.charge_amount_cents,
    tax_amount_cents: Math.min(told.tax_amount_cents, told.charge_amount_cents),
    refund_amount_cents: Math.min(told.refund_amount_cents, told.charge_amount_cents),
    currency: told.currency,
    charged_at: told.charged_at,
    created_at,
  };
}

function keysOfRecord({ external_id }: ImportedCommission): string[] {
  return external_id === null ? [] : [externalKey(external_id)];
}

function keysOfPayment({ sale }: ImportedCommission): string[] {
  return namesOf(sale).map((name) => `payment ${name}`);
}

function namesOf(sale: ImportedCommission['sale']): string[] {
  return sale?.names ?? [];
}

function customersIn(rows: readonly ImportedRow<ImportedCommission>[]): string[] {
  return rows.flatMap(({ data }) => data.customer ?? []);
}

/** A sale of the account that has the name of a payment, with its commission. */
interface FoundSale {
  id: string;
  customer_id: string | null;
  is_imported: boolean;
  commission_id: string | null;
}

async function findSales(
  { db, accountId }: Pick<WriteCtx, 'db' | 'accountId'>,
  names: readonly string[],
): Promise<Map<string, FoundSale>> {
  const { rows } = await sql<FoundSale & { name: string }>`
    select payment_name.name, sale.id, sale.customer_id, sale.imported_at is not null as is_imported, (
      select id from commission where commission.sale_id = sale.id and ${IS_OF_SALE} and not superseded) as commission_id
    from payment_name join sale on sale.id = payment_name.sale_id
    where payment_name.account_id = ${accountId} and payment_name.name = any (${names}::text[]) and not of_group`.execute(db);
  return new Map(rows.map(({ name, ...sale }) => [name, sale]));
}
