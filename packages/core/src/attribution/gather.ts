/**
 * Locks and loads everything that a decision depends on. The locks are taken in this order: the customer, then the affiliates in the order of their
 * ids. Under these locks, nobody else changes the claims, the sales and the commissions that are read here.
 */
import { type RawBuilder, sql } from 'kysely';
import type { AttributingCode } from '../codes/promo-codes/attributing-code.ts';
import type { FormerCodeChoice } from '../identity/accounts/account.entity.ts';
import { type HeldAffiliates, lockAffiliates } from '../ledger/affiliate-lock.ts';
import { Commission } from '../ledger/commissions/commission.entity.ts';
import { ENDED_BY_HAND_AT } from '../ledger/earning/earn.ts';
import { IS_CLAIMED } from '../ledger/payouts/payout.transitions.ts';
import { IS_LIVE_SALE, isLive, KIND_OF_SALE, kindOfSale, SALE_KINDS } from '../ledger/sales/sale-mode.ts';
import { Sale } from '../ledger/sales/sale.entity.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { held } from '../platform/call/locks.ts';
import { columnsOf } from '../platform/call/records.ts';
import { takeTime } from '../platform/call/take-time.ts';
import { prepared } from '../platform/db/prepared.ts';
import { type Instant, plusDays, plusMilliseconds } from '../platform/time/instant.ts';
import { Affiliate } from '../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../program/campaigns/campaign.entity.ts';
import { emailsOfCustomer, keyOf } from '../program/customer-identities/customer-identity.ts';
import { Customer } from '../program/customers/customer.entity.ts';
import { identitiesOf } from '../program/customers/customer.service.ts';
import type { Referral } from '../program/referrals/referral.entity.ts';
import { REVISION_OF_RULES } from '../rewards/rules/rule-versions.ts';
import type { AttributionClaimTable } from './attribution-claim.tables.ts';
import { CONTINUED } from './claims.ts';
import type { LockedCustomer } from './customers.ts';
import { LIMIT_REASONS, limitsOf, restricts } from './decide.ts';
import { DUPLICATE_WINDOW_MS } from './duplicates.ts';
import { BEGINNING, type Checkpoint } from './earners.ts';
import { type AffiliateVersion, type Former, versionAt } from './eligibility.ts';
import {
  type AffiliateFact,
  type CampaignFact,
  type ClaimFact,
  type CustomerFact,
  type Facts,
  type Inactive,
  type SaleFact,
  type TermsVersion,
  type Payer,
  type Reopening,
  NOBODY,
} from './facts.ts';
import { gatherRewards } from './gather-rewards.ts';
import { REFERRAL, REFERRED_ID } from './referred.ts';

/** Sales to decide together: all of a customer, or one whose customer is unknown. */
export type Subject = CustomerSubject | SaleSubject;

interface CustomerSubject extends Extent {
  customer: LockedCustomer;
}

/** Which sales of a customer the new facts may affect. */
interface Extent {
  /** The sale that the facts are about, or null. */
  sale: Sale | null;
  /** True if this transaction created `sale`. */
  isCreated: boolean;
  /** The reason for which an unpaid commission of `sale` is decided again, or null. */
  reopenedBy: Reopening | null;
  /** Customer of `sale`, if this transaction created it. */
  payer: Payer;
  /** Facts before this time have not changed. Null if any fact may have changed. */
  from: Instant | null;
  /** True if claims were added that count from `from` on. */
  hasNewClaims: boolean;
  /** True if unpaid rewards for leads are decided again. */
  reopensLeads: boolean;
}

/** A sale without a customer, with the claims that came with it. They count for this sale only. */
interface SaleSubject extends Clues {
  customer: null;
  sale: Sale;
  /** The locks under which this transaction created the sale; null if the sale was recorded earlier. */
  claimants: Claimants | null;
  reopenedBy: Reopening | null;
}

export interface Clues {
  /** The referrals that were named for the sale. */
  referrals: readonly Referral[];
  /** The code that was redeemed with the sale. */
  promo: AttributingCode | null;
}

/** The facts, and the locks under which they stay true. */
export interface Gathered {
  facts: Facts;
  held: HeldAffiliates;
}

type Reader = Pick<WriteCtx, 'db' | 'accountId' | 'now' | 'records'>;

/** Locks the affiliates who can gain or lose a commission, and loads the facts. */
export function gather(ctx: WriteCtx, subject: Subject): Promise<Gathered> {
  return subject.customer === null ? gatherOfSale(ctx, subject) : gatherOfCustomer(ctx, subject);
}

async function gatherOfCustomer(ctx: WriteCtx, { customer, ...extent }: CustomerSubject): Promise<Gathered> {
  const scope = await scopeOf(ctx, customer.id, extent);
  // PostgreSQL executes the statements in this order, so the facts are read under the locks.
  const [locked, facts] = await Promise.all([lockAffiliates(ctx, affiliatesOf(scope)), readFacts(ctx, scope, extent)]);
  // The other sale of a pair may have been charged earlier. Loading all sales is rare, and at worst it locks affiliates in the wrong order.
  const isOfPair = ({ sale, commission }: SaleFact) =>
    sale.id !== extent.sale?.id && commission?.review_reason === 'possible_duplicate';
  if (scope.from !== null && facts.sales.some(isOfPair)) return gatherOfCustomer(ctx, { customer, ...extent, from: null });
  return { facts: { ...facts, now: ctx.now }, held: locked };
}

