/** Loads a customer, and finds out which of the customer's claims and sales a decision depends on. */
import { type RawBuilder, sql } from 'kysely';
import { KIND_OF_SALE, kindOfSale, type Sale, SALE_KINDS } from '../../ledger/sales/sale.entity.ts';
import { selected } from '../../platform/call/records.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { type Instant, plusMilliseconds, wholeSecond } from '../../platform/time/instant.ts';
import { emailsOfCustomer } from '../../program/customer-identities/customer-identity.ts';
import { Customer } from '../../program/customers/customer.entity.ts';
import { ASSIGNED, NAMED, REFERENCE, unknownSalesOf } from '../claims/claims.ts';
import { REFERRAL } from '../claims/referred.ts';
import { DUPLICATE_WINDOW_MS } from '../decide/duplicates.ts';
import type { CustomerFact, Payer } from '../decide/facts.ts';
import type { Reader } from './claimants.ts';

/** The sales of a customer that the new facts may affect. */
export interface Extent {
  /** The sale that the facts are about, or null. */
  sale: Sale | null;
  /** True if this transaction created `sale`. */
  isCreated: boolean;
  /** Customer of `sale`, if this transaction created it. */
  payer: Payer;
  /** Facts before this time have not changed. Null if any fact may have changed. */
  from: Instant | null;
  /** True if claims were added that count from `from` on. */
  hasNewClaims: boolean;
  /** True if unpaid rewards for leads are decided again. */
  reopensLeads: boolean;
}

/** The claims and sales of a customer that are loaded. */
export interface Scope {
  customer: CustomerFact;
  /** True if the claims that were made from `from` on are loaded, too. Their referrals become leads. */
  hasNewClaims: boolean;
  /** Ids of the referrals that the sale names of which the facts are. Their claims are loaded, too. */
  named: readonly string[];
  /** Only sales that were charged from this time on are loaded, with their claims and the claim that binds the customer. Null loads everything. */
  from: Instant | null;
  /** Id of the referral to which the customer is bound for good before `from`. Null if everything is loaded. */
  boundId: string | null;
}

/**
 * Loads the customer, and finds out whether the sales before `extent.from` may be left out. They may if a referral has converted by then and keeps the
 * customer for good, so that nothing about them can change and they decide nothing but this binding. Sales that may be duplicates of each other are
 * always loaded together.
 */
export async function scopeOf({ db, accountId, records }: Reader, customerId: string, extent: Extent): Promise<Scope> {
  const { sale, payer, from, hasNewClaims } = extent;
  const named = [...payer.references, sale?.named_referral_id ?? []].flat();
  const kind = sale === null ? null : kindOfSale(sale);
  const [row] = await findCustomerCase(db, {
    accountId,
    customerId,
    from,
    hasNewClaims,
    saleId: sale?.id ?? '',
    // Without a sale, test sales may be decided with live ones, which bound the customer for live sales only.
    otherKinds:
      kind === null
        ? [SALE_KINDS.test]
        : kind === SALE_KINDS.test
          ? [SALE_KINDS.merchant, SALE_KINDS.provider]
          : [SALE_KINDS.test],
    twinKinds: kind === SALE_KINDS.merchant ? [SALE_KINDS.provider] : kind === SALE_KINDS.provider ? [SALE_KINDS.merchant] : [],
    twinsFrom: sale && plusMilliseconds(sale.charged_at, -DUPLICATE_WINDOW_MS),
    twinsUntil: sale && plusMilliseconds(sale.charged_at, DUPLICATE_WINDOW_MS),
    amount: sale?.charge_amount_cents ?? 0,
    tax: sale?.tax_amount_cents ?? 0,
  });
  const { exclusions, joins } = CUSTOMER.read({ records }, row!)!;
  const bound = REFERRAL.read({ records }, row!);
  const { emails, has_unverified_email: hasUnverifiedEmail, is_closed, has_claims } = row!;
  const customer = { id: customerId, emails, hasUnverifiedEmail, exclusions, joins, boundReferralId: bound?.id ?? null };
  if (!has_claims) return { customer, hasNewClaims, named, from, boundId: null };
  // The binding is that of all names of the customer only after all of them have joined.
  const isJoined = joins.every(({ at }) => from !== null && wholeSecond(at) <= from);
  if (!is_closed || bound === null || !isJoined) return { customer, hasNewClaims, named, from: null, boundId: null };
  return { customer, hasNewClaims, named, from, boundId: bound.id };
}

const CUSTOMER = selected(Customer);

interface CaseOfCustomer {
  accountId: string;
  customerId: string;
  from: Instant | null;
  hasNewClaims: boolean;
  saleId: string;
  otherKinds: readonly number[];
  twinKinds: readonly number[];
  twinsFrom: Instant | null;
  twinsUntil: Instant | null;
  amount: number;
  tax: number;
}

interface CustomerCase extends Record<string, unknown> {
  emails: string[];
  has_unverified_email: boolean;
  is_closed: boolean;
  has_claims: boolean;
}

