import { type RawBuilder, sql } from 'kysely';
import { attributeNewSale, type CreatedUnder, customerOf } from '../../attribution/attribute.ts';
import { type Claimants, lockClaimants } from '../../attribution/gather/claimants.ts';
import { findAttributingCode, type RedeemedCode } from '../../codes/promo-codes/attributing-code.ts';
import type { Commission } from '../../ledger/commissions/commission.entity.ts';
import type { PaidOutside, Sale, SaleReport } from '../../ledger/sales/sale.entity.ts';
import { draftSale, draftLines } from '../../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { type Held, type Locked, advisoryLocks } from '../../platform/call/locks.ts';
import type { Metadata } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { KnownCustomer } from '../../program/customers/customer.service.ts';
import type { Referral } from '../../program/referrals/referral.entity.ts';
import { linesOfSale, type StatedLine } from '../../rewards/worth/sale-lines.ts';

/**
 * A paid charge, as the merchant's server or a source tells it. `external_id` or a name identifies the charge. If it has neither, the caller makes sure
 * that the charge is recorded only once.
 */
export interface Charge {
  external_id?: string;
  /** The merchant's report, if the merchant reported the charge. */
  report?: Omit<SaleReport, 'charged_at'>;
  connection_id?: string | null;
  /** Names of the payment alone. */
  names?: readonly string[];
  name_of_group?: string | null;
  referral: Referral | null;
  /** Id of the customer of `referral` (see `findReferred`). */
  referredId: string | null;
  /** The result of `lockClaimants`, if the affiliates have been locked already. */
  claimants?: Claimants | null;
  /** True if the merchant named `referral` for this charge. The referral may then earn even if the charge came before the visit. */
  namedByMerchant: boolean;
  customer: KnownCustomer;
  promo_code?: string;
  psp_promotion_code_ids?: readonly string[];
  livemode?: boolean;
  /** True if a dispute of the charge is open. */
  disputed?: boolean;
  /** True if a tax of another currency was left out of `tax_amount_cents`. */
  tax_ignored?: boolean;
  charge_amount_cents: number;
  tax_amount_cents: number;
  currency: string;
  description?: string | null;
  /** The lines that were sold, if they are known. */
  lines?: readonly StatedLine[];
  /**
   * Default: the time at which the sale is recorded. This time is read after the locks are acquired, so that the times of concurrent sales
   * follow the order of their commits.
   */
  charged_at?: Instant;
  /** True if the merchant wants nobody to earn from the sale. */
  excluded?: boolean;
  metadata?: Metadata | undefined;
  /** The merchant's decision about a payment outside the provider. */
  paid_outside?: PaidOutside | null;
}

/**
 * Records a charge that has no sale yet, as a look-up under `lockNames` has shown. Attributes the sale and creates its commission, all in the caller's
 * transaction.
 */
export async function recordNewSale(
  ctx: WriteCtx,
  charge: Charge,
): Promise<{ sale: Sale; commission: Locked<Commission> | null }> {
  const { customer, referral, referredId } = charge;
  const promo = await findAttributingCode(ctx.db, ctx.accountId, redeemedCode(charge), charge.charged_at ?? ctx.now);
  const known = await customerOf(ctx, { customer, referredId });
  const clues = { referrals: referral === null ? [] : [referral], promo };
  const under: CreatedUnder = known
    ? { customer: known }
    : { customer: null, claimants: charge.claimants ?? (await lockClaimants(ctx, clues)) };
  const chargedAt = charge.charged_at ?? ctx.now;
  const sale = draftSale(ctx, {
    customer_id: known?.id ?? null,
    external_id: charge.external_id ?? null,
    report: charge.report ? { ...charge.report, charged_at: chargedAt } : null,
    named_referral_id: charge.namedByMerchant ? (referral?.id ?? null) : null,
    connection_id: charge.connection_id ?? null,
    names: [...(charge.names ?? [])].toSorted(),
    name_of_group: charge.name_of_group ?? null,
    promo_code: promo?.code ?? charge.promo_code ?? null,
    psp_promotion_code_id: promo?.psp_promotion_code_id ?? charge.psp_promotion_code_ids?.[0] ?? null,
    livemode: charge.livemode ?? null,
    disputed: charge.disputed ?? false,
    tax_ignored: charge.tax_ignored ?? false,
    charge_amount_cents: charge.charge_amount_cents,
    tax_amount_cents: charge.tax_amount_cents,
    currency: charge.currency,
    description: charge.description ?? null,
    charged_at: chargedAt,
    excluded: charge.excluded ?? false,
    metadata: charge.metadata ?? {},
    paid_outside: charge.paid_outside ?? null,
    itemized: charge.lines !== undefined && charge.lines.length > 0,
  });
  if (sale.itemized) draftLines(sale, linesOfSale(charge.charge_amount_cents - charge.tax_amount_cents, charge.lines ?? []));
  return { sale, commission: await attributeNewSale(ctx, under, sale, clues) };
}

function redeemedCode({ promo_code, psp_promotion_code_ids, livemode }: Charge): RedeemedCode {
  return { code: promo_code, psp_promotion_code_ids, livemode };
}

/** The names of a payment in a report. */
export interface NamesOfCharge {
  external_id?: string | undefined;
  names: readonly string[];
  group: string | null;
}

/**
 * Takes a lock on the names of a charge, so that concurrent reports of the same charge wait for each other, whichever names they have. A report
 * with only the merchant's id needs no lock: of two concurrent reports, the unique index accepts one, and the transaction of the other is
 * repeated and finds the sale.
 */
export async function lockNames(ctx: WriteCtx, { external_id, names, group }: NamesOfCharge): Promise<Held<'charge'> | null> {
  const told = group === null ? names : [...names, group];
  if (told.length === 0) return null;
  return advisoryLocks(ctx, 'charge', external_id === undefined ? told : [external_id, ...told]);
}

/** The values of `idOfSale`. Undefined values are not given. */
export interface SoughtSale {
  accountId: string;
  external_id: string | undefined;
  names: readonly string[] | undefined;
  firstName: string | undefined;
  group: string | undefined;
}

export function soughtSale(accountId: string, { external_id, names, group }: NamesOfCharge): SoughtSale {
  return {
    accountId,
    external_id,
    names: names.length === 0 ? undefined : names,
    firstName: names[0],
    group: names.length === 0 && group !== null ? group : undefined,
  };
}

/**
 * SQL query: the id of the sale of a report. If one sale has the merchant's id and another one a name, it is the sale with the merchant's id. A report that
 * names only a group, e.g. an invoice with several payments, is about a payment of the group that a source has told and no report has named yet. The
 * text of the query depends only on which values are given.
 */
export function idOfSale({ accountId, external_id, names, firstName, group }: SoughtSale) {
  const isNamed = (name: RawBuilder<unknown>) =>
    sql`id = any (array(select sale_id from payment_name where account_id = ${accountId} and name ${name}))`;
  const matches = [sql`external_id = ${external_id}`];
  const best = [sql`external_id = ${external_id} desc nulls last`];
  if (names !== undefined) {
    matches.push(isNamed(sql`= any (${names}::text[]) and not of_group`));
    best.push(sql`${firstName} = any (names) desc`);
  }
  if (group !== undefined) {
    matches.push(sql`${isNamed(sql`= ${group} and of_group`)} and livemode is not null`);
    best.push(sql`(external_id is null) desc`);
  }
  return sql<string>`
    select id from sale where account_id = ${accountId} and (${sql.join(matches, sql` or `)})
    order by ${sql.join([...best, sql`id`])} limit 1`;
}