/** Loads all facts about a customer without locking anything, to explain a decision. */
export async function readFactsOf(reader: Reader, customerId: string): Promise<Facts> {
  const extent: Extent = {
    sale: null,
    isCreated: false,
    reopenedBy: null,
    payer: NOBODY,
    from: null,
    hasNewClaims: false,
    reopensLeads: false,
  };
  return readFacts(reader, await scopeOf(reader, customerId, extent), extent);
}

/** Which claims and sales of a customer are loaded. */
interface Scope {
  customer: CustomerFact;
  /** True if the claims that were made from `from` on are loaded, too. Their referrals become leads. */
  hasNewClaims: boolean;
  /** Only sales that were charged from this time on are loaded, with their claims and the claim that binds the customer. Null loads everything. */
  from: Instant | null;
  before: Checkpoint;
}

/**
 * Loads the customer, and finds out whether the sales before `extent.from` may be left out. They may if a referral has converted by then and keeps the
 * customer for good, so that nothing about them can change and they decide nothing but this binding. Sales that may be duplicates of each other are
 * always loaded together.
 */
async function scopeOf({ db, accountId, records }: Reader, customerId: string, extent: Extent): Promise<Scope> {
  const { sale, from, hasNewClaims } = extent;
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
  const { exclusions } = CUSTOMER.read({ records }, row!)!;
  const bound = REFERRAL.read({ records }, row!);
  const { emails, has_unverified_email: hasUnverifiedEmail, is_closed, has_claims } = row!;
  const customer = { id: customerId, emails, hasUnverifiedEmail, exclusions, boundReferralId: bound?.id ?? null };
  if (!has_claims) return { customer, hasNewClaims, from, before: BEGINNING };
  if (!is_closed || bound === null) return { customer, hasNewClaims, from: null, before: BEGINNING };
  // The key of a claim is known when the claim is loaded.
  return { customer, hasNewClaims, from, before: { binding: bound.id, conversions: new Map([[bound.id, bound.converted_at!]]) } };
}