const findCustomerCase = prepared(
  (_db, given: CaseOfCustomer) => sql<CustomerCase>`
    select ${sql.raw(CUSTOMER.column)}, ${sql.raw(REFERRAL.column)}, ${emailsOfCustomer(sql`customer.id`)} as emails,
      exists (
        select from customer_identity where customer_id = customer.id and kind = 'email' and not verified) as has_unverified_email,
      exists (select from attribution_claim claim where claim.customer_id = customer.id) as has_claims,
      case when ${given.from}::timestamptz is null or referral.conversion_state is distinct from 'conversion' then false
        else referral.converted_at < ${given.from}::timestamptz
          and exists (select from attribution_claim claim where claim.referral_id = referral.id and claim.customer_id = customer.id)
          and (referral.expires_at is null or referral.converted_at < referral.expires_at)
          and not exists (
            select from sale where account_id = ${given.accountId} and contested is not null and customer_id = customer.id)
          and not exists (
            select from commission join sale on sale.id = commission.sale_id
            where commission.account_id = ${given.accountId} and commission.contested is not null and sale.customer_id = customer.id)
          and not exists (
            select from sale where customer_id = customer.id and ${KIND_OF_SALE} = any (${given.otherKinds}::int[]) and id <> ${given.saleId})
          and not exists (
            select from sale
            where customer_id = customer.id and ${KIND_OF_SALE} = any (${given.twinKinds}::int[])
              and charged_at between ${given.twinsFrom}::timestamptz and ${given.twinsUntil}::timestamptz and id <> ${given.saleId}
              and abs(charge_amount_cents - ${given.amount}::bigint) in (0, tax_amount_cents, ${given.tax}::bigint))
          and not (${given.hasNewClaims}::boolean and (
            exists (select from sale where customer_id = customer.id and referral_id is null and id <> ${given.saleId})
            or exists (select from (${unknownSales(given.customerId)}) sale)
            or exists (select from attribution_claim where customer_id = customer.id and starts_with(source, ${sql.lit(ASSIGNED)}))))
      end as is_closed
    from customer left join referral on referral.customer_id = customer.id
    where customer.id = ${given.customerId} and customer.account_id = ${given.accountId}`,
);

/** SQL query: the ids and affiliates of the sales without a customer that name a referral of the customer. */
function unknownSales(customerId: string): RawBuilder<unknown> {
  return sql`
    select sale.id, sale.affiliate_id from attribution_claim claim cross join lateral (${unknownSalesOf(sql`claim.referral_id`)}) sale
    where claim.customer_id = ${customerId} and claim.kind = 'link'`;
}

/** The values of a scope from which the statements are made. Each of them is undefined if the scope has none. */
export interface ScopeValues {
  customerId: string;
  from: Instant | undefined;
  boundId: string | undefined;
  newFrom: Instant | undefined;
  named: readonly string[];
}

export function valuesOf({ customer, hasNewClaims, named, from, boundId }: Scope): ScopeValues {
  const since = from ?? undefined;
  return {
    customerId: customer.id,
    from: since,
    boundId: boundId ?? undefined,
    newFrom: hasNewClaims ? since : undefined,
    named,
  };
}

/** SQL query: the ids of the claims of a scope. */
export function idsOfClaims({ customerId, from, boundId, newFrom, named }: ScopeValues): RawBuilder<unknown> {
  if (from === undefined) return sql`select id from attribution_claim where customer_id = ${customerId}`;
  const binding = sql`select id from attribution_claim where referral_id = ${boundId ?? null} and customer_id = ${customerId}`;
  // Few sales are assigned, and these have an index.
  const assigned = sql`
    select id from attribution_claim where customer_id = ${customerId} and referral_id in (
      select assigned_referral_id from sale where assigned_referral_id is not null and customer_id = ${customerId})`;
  const added =
    newFrom === undefined
      ? sql``
      : sql`select id from attribution_claim where customer_id = ${customerId} and kind = 'link' and made_at >= ${newFrom} union all`;
  const isInScope = sql`sale.customer_id = ${customerId} and ${KIND_OF_SALE} in (0, 1, 2) and sale.charged_at >= ${from}`;
  return sql`${binding} union all ${assigned} union all ${added}
    select claim.id from sale join attribution_claim claim on claim.sale_id = sale.id and claim.customer_id = ${customerId}
    where ${isInScope}
    union all
    select claim.id from sale left join payment on payment.sale_id = sale.id
    cross join lateral (values (sale.named_referral_id), (${REFERENCE})) named (id)
    join attribution_claim claim on ${isOfReferral(customerId, sql`named.id`)}
    where ${isInScope}
    union all
    select claim.id from unnest(${named}::text[]) as named (id) join attribution_claim claim on ${isOfReferral(customerId, sql`named.id`)}`;
}

/** SQL condition: the customer's claim is by a referral, or by the one that continues it for the customer. */
function isOfReferral(customerId: string, referralId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`claim.customer_id = ${customerId} and claim.kind = 'link'
    and (claim.referral_id = ${referralId} or claim.source = ${sql.lit(NAMED)} || ${referralId})`;
}

/** SQL query: the ids and affiliates of the sales of a scope, and of sales without a customer that belong to a referral in the customer's claims. */
export function salesOf({ customerId, from, boundId }: ScopeValues): RawBuilder<unknown> {
  if (from === undefined)
    return sql`select id, affiliate_id from sale where customer_id = ${customerId} union ${unknownSales(customerId)}`;
  return sql`select id, affiliate_id from sale
    where customer_id = ${customerId} and ${KIND_OF_SALE} in (0, 1, 2) and charged_at >= ${from}
    union all select id, affiliate_id from (${unknownSalesOf(sql`${boundId ?? null}::text`)}) unknown where charged_at >= ${from}`;
}

export function affiliatesOf(scope: Scope): RawBuilder<unknown> {
  const values = valuesOf(scope);
  return sql`
    select affiliate_id from attribution_claim where id in (${idsOfClaims(values)})
    union select affiliate_id from (${salesOf(values)}) sale where affiliate_id is not null`;
}