const CUSTOMER = columnsOf(Customer);

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
    select ${sql.raw(CUSTOMER.columns)}, ${sql.raw(REFERRAL.columns)}, ${emailsOfCustomer(sql`customer.id`)} as emails,
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
            select from sale where customer_id = customer.id and ${KIND_OF_SALE} = any (${given.otherKinds}::int[]) and id <> ${given.saleId})
          and not exists (
            select from sale
            where customer_id = customer.id and ${KIND_OF_SALE} = any (${given.twinKinds}::int[])
              and charged_at between ${given.twinsFrom}::timestamptz and ${given.twinsUntil}::timestamptz and id <> ${given.saleId}
              and abs(charge_amount_cents - ${given.amount}::bigint) in (0, tax_amount_cents, ${given.tax}::bigint))
          and not (${given.hasNewClaims}::boolean and (
            exists (select from sale where customer_id = customer.id and referral_id is null and id <> ${given.saleId})
            or exists (select from sale where customer_id is null and referral_id in (${linkedReferrals(given.customerId)}))))
      end as is_closed
    from customer left join referral on referral.customer_id = customer.id
    where customer.id = ${given.customerId} and customer.account_id = ${given.accountId}`,
);

function linkedReferrals(customerId: string): RawBuilder<unknown> {
  return sql`select referral_id from attribution_claim where customer_id = ${customerId} and kind = 'link'`;
}

/** The values of a scope from which the statements are made. Each of them is undefined if the scope has none. */
interface ScopeValues {
  customerId: string;
  from: Instant | undefined;
  boundId: string | undefined;
  newFrom: Instant | undefined;
}

function valuesOf({ customer, hasNewClaims, from, before }: Scope): ScopeValues {
  const since = from ?? undefined;
  return {
    customerId: customer.id,
    from: since,
    boundId: before.binding ?? undefined,
    newFrom: hasNewClaims ? since : undefined,
  };
}

/** SQL query: the ids of the claims of a scope. */
function idsOfClaims({ customerId, from, boundId, newFrom }: ScopeValues): RawBuilder<unknown> {
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
  return sql`${binding} union all ${assigned} union all ${added}
    select claim.id from sale join attribution_claim claim on claim.sale_id = sale.id and claim.customer_id = ${customerId}
    where sale.customer_id = ${customerId} and ${KIND_OF_SALE} in (0, 1, 2) and sale.charged_at >= ${from}`;
}

/** SQL query: the ids and affiliates of the sales of a scope, and of sales without a customer that belong to a referral in the customer's claims. */
function salesOf({ customerId, from, boundId }: ScopeValues): RawBuilder<unknown> {
  const unknown = sql`select id, affiliate_id from sale where customer_id is null and referral_id`;
  if (from === undefined)
    return sql`select id, affiliate_id from sale where customer_id = ${customerId}
      union all ${unknown} in (${linkedReferrals(customerId)})`;
  return sql`select id, affiliate_id from sale
    where customer_id = ${customerId} and ${KIND_OF_SALE} in (0, 1, 2) and charged_at >= ${from}
    union all ${unknown} = ${boundId ?? null} and charged_at >= ${from}`;
}

function affiliatesOf(scope: Scope): RawBuilder<unknown> {
  const values = valuesOf(scope);
  return sql`
    select affiliate_id from attribution_claim where id in (${idsOfClaims(values)})
    union select affiliate_id from (${salesOf(values)}) sale where affiliate_id is not null`;
}

async function readFacts(
  reader: Reader,
  scope: Scope,
  { sale, isCreated, reopenedBy, payer, reopensLeads }: Extent,
): Promise<Facts> {
  const { db, accountId } = reader;
  const values = { ...valuesOf(scope), accountId };
  const [claimRows, saleRows, commissionRows] = await Promise.all([
    findClaims(db, values),
    findSalesOfScope(db, values),
    findCommissionsOfScope(db, values),
  ]);
  const claimants = newClaimants();
  for (const row of claimRows) readClaimant(reader, row, claimants);
  const claims = uniqueClaims(claimRows.map((row) => claimOf(row, claimants)));
  const sales = salesWith(reader, saleRows, commissionRows);
  if (sale !== null && isCreated) addCreated(sales, sale, payer);
  if (sale !== null) reopen(sales, sale.id, reopenedBy);
  const counted = await readCounted(reader, claims, claimants, sales);
  const key = claims.find(({ referral_id }) => referral_id === scope.before.binding)?.key;
  const before = scope.from === null || key === undefined ? BEGINNING : renamed(scope.before, key);
  const { affiliates, campaigns } = claimants;
  const read = { customer: scope.customer, claims, sales: [...sales, ...counted], campaigns };
  return { ...read, now: reader.now, affiliates, before, reopensLeads, rewards: await gatherRewards(reader, read) };
}

function renamed({ conversions }: Checkpoint, key: string): Checkpoint {
  return { binding: key, conversions: new Map([...conversions.values()].map((at) => [key, at])) };
}

function addCreated(sales: SaleFact[], sale: Sale, payer: Payer): void {
  const stored = sales.findIndex((fact) => fact.sale.id === sale.id);
  const created = { ...(sales[stored] ?? factOfNew(sale, payer)), payer: payerOf(sale, payer), isCreated: true };
  if (stored === -1) sales.push(created);
  else sales[stored] = created;
}

/** Adds the ids that the merchant reported. */
function payerOf({ report }: Sale, { ids, references }: Payer): Payer {
  const { psp_customer_id, external_customer_id } = report ?? {};
  const reported = identitiesOf({ psp_customer_id, external_customer_id }).map(keyOf);
  return { ids: [...new Set([...ids, ...reported])], references };
}

function reopen(sales: readonly SaleFact[], id: string, reopenedBy: Reopening | null): void {
  for (const fact of sales) if (fact.sale.id === id) fact.reopenedBy = reopenedBy;
}

function factOfNew(sale: Sale, payer: Payer): SaleFact {
  return {
    sale,
    payer: payerOf(sale, payer),
    isCreated: true,
    reopenedBy: null,
    isOnlyCounted: false,
    commission: null,
    isClaimed: false,
    endedByHand: new Map(),
    isRepeated: false,
  };
}

/** A row of `attribution_claim` with its referral, affiliate and campaign. */
interface ClaimRow
  extends
    Omit<AttributionClaimTable, 'id' | 'account_id' | 'customer_id' | 'created_at' | 'crowded'>,
    HistoryRow,
    Record<string, unknown> {
  crowded: boolean;
  is_test: boolean;
  converted_by_hand: boolean;
  /** Null for a link. */
  code_choice: CodeChoice | null;
}

const [AFFILIATE, CAMPAIGN] = [columnsOf(Affiliate), columnsOf(Campaign)];

/**
 * The former versions of a claim's affiliate, campaign and referral, and the revision of the campaign's reward rules. Null if there are none, which is
 * the common case.
 */
interface HistoryRow {
  former_states: Former<AffiliateVersion>[] | null;
  former_terms: Former<TermsVersion>[] | null;
  former_deactivations: Inactive | null;
  rules_revision: string | null;
}

/**
 * SQL: the columns of a claimant, for a statement with `affiliate`, `campaign` and, perhaps without a row, `referral`. A record without changes has
 * no former versions, and the columns `*_changed_at` and `reactivated_at` say so without a look-up.
 */
export const CLAIMANT: RawBuilder<unknown> = sql`
  ${sql.raw([REFERRAL, AFFILIATE, CAMPAIGN].map(({ columns }) => columns).join(', '))},
  case when affiliate.state_changed_at is not null then (
    select json_agg(json_build_object('until', wire_time(until), 'state', former.state, 'archived', former.archived) order by until)
    from affiliate_state_version former where former.affiliate_id = affiliate.id) end as former_states,
  case when campaign.terms_changed_at is not null then (
    select json_agg(to_jsonb(former) || jsonb_build_object('until', wire_time(until)) order by until)
    from campaign_terms former where former.campaign_id = campaign.id) end as former_terms,
  case when referral.reactivated_at is not null then (
    select json_agg(json_build_object('from', wire_time(former.deactivated_at), 'until', wire_time(until)) order by until)
    from referral_deactivation former where former.referral_id = referral.id) end as former_deactivations,
  ${REVISION_OF_RULES} as rules_revision`;

/** A row with the columns of `CLAIMANT`. */
export type ClaimantRow = HistoryRow & Record<string, unknown>;

/** The affiliates who may earn, with the campaigns and referrals of their claims. */
export interface Claimants {
  held: HeldAffiliates;
  affiliates: Map<string, AffiliateFact>;
  campaigns: Map<string, CampaignFact>;
  /** The former deactivations of referrals, by the id of the referral. */
  inactive: Map<string, Inactive>;
}

type ClaimantFacts = Omit<Claimants, 'held'>;

function newClaimants(): ClaimantFacts {
  return { affiliates: new Map(), campaigns: new Map(), inactive: new Map() };
}

/** Reads the columns of `CLAIMANT`. Returns the referral of the claimant, or null. */
function readClaimant(
  reader: Pick<Reader, 'records'>,
  row: ClaimantRow,
  { affiliates, campaigns, inactive }: ClaimantFacts,
): Referral | null {
  const referral = REFERRAL.read(reader, row);
  const affiliate = AFFILIATE.read(reader, row)!;
  const campaign = CAMPAIGN.read(reader, row)!;
  affiliates.set(affiliate.id, affiliateFact(affiliate, row.former_states ?? []));
  campaigns.set(campaign.id, campaignFact(campaign, row));
  if (referral !== null) inactive.set(referral.id, row.former_deactivations ?? []);
  return referral;
}

function affiliateFact(affiliate: Affiliate, former: readonly Former<AffiliateVersion>[]): AffiliateFact {
  const { id, email, walleta_email, walletb_email, state, archived_at } = affiliate;
  return { id, email, walleta_email, walletb_email, versions: { current: { state, archived: archived_at !== null }, former } };
}

function campaignFact(campaign: Campaign, { former_terms, rules_revision }: HistoryRow): CampaignFact {
  const { id, rewarded_since, archived_at } = campaign;
  return {
    id,
    rewarded_since,
    rules_revision,
    versions: { current: { ...campaign, archived: archived_at !== null }, former: former_terms ?? [] },
  };
}

const findClaims = prepared(
  (_db, { accountId, ...scope }: ScopeValues & { accountId: string }) => sql<ClaimRow>`
    select claim.kind, claim.referral_id, claim.affiliate_id, claim.campaign_id, claim.code, claim.psp_promotion_code_id, claim.sale_id,
      claim.claimed_from, claim.made_at, claim.source, claim.proven, claim.lead_at, claim.crowded, claim.named_by,
      referral.converted_at is not null and not exists (
        select from sale where sale.referral_id = referral.id and sale.customer_id is not null and sale.charged_at = referral.converted_at
      ) as converted_by_hand,
      exists (
        select from promo_code where promo_code.account_id = ${accountId} and not promo_code.livemode
          and promo_code.psp_promotion_code_id = claim.psp_promotion_code_id
      ) as is_test,
      case when claim.kind = 'code' then (
        select json_build_object('current', code_before_link, 'former', former_code_choices) from account where id = ${accountId}) end as code_choice,
      ${CLAIMANT}
    from attribution_claim claim
    left join referral on referral.id = claim.referral_id
    join affiliate on affiliate.id = claim.affiliate_id
    join campaign on campaign.id = claim.campaign_id
    where claim.id in (${idsOfClaims(scope)})
    order by claim.source`,
);

/** The account's choice between codes and links, with its former choices. */
interface CodeChoice {
  current: boolean;
  former: FormerCodeChoice[];
}

/** True if a code that was redeemed at a time wins over the links of its customer. */
function isBeforeLink({ current, former }: CodeChoice, at: Instant): boolean {
  const versions = { current: { code_before_link: current }, former };
  return versionAt(versions, at).code_before_link;
}

function claimOf(row: ClaimRow, { campaigns, inactive }: ClaimantFacts): ClaimFact {
  const { referral_id: id } = row;
  const rules = versionAt(campaigns.get(row.campaign_id)!.versions, row.claimed_from);
  const named_id = row.kind === 'link' ? row.source.slice(row.source.indexOf(' ') + 1) : null;
  return {
    key: row.kind === 'code' ? row.source : row.source.startsWith(CONTINUED) ? `${named_id} ${id}` : named_id!,
    kind: row.kind,
    from: row.claimed_from,
    madeAt: row.made_at,
    expiresAt:
      id === null
        ? plusDays(row.claimed_from, rules.days_before_referrals_expire)
        : (row['referral.expires_at'] as Instant | null),
    deactivatedAt: row['referral.deactivated_at'] as Instant | null,
    convertedAt: row.converted_by_hand ? (row['referral.converted_at'] as Instant) : null,
    inactive: id === null ? [] : inactive.get(id)!,
    lastClick: rules.attribution === 'last_click',
    beforeLink: row.code_choice !== null && isBeforeLink(row.code_choice, row.claimed_from),
    referral_id: id,
    named_id,
    affiliate_id: row.affiliate_id,
    campaign_id: row.campaign_id,
    code: row.code,
    psp_promotion_code_id: row.psp_promotion_code_id,
    sale_id: row.sale_id,
    isTest: row.is_test,
    namedBy: row.named_by,
    isCrowded: row.crowded,
    isProven: row.proven,
    lead: row.lead_at === null ? null : { at: row.lead_at, from: row['referral.created_at'] as Instant },
  };
}

/** Combines claims by the same referral, because several facts may name it: the earliest times count, and one proof is enough. */
function uniqueClaims(claims: readonly ClaimFact[]): ClaimFact[] {
  const byIdentity = Map.groupBy(claims, ({ kind, key, referral_id }) => (kind === 'link' ? (referral_id ?? key) : key));
  return [...byIdentity.values()].map((same) => same.reduce(combined));
}

function combined(one: ClaimFact, other: ClaimFact): ClaimFact {
  const proven = [one, other].filter(({ isProven }) => isProven);
  const times = proven.length > 0 ? proven : [one, other];
  const leads = [one, other].flatMap(({ lead }) => (lead === null ? [] : [lead]));
  return {
    ...one,
    from: earliest(times.map(({ from }) => from)),
    madeAt: earliest(times.map(({ madeAt }) => madeAt)),
    isProven: proven.length > 0,
    namedBy: [...new Set([...one.namedBy, ...other.namedBy])].toSorted(),
    isCrowded: one.isCrowded || other.isCrowded,
    lead: leads.length === 0 ? null : { at: earliest(leads.map(({ at }) => at)), from: earliest(leads.map(({ from }) => from)) },
  };
}

function earliest(times: readonly Instant[]): Instant {
  return times.reduce((first, time) => (time < first ? time : first));
}

const SALE = columnsOf(Sale);
const COMMISSION = columnsOf(Commission);

interface SaleRow extends Record<string, unknown> {
  is_repeated: boolean;
  payer: Payer | null;
}

interface CommissionRow extends Record<string, unknown> {
  ended_by_hand_at: Instant | null;
  is_claimed: boolean;
}

/**
 * SQL: the columns of a sale. `is_repeated` is true if the merchant reported the sale with only one of a payment's two ids, the charge or the payment
 * intent, and the payment has another sale.
 */
const SALE_COLUMNS = sql`${sql.raw(SALE.columns)},
  sale.external_id is not null and (sale.psp_charge_id is null) <> (sale.psp_payment_intent_id is null) and exists (
    select from psp_payment
    where psp_payment.account_id = sale.account_id and psp_payment.livemode in (true, false) and psp_payment.sale_id <> sale.id
      and (psp_payment.charge_id = sale.psp_charge_id or psp_payment.payment_intent_id = sale.psp_payment_intent_id)
  ) as is_repeated,
  case when sale.livemode is not null then (
    select json_build_object(
      'ids', array_remove(array['psp_customer_id ' || psp_customer_id, 'external_customer_id ' || external_customer_id], null),
      'references', array_remove(array[coalesce(client_reference_id, (
        select min(client_reference_id) from psp_payment part
        where part.account_id = sale.account_id and part.livemode = sale.livemode and part.invoice_id = sale.psp_invoice_id))], null))
    from psp_payment where psp_payment.sale_id = sale.id) end as payer`;

/** SQL: the commissions of kind `sale` of the sales that `ids` finds, also the superseded ones. */
function commissionsOf(ids: RawBuilder<unknown>): RawBuilder<CommissionRow> {
  return sql<CommissionRow>`
    select ${sql.raw(COMMISSION.columns)}, ${ENDED_BY_HAND_AT} as ended_by_hand_at,
      commission.state in ('pending', 'due') and ${IS_CLAIMED} as is_claimed
    from commission where commission.sale_id in (${ids}) and commission.kind = 'sale'`;
}

const findSalesOfScope = prepared(
  (_db, { accountId, ...scope }: ScopeValues & { accountId: string }) => sql<SaleRow>`
    select ${SALE_COLUMNS} from sale where account_id = ${accountId} and id in (select id from (${salesOf(scope)}) found)`,
);

const findCommissionsOfScope = prepared((_db, { accountId: _, ...scope }: ScopeValues & { accountId: string }) =>
  commissionsOf(sql`select id from (${salesOf(scope)}) found`),
);

function salesWith(reader: Reader, sales: readonly SaleRow[], commissions: readonly CommissionRow[]): SaleFact[] {
  const ofSale = Map.groupBy(commissions, (row) => row['commission.sale_id'] as string);
  return sales.map((row) => {
    const sale = SALE.read(reader, row)!;
    const rows = ofSale.get(sale.id) ?? [];
    const current = rows.find((each) => each['commission.superseded'] !== true);
    const endedByHand = new Map<string, Instant>();
    for (const each of rows) {
      const affiliateId = each['commission.affiliate_id'] as string;
      const before = endedByHand.get(affiliateId);
      const at = each.ended_by_hand_at;
      if (at !== null && (before === undefined || before < at)) endedByHand.set(affiliateId, at);
    }
    return {
      sale,
      payer: payerOf(sale, row.payer ?? NOBODY),
      isCreated: false,
      reopenedBy: null,
      isOnlyCounted: false,
      commission: current === undefined ? null : COMMISSION.read(reader, current),
      isClaimed: current?.is_claimed ?? false,
      endedByHand,
      isRepeated: row.is_repeated,
    };
  });
}

/**
 * Loads the other sales of the claims' referrals, e.g. those of other customers, if their campaign has limits, because they count towards the same
 * limits. A sale depends only on earlier ones, so of the sales before the decided ones no more are loaded than a limit has places.
 */
async function readCounted(
  reader: Reader,
  claims: readonly ClaimFact[],
  { campaigns }: ClaimantFacts,
  sales: readonly SaleFact[],
): Promise<SaleFact[]> {
  const limitsFor = ({ campaign_id, referral_id }: ClaimFact) => {
    const { current, former } = campaigns.get(campaign_id)!.versions;
    const own = sales.flatMap(({ sale }) => (sale.referral_id === referral_id && sale.limits !== null ? [sale.limits] : []));
    return [...[current, ...former].map(limitsOf), ...own].filter(restricts);
  };
  const limited = claims.filter((claim) => claim.referral_id !== null && limitsFor(claim).length > 0);
  if (limited.length === 0 || sales.length === 0) return [];
  const given: Counted = {
    accountId: reader.accountId,
    referralIds: limited.map(({ referral_id }) => referral_id!),
    known: sales.map(({ sale }) => sale.id),
    reasons: LIMIT_REASONS,
    from: earliest(sales.map(({ sale }) => sale.charged_at)),
    places: Math.max(1, ...limited.flatMap(limitsFor).map(({ maxCommissions }) => maxCommissions ?? 1)),
    modes: [...new Set(sales.map(({ sale }) => isLive(sale)))],
  };
  const counted = salesWith(
    reader,
    ...(await Promise.all([findCountedSales(reader.db, given), findCommissionsOfCounted(reader.db, given)])),
  );
  return counted.map((fact) => ({ ...fact, isOnlyCounted: true }));
}

interface Counted {
  accountId: string;
  referralIds: readonly string[];
  /** The ids of the decided sales. */
  known: readonly string[];
  reasons: readonly string[];
  /** The time of the first decided sale. */
  from: Instant;
  /** The largest number of commissions that a limit allows. */
  places: number;
  /** The modes of the decided sales. */
  modes: readonly boolean[];
}

/**
 * SQL query: the ids of the sales of the referrals that count. These are the sales from `from` on that earned or that limits refused and, of the earlier
 * ones, the first that earned, which begins the period, and the first `places` that held a place at `from`.
 */
function countedSales({ referralIds, known, reasons, from, places, modes }: Counted): RawBuilder<unknown> {
  // A scalar subquery: PostgreSQL would join `exists` and sort all sales of the referral.
  const earlier = (holds: RawBuilder<boolean>, limit: RawBuilder<unknown>) => sql`(
    select sale.id from sale
    where sale.referral_id = referral.id and sale.charged_at < ${from}::timestamptz and sale.no_commission_reason is null
      and ${IS_LIVE_SALE} = mode.is_live
      and (select true from commission where commission.sale_id = sale.id and commission.kind = 'sale' and not commission.superseded and ${holds})
    order by sale.charged_at limit ${limit})`;
  const heldPlace = sql<boolean>`(commission.state <> 'voided' or commission.voided_at >= ${from}::timestamptz
    or (commission.voided_by_refund and sale.refund_amount_cents < sale.charge_amount_cents))`;
  return sql`
    select counted.id from unnest(${referralIds}::text[]) referral (id) cross join unnest(${modes}::boolean[]) mode (is_live)
    cross join lateral (
      select sale.id from sale where sale.referral_id = referral.id and sale.charged_at >= ${from}::timestamptz
        and (sale.no_commission_reason is null or sale.no_commission_reason = any (${reasons}::text[]))
      union ${earlier(heldPlace, sql`${places}::bigint`)}
      union ${earlier(sql`true`, sql`1`)}
    ) counted
    where counted.id <> all (${known}::text[])`;
}

const findCountedSales = prepared(
  (_db, given: Counted) => sql<SaleRow>`
    select ${SALE_COLUMNS} from sale where account_id = ${given.accountId} and id = any (array(${countedSales(given)}))`,
);

// Arrays, because PostgreSQL expects too many rows of the query, and would scan the tables.
const findCommissionsOfCounted = prepared((_db, given: Counted) =>
  commissionsOf(sql`select unnest(array(${countedSales(given)}))`),
);

async function gatherOfSale(ctx: WriteCtx, subject: SaleSubject): Promise<Gathered> {
  const { sale } = subject;
  const claimants = subject.claimants ?? (await lockClaimants(ctx, subject, sale));
  const own = subject.claimants === null ? await readSales(ctx, [sale.id]) : [factOfNew(sale, NOBODY)];
  reopen(own, sale.id, subject.reopenedBy);
  return { facts: await readSaleFacts(ctx, subject, claimants, own), held: claimants.held };
}

/** Loads all facts about a sale without a customer, without locking anything, to explain a decision. */
export async function readFactsOfSale(reader: Reader, sale: Sale, clues: Clues): Promise<Facts> {
  const claimants = claimantsIn(reader, await findClaimants(reader.db, earnersOf(clues)));
  return readSaleFacts(reader, { sale, ...clues }, claimants, await readSales(reader, [sale.id]));
}

async function readSaleFacts(
  reader: Reader,
  subject: Clues & { sale: Sale },
  claimants: ClaimantFacts,
  own: readonly SaleFact[],
): Promise<Facts> {
  const claims = await claimsOfSale(reader, subject, claimants);
  const sales = [...own, ...(await readExpired(reader, claims, subject.sale))];
  const counted = await readCounted(reader, claims, claimants, sales);
  const { affiliates, campaigns } = claimants;
  const read = { customer: null, claims, sales: [...sales, ...counted], campaigns };
  return {
    ...read,
    now: reader.now,
    affiliates,
    before: BEGINNING,
    reopensLeads: false,
    rewards: await gatherRewards(reader, read),
  };
}

async function readSales(reader: Reader, ids: readonly string[]): Promise<SaleFact[]> {
  if (ids.length === 0) return [];
  const given = { accountId: reader.accountId, ids };
  return salesWith(reader, ...(await Promise.all([findSalesById(reader.db, given), findCommissionsById(reader.db, given)])));
}

const findSalesById = prepared(
  (_db, { accountId, ids }: { accountId: string; ids: readonly string[] }) => sql<SaleRow>`
    select ${SALE_COLUMNS} from sale where account_id = ${accountId} and id = any (${ids}::text[])`,
);

const findCommissionsById = prepared((_db, { ids }: { accountId: string; ids: readonly string[] }) =>
  commissionsOf(sql`select unnest(${ids}::text[])`),
);

/**
 * Loads sales without a customer that were refused because the referral had expired. They may earn if this sale shows that the referral had
 * converted before it expired.
 */
async function readExpired(reader: Reader, claims: readonly ClaimFact[], sale: Sale): Promise<SaleFact[]> {
  const mayConvert = ({ expiresAt, convertedAt }: ClaimFact) =>
    convertedAt === null && expiresAt !== null && sale.charged_at < expiresAt && expiresAt <= reader.now;
  const ids = claims.flatMap((claim) => (claim.referral_id !== null && mayConvert(claim) ? [claim.referral_id] : []));
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select id from sale where account_id = ${reader.accountId} and referral_id = any (${ids}::text[]) and customer_id is null
      and no_commission_reason = 'referral_expired' and id <> ${sale.id}`.execute(reader.db);
  return readSales(
    reader,
    rows.map(({ id }) => id),
  );
}

/** Builds the claims that came with a sale whose customer is unknown. */
async function claimsOfSale(
  reader: Reader,
  { sale, referrals, promo }: Clues & { sale: Sale },
  { campaigns, inactive }: ClaimantFacts,
): Promise<ClaimFact[]> {
  const rulesAt = (id: string, at: Instant) => versionAt(campaigns.get(id)!.versions, at);
  const claims = referrals.map((referral): ClaimFact => ({
    key: referral.id,
    kind: 'link',
    affiliate_id: referral.affiliate_id,
    campaign_id: referral.campaign_id,
    from: beginningOf(referral, sale),
    madeAt: sale.charged_at,
    expiresAt: referral.expires_at,
    deactivatedAt: referral.deactivated_at,
    inactive: inactive.get(referral.id) ?? [],
    convertedAt: referral.converted_at,
    lastClick: rulesAt(referral.campaign_id, beginningOf(referral, sale)).attribution === 'last_click',
    beforeLink: false,
    referral_id: referral.id,
    named_id: referral.id,
    code: null,
    psp_promotion_code_id: null,
    sale_id: null,
    isTest: false,
    namedBy: [],
    isCrowded: false,
    isProven: true,
    lead: null,
  }));
  if (promo === null) return claims;
  // If the code has already earned from this sale, a referral was started for the code. The claim keeps that referral.
  const earned = referrals.some(({ id }) => id === sale.referral_id) ? null : sale.referral_id;
  const { attribution, days_before_referrals_expire } = rulesAt(promo.campaign_id, sale.charged_at);
  const ofCode: ClaimFact = {
    key: `${promo.psp_promotion_code_id} sale ${sale.id}`,
    kind: 'code',
    affiliate_id: promo.affiliate_id,
    campaign_id: promo.campaign_id,
    from: sale.charged_at,
    madeAt: sale.charged_at,
    expiresAt: plusDays(sale.charged_at, days_before_referrals_expire),
    deactivatedAt: null,
    inactive: [],
    convertedAt: null,
    lastClick: attribution === 'last_click',
    beforeLink: isBeforeLink(await codeChoice(reader), sale.charged_at),
    referral_id: earned,
    named_id: null,
    code: promo.code,
    psp_promotion_code_id: promo.psp_promotion_code_id,
    sale_id: sale.id,
    isTest: !isLive(sale),
    namedBy: [],
    isCrowded: false,
    isProven: true,
    lead: null,
  };
  return [...claims, ofCode];
}

/**
 * Returns the time from which a referral counts for a sale whose customer is unknown: the visit. A referral that was started for the code of this
 * sale has no visit and counts from the charge, although it was created later. The merchant's name for a referral needs no earlier time.
 */
function beginningOf({ id, created_at }: Referral, { referral_id, named_referral_id, charged_at }: Sale): Instant {
  return referral_id === id && named_referral_id !== id && charged_at < created_at ? charged_at : created_at;
}

async function codeChoice({ db, accountId }: Reader): Promise<CodeChoice> {
  return db
    .selectFrom('account')
    .select(['code_before_link as current', 'former_code_choices as former'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
}

/**
 * Locks the affiliates who may earn from a sale without a customer, and loads them under the locks. A new sale is created under these locks: sales of
 * one referral get their time and id under them, so that a later sale never takes away a commission that an earlier response has reported.
 *
 * @param sale the sale if it was recorded earlier, whose affiliate may lose it
 */
export async function lockClaimants(ctx: WriteCtx, clues: Clues, sale: Sale | null = null): Promise<Claimants> {
  const earners = earnersOf(clues);
  const ids = sql`select unnest(${earners.affiliates}::text[])
    union select affiliate_id from sale where id = ${sale?.id} and affiliate_id is not null`;
  // PostgreSQL executes the second statement after the first, so it reads under the locks.
  const [locked, rows] = await Promise.all([
    lockAffiliates(ctx, sale === null ? earners.affiliates : ids),
    earners.affiliates.length === 0 ? [] : findClaimants(ctx.db, earners),
  ]);
  return { ...claimantsIn(ctx, rows), held: locked };
}

/** The ids of the referrals, affiliates and campaigns that may earn from a sale without a customer. */
interface Earners {
  referrals: readonly (string | null)[];
  affiliates: readonly string[];
  campaigns: readonly string[];
}

function earnersOf({ referrals, promo }: Clues): Earners {
  const earners = [
    ...referrals.map(({ id, affiliate_id, campaign_id }) => ({ id, affiliate_id, campaign_id })),
    ...(promo ? [{ id: null, affiliate_id: promo.affiliate_id, campaign_id: promo.campaign_id }] : []),
  ];
  return {
    referrals: earners.map(({ id }) => id),
    affiliates: earners.map(({ affiliate_id }) => affiliate_id),
    campaigns: earners.map(({ campaign_id }) => campaign_id),
  };
}

function claimantsIn(reader: Pick<Reader, 'records'>, rows: readonly ClaimantRow[]): ClaimantFacts {
  const claimants = newClaimants();
  for (const row of rows) readClaimant(reader, row, claimants);
  return claimants;
}

const findClaimants = prepared(
  (_db, given: Earners) => sql<ClaimantRow>`
    select ${CLAIMANT}
    from unnest(${given.referrals}::text[], ${given.affiliates}::text[], ${given.campaigns}::text[])
      claimant (referral_id, affiliate_id, campaign_id)
    join affiliate on affiliate.id = claimant.affiliate_id
    join campaign on campaign.id = claimant.campaign_id
    left join referral on referral.id = claimant.referral_id`,
);

/**
 * Locks the affiliate of a referral without a customer. If the referral has a customer, locks nothing, because the customer must be locked
 * first. If the referral gets a customer at this very moment, the locks are taken in the wrong order. At worst this causes a deadlock, and
 * the transaction is repeated.
 */
export async function lockClaimantOf(ctx: WriteCtx, referralId: string): Promise<HeldAffiliates> {
  const locked = await lockAffiliateOfReferral(ctx.db, { referralId, accountId: ctx.accountId });
  if (locked.length > 0) ctx.locks.note('affiliate');
  takeTime(ctx);
  return held(locked.map(({ id }) => id));
}

const lockAffiliateOfReferral = prepared(
  (_db, { referralId, accountId }: { referralId: string; accountId: string }) => sql<{ id: string }>`
    select id from affiliate
    where id = (select affiliate_id from referral where id = ${referralId} and account_id = ${accountId} and ${REFERRED_ID} is null)
    for no key update`,
);

/** Returns the claimant in a row with the columns of `CLAIMANT`, which was read under the lock on the affiliate. */
export function claimantIn(ctx: WriteCtx, row: ClaimantRow, locked: HeldAffiliates): Claimants {
  return { ...claimantsIn(ctx, [row]), held: locked };
}
