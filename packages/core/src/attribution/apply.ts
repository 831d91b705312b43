/**
 * Writes what a verdict changes, and nothing else. Applying the same verdict again changes nothing. Has later sales decided again, because their place
 * among the sales of a referral or a customer has changed (docs/rules/rewards.md#versions).
 */
import { sql } from 'kysely';
import type { HeldAffiliates } from '../ledger/affiliate-lock.ts';
import { Commission, isUnpaid, type ReviewReason } from '../ledger/commissions/commission.entity.ts';
import {
  dueDate,
  holdLead,
  isSameContest,
  markCommissionSuperseded,
  moveCommissionToReferral,
  REATTRIBUTED,
  rescheduleCommission,
  reviseLead,
  setRewardContested,
} from '../ledger/commissions/commission.transitions.ts';
import { bookCommission, changeCommission } from '../ledger/earning/book-commission.ts';
import {
  earnCommission,
  lockDependents,
  lockRestored,
  reviseCommission,
  supersedeCommission,
  supersedeOne,
} from '../ledger/earning/earn.ts';
import { updateFlag } from '../ledger/earning/flag-commission.ts';
import { settleMilestone, UNDONE } from '../ledger/earning/milestones.ts';
import { noteTierFact } from '../ledger/earning/settle-tiers.ts';
import { queueSaleDecisions, queueSharingCaps } from '../ledger/queued-decisions/queue-decisions.ts';
import { isLive, isPurchase, KIND_OF_SALE, type Sale, SALE_KINDS } from '../ledger/sales/sale.entity.ts';
import {
  markSaleAttributed,
  markSaleUnattributed,
  setSaleContested,
  setSaleCustomer,
  setSalePromoCode,
  setSaleRedatedFrom,
  storeSale,
} from '../ledger/sales/sale.transitions.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { type Locked, protectedRow } from '../platform/call/locks.ts';
import { get, known } from '../platform/call/records.ts';
import { earlierOf, type Instant } from '../platform/time/instant.ts';
import { Referral } from '../program/referrals/referral.entity.ts';
import { bindReferral, moveReferral, setReferralConversion, unbindReferral } from '../program/referrals/referral.transitions.ts';
import { milestonesAt } from '../rewards/rules/milestones.ts';
import { dependsOnHistory, hasSharedCap } from '../rewards/worth/rule.ts';
import { referralOfClaim, setReferralOfClaim } from './claims/claims.ts';
import type { SaleVerdict, Verdict } from './decide/decide.ts';
import { eligibilityOf, isSuspiciousAt, versionAt } from './decide/eligibility.ts';
import { chargeKey, type ClaimFact, type Facts, type LeadFact, timesOf } from './decide/facts.ts';
import type { LeadReward, LeadVerdict } from './decide/leads.ts';

/** The current commissions of the decided sales, by the id of the sale. */
export type CommissionsOfSales = ReadonlyMap<string, Locked<Commission>>;

/** Writes the difference between the facts and the verdict, with its events in the order of the charges. */
export async function apply(ctx: WriteCtx, held: HeldAffiliates, facts: Facts, verdict: Verdict): Promise<CommissionsOfSales> {
  for (const { sale, isOnlyCounted } of facts.sales)
    if (facts.customer !== null && !isOnlyCounted) setSaleCustomer(ctx, protectedRow(sale), facts.customer.id);
  const referrals = new ReferralsOfClaims(ctx, facts.customer?.id ?? null);
  for (const { fact, claim, outcome } of verdict.sales) {
    if (outcome === 'paid_elsewhere') continue;
    if (claim !== null) await referrals.of(claim);
    const code = facts.claims.find(({ kind, sale_id }) => kind === 'code' && sale_id === fact.sale.id);
    if (code)
      setSalePromoCode(ctx, protectedRow(fact.sale), {
        code: code.code!,
        psp_promotion_code_id: code.psp_promotion_code_id,
      });
  }
  await bind(ctx, facts, verdict.binding, referrals);
  await convert(ctx, facts, verdict, referrals);
  // Wrong commissions are removed before new ones are created, so that a sale never has two.
  for (const { fact, outcome } of verdict.sales)
    if (outcome === 'supersede' || outcome === 'replace')
      await supersedeCommission(ctx, held, protectedRow(fact.commission!), fact.sale);
  for (const each of verdict.sales) await settleStrays(ctx, held, facts, each);
  const commissions = new Map<string, Locked<Commission>>();
  for (const each of verdict.sales) {
    const commission = await applyOutcome(ctx, held, each, { referrals, mayHaveBonuses: facts.rewards !== null });
    if (commission) commissions.set(each.fact.sale.id, commission);
  }
  await reopenLeft(ctx, facts);
  queueClaimed(ctx, verdict);
  await applyLeads(ctx, held, verdict.leads);
  noteTierFacts(ctx, facts, verdict);
  reopenLaterSales(ctx, facts);
  reopenSharingCaps(ctx, facts);
  await applyMilestones(ctx, held, facts, verdict);
  return commissions;
}

/**
 * Settles the bonuses of a sale whose affiliates do not have its commission. Paid ones stay and are contested, until the sale returns to their affiliate.
 * Others are superseded, e.g. because their payment was undone.
 */
async function settleStrays(
  ctx: WriteCtx,
  held: HeldAffiliates,
  { affiliates }: Facts,
  { fact: { sale, commission }, holder, bonuses }: SaleVerdict,
): Promise<void> {
  for (const { id, affiliate_id, is_paid, contested } of bonuses) {
    // Only these affiliates are locked.
    if (!affiliates.has(affiliate_id) && affiliate_id !== sale.affiliate_id && affiliate_id !== commission?.affiliate_id)
      continue;
    const right = affiliate_id === holder ? null : { affiliate_id: holder, amount_cents: 0 };
    if (is_paid ? isSameContest(contested, right) : right === null) continue;
    const bonus = protectedRow(await get(ctx, Commission, id));
    if (bonus.superseded) continue;
    if (is_paid) setRewardContested(ctx, bonus, right);
    else await supersedeOne(ctx, held, bonus);
  }
}

/** Has reopened sales whose commission is in a claimed payout decided again when the payout is paid or released. */
function queueClaimed(ctx: WriteCtx, { sales }: Verdict): void {
  const waiting = sales.flatMap(({ fact }) => (fact.reopenedBy !== null && fact.isClaimed ? [fact.sale.id] : []));
  if (waiting.length === 0) return;
  queueSaleDecisions(ctx, sql`select id, account_id from sale where id = any (${waiting}::text[])`);
}

/**
 * Has the sales of other customers decided again whose referral has lost a sale of the decision, by which it may have converted. A referral that has no sale
 * left has not converted.
 */
async function reopenLeft(ctx: WriteCtx, { claims }: Facts): Promise<void> {
  const own = new Set(claims.map(({ referral_id }) => referral_id));
  const left = ctx.records.changes.flatMap((change) => {
    if (!('previous' in change) || change.table !== 'sale') return [];
    const referralId = change.previous?.['referral_id'] as string | null | undefined;
    return referralId == null || own.has(referralId) ? [] : [referralId];
  });
  if (left.length === 0) return;
  const others = sql`select id, account_id from sale where account_id = ${ctx.accountId}
    and (referral_id = any (${left}::text[]) or customer_id in (select customer_id from attribution_claim where referral_id = any (${left}::text[])))`;
  queueSaleDecisions(ctx, others);
  const { rows } = await sql<{ id: string; is_named: boolean }>`
    select referral.id, claim.id is not null as is_named from referral left join attribution_claim claim on claim.referral_id = referral.id
    where referral.id = any (${left}::text[]) and converted_at is not null and not converted_by_hand
      and not exists (select from sale where sale.referral_id = referral.id)
      and not exists (select from sale where sale.customer_id = claim.customer_id)`.execute(ctx.db);
  for (const { id, is_named } of rows)
    moveReferral(ctx, protectedRow(await get(ctx, Referral, id)), is_named ? 'lead' : 'visitor', ctx.now);
}

/** Has the tiers of affiliates settled again for whom sales of earlier months count now, count otherwise, or count no longer. */
function noteTierFacts(ctx: WriteCtx, { rewards, campaigns }: Facts, verdict: Verdict): void {
  if (rewards === null) return;
  const changedIds = new Set(
    ctx.records.changes.flatMap((change) => ('previous' in change && change.table === 'sale' ? change.id : [])),
  );
  const sales = verdict.sales.filter(
    ({ fact, outcome }) => changedIds.has(fact.sale.id) || ['earn', 'replace', 'supersede'].includes(outcome),
  );
  const oldestFirst = sales.toSorted((a, b) => (a.fact.sale.charged_at < b.fact.sale.charged_at ? -1 : 1));
  const noted = new Set<string>();
  for (const { fact, claim } of oldestFirst) {
    for (const { affiliate_id: affiliateId, campaign_id: campaignId } of [claim, fact.commission].filter(
      (each) => each !== null,
    )) {
      const key = `${affiliateId} ${campaignId}`;
      if (noted.has(key) || !isLive(fact.sale) || campaigns.get(campaignId)?.rewarded_since === null) continue;
      noted.add(key);
      noteTierFact(ctx, { affiliateId, campaignId, chargedAt: fact.sale.charged_at });
    }
  }
}

/** Pays the milestones for which the decided sales count, or no longer count. */
async function applyMilestones(ctx: WriteCtx, held: HeldAffiliates, facts: Facts, { sales }: Verdict): Promise<void> {
  if (facts.rewards === null) return;
  const settled = new Set<string>();
  for (const { fact, claim } of sales) {
    const { sale, commission } = fact;
    const earners = [claim, commission].filter((each) => each !== null);
    for (const [{ affiliate_id: affiliateId, campaign_id: campaignId }, at] of earners.flatMap((each) =>
      timesOf(fact).map((at) => [each, at] as const),
    )) {
      const versions = facts.rewards.rules.get(campaignId) ?? [];
      const [campaign, affiliate] = [facts.campaigns.get(campaignId), facts.affiliates.get(affiliateId)];
      // A commission that is paid may have an earner whom no claim names.
      if (campaign === undefined || affiliate === undefined) continue;
      for (const count of milestonesAt(versions, { at, affiliate_id: affiliateId })) {
        const livemode = isLive(sale);
        const key = `${affiliateId} ${count.rule_id} ${count.since} ${livemode}`;
        if (settled.has(key)) continue;
        settled.add(key);
        const of = {
          affiliateId,
          campaignId,
          livemode,
          dueAt: (reachedAt: Instant) => dueDate(reachedAt, versionAt(campaign.versions, reachedAt)),
          isSuspicious: (reachedAt: Instant) => isSuspiciousAt(eligibilityOf(affiliate.versions, campaign.versions), reachedAt),
        };
        await settleMilestone(ctx, held, of, count);
      }
    }
  }
}

/** The referrals of claims. A claim that has none yet gets a new one. */
class ReferralsOfClaims {
  readonly #ctx: WriteCtx;
  readonly #customerId: string | null;
  /** By the key of the claim, because a verdict has claims of its own (`withOwnReferrals`). */
  readonly #loaded = new Map<string, Locked<Referral>>();

  constructor(ctx: WriteCtx, customerId: string | null) {
    this.#ctx = ctx;
    this.#customerId = customerId;
  }

  /** True if the claim's referral was needed before. */
  has(claim: ClaimFact): boolean {
    return this.#loaded.has(claim.key);
  }

  async of(claim: ClaimFact): Promise<Locked<Referral>> {
    const loaded = this.#loaded.get(claim.key);
    if (loaded) return loaded;
    const referral = await referralOfClaim(this.#ctx, claim);
    this.#loaded.set(claim.key, referral);
    if (claim.referral_id === null && this.#customerId !== null)
      setReferralOfClaim(this.#ctx, this.#customerId, claim, referral.id);
    return referral;
  }
}

/** Binds the customer to the claim's referral, or to none, and unbinds the referral that the customer had before. */
async function bind(
  ctx: WriteCtx,
  { customer, claims }: Facts,
  claim: ClaimFact | null,
  referrals: ReferralsOfClaims,
): Promise<void> {
  if (customer === null) return;
  const { id, boundReferralId: bound } = customer;
  const isRight = bound !== null && bound === claim?.referral_id;
  // A binding of which the claims do not tell, e.g. by a person, stays unless a claim binds the customer.
  const isGone = claim === null && claims.some(({ referral_id }) => referral_id !== null && referral_id === bound);
  if (isRight || (claim === null && !isGone)) return;
  const referral = claim && (await referrals.of(claim));
  if (bound !== null) unbindReferral(ctx, protectedRow(await known(ctx, Referral, bound)));
  if (referral !== null) bindReferral(ctx, referral, id);
}

/**
 * Marks each referral that has a first charge as converted at that charge, and undoes wrong conversions. A referral that was named for a customer, or
 * that turns out to have no charge, is a lead; one that was named only for sales of nobody is a visitor.
 */
async function convert(
  ctx: WriteCtx,
  { claims, customer }: Facts,
  { conversions }: Verdict,
  referrals: ReferralsOfClaims,
): Promise<void> {
  for (const claim of claims) {
    const at = conversions.get(claim.key);
    if (claim.referral_id === null && at === undefined && !referrals.has(claim)) continue;
    const referral = await referrals.of(claim);
    if (at !== undefined && referral.conversion_state !== 'conversion') moveReferral(ctx, referral, 'conversion', at);
    else if (at !== undefined && at !== referral.converted_at) setReferralConversion(ctx, referral, at);
    else if (at === undefined && referral.converted_at !== null)
      moveReferral(ctx, referral, customer === null ? 'visitor' : 'lead', ctx.now);
    else if (customer !== null && referral.conversion_state === 'visitor') moveReferral(ctx, referral, 'lead', ctx.now);
  }
}

/** Attributes a sale as decided, and writes what becomes of its commission. Returns the commission that the sale has then. */
async function applyOutcome(
  ctx: WriteCtx,
  held: HeldAffiliates,
  verdict: SaleVerdict,
  { referrals, mayHaveBonuses }: { referrals: ReferralsOfClaims; mayHaveBonuses: boolean },
): Promise<Locked<Commission> | null> {
  const { fact, claim, refusal, contested, limits, redatedFrom, flags } = verdict;
  const sale = protectedRow(fact.sale);
  const current = fact.commission && protectedRow(fact.commission);
  setSaleContested(ctx, sale, contested);
  setSaleRedatedFrom(ctx, sale, redatedFrom);
  if (verdict.outcome === 'paid_elsewhere') return current;
  const referral = claim && (await referrals.of(claim));
  if (referral !== null) markSaleAttributed(ctx, sale, referral, { refusal, limits });
  else if (sale.referral_id !== null || sale.no_commission_reason !== refusal)
    markSaleUnattributed(ctx, sale, refusal ?? 'no_referral');
  // The commission refers to the sale.
  storeSale(ctx, sale);
  switch (verdict.outcome) {
    case 'refuse':
    case 'supersede':
      return null;
    case 'earn':
    case 'replace': {
      const { affiliate_id: affiliateId, campaign_id: campaignId } = claim!;
      const earner = { affiliateId, campaignId, referralId: referral!.id, reviewReason: flags[0] ?? null };
      return earnCommission(ctx, held, sale, { ...verdict.reward, ...earner });
    }
    default: {
      // `keep`, `move` or `revise`.
      // A new commission would use other terms, and undo a voiding by the merchant (docs/rules/attribution.md#order-of-facts).
      if (current!.referral_id !== referral!.id) await moveCommissionToReferral(ctx, current!, referral!.id);
      if (verdict.outcome === 'revise') await reviseCommission(ctx, held, current!, sale, verdict.reward);
      // Not all claims of a sale that is only counted are known, so its flag stays.
      const doubts = fact.isOnlyCounted ? null : flags;
      if (refusal === null) await update(ctx, held, current!, { dueAt: verdict.dueAt, flags: doubts, mayHaveBonuses });
      return current;
    }
  }
}

/** Updates the due date and the flags of a commission that stays, and of what depends on it. Null keeps them. */
async function update(
  ctx: WriteCtx,
  held: HeldAffiliates,
  commission: Locked<Commission>,
  { dueAt, flags, mayHaveBonuses }: { dueAt: Instant | null; flags: SaleVerdict['flags'] | null; mayHaveBonuses: boolean },
): Promise<void> {
  const dependents = mayHaveBonuses ? await lockDependents(ctx, commission) : await lockRestored(ctx, [commission]);
  for (const each of [commission, ...dependents]) {
    if (dueAt !== null && isUnpaid(each))
      await changeCommission(ctx, held, each, () => rescheduleCommission(ctx, each, dueAt, { isByHand: false }));
    if (flags !== null) await updateFlag(ctx, held, each, flags);
  }
}

/** Writes a decision about the rewards for leads. */
async function applyLeads(
  ctx: WriteCtx,
  held: HeldAffiliates,
  { earned, lost, revised, held: holds, contested }: LeadVerdict,
): Promise<void> {
  for (const { lead, reward } of revised) await revise(ctx, held, lead, reward);
  for (const { id } of lost) {
    const commission = protectedRow(await get(ctx, Commission, id));
    await changeCommission(ctx, held, commission, () => markCommissionSuperseded(ctx, commission, REATTRIBUTED));
  }
  for (const { lead, hold } of holds) {
    const commission = protectedRow(await get(ctx, Commission, lead.id));
    await changeCommission(ctx, held, commission, () => holdLead(ctx, commission, hold));
  }
  for (const each of contested) setRewardContested(ctx, protectedRow(await get(ctx, Commission, each.lead.id)), each.contested);
  if (earned !== null) await book(ctx, held, earned, earned.reviewReason);
}

/** Changes an unpaid reward. A reward in another currency is a new commission, because the currency of a commission never changes. */
async function revise(ctx: WriteCtx, held: HeldAffiliates, lead: LeadFact, reward: LeadReward | null): Promise<void> {
  const commission = protectedRow(await get(ctx, Commission, lead.id));
  if (reward !== null && reward.pay.currency === lead.currency) {
    const { ruleId, pay, dueAt } = reward;
    return changeCommission(ctx, held, commission, () =>
      reviseLead(ctx, commission, { rule_id: ruleId, amount_cents: pay.amount_cents, due_at: dueAt }),
    );
  }
  await changeCommission(ctx, held, commission, () => markCommissionSuperseded(ctx, commission, UNDONE));
  if (reward !== null) await book(ctx, held, reward, lead.review_reason);
}

function book(
  ctx: WriteCtx,
  held: HeldAffiliates,
  { claim, ruleId, pay, dueAt }: LeadReward,
  reviewReason: ReviewReason | null,
): Promise<Commission> {
  return bookCommission(ctx, held, {
    kind: 'lead',
    campaign_id: claim.campaign_id,
    affiliate_id: claim.affiliate_id,
    referral_id: claim.referral_id,
    sale_id: null,
    adjusts_commission_id: null,
    rule_id: ruleId,
    amount_cents: pay.amount_cents,
    currency: pay.currency,
    livemode: true,
    basis_points: null,
    due_at: dueAt,
    review_status: reviewReason === null ? null : 'suspicious',
    review_reason: reviewReason,
  });
}

/** The place of a sale among the purchases of its referral and of its customer. */
interface Place {
  at: Instant;
  /** Place among charges of the same second (`chargeKey`). */
  key: string;
  isLive: boolean;
  referralId: string | null;
  customerId: string | null;
}

/** A sale whose place the transaction has changed. Null stands for no place. */
interface MovedSale {
  id: string;
  places: readonly (Place | null)[];
  /** True if its own commission may depend on other sales than before: it was recorded earlier, and has another customer or key now. */
  isAffected: boolean;
  /** True if only the key has changed, so that only sales of the same second may come after it now, or no longer. */
  isReordered: boolean;
}

/**
 * Returns the sales of the facts whose place this transaction has changed, by whatever fact: new ones, corrected amounts, exclusions, other times and
 * modes, other referrals and customers. Must be called after the decision was applied.
 */
function movedSales(ctx: WriteCtx, { sales }: Facts): MovedSale[] {
  const changes = changesOf(ctx, 'sale');
  return sales.flatMap(({ sale, isOnlyCounted }): MovedSale[] => {
    const previous = changes.get(sale.id);
    if (isOnlyCounted || previous === undefined) return [];
    const former = previous === null ? null : { ...sale, ...(previous as Partial<Sale>) };
    const [from, to] = [former && placeOf(former), placeOf(sale)];
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    const isReordered = from !== null && to !== null && JSON.stringify({ ...from, key: to.key }) === JSON.stringify(to);
    const isAffected = isReordered || (former !== null && former.customer_id !== sale.customer_id);
    return [{ id: sale.id, places: [from, to], isAffected, isReordered }];
  });
}

/** Returns the former values of the records of a table that this transaction has changed, by their ids. Null for those that it has created. */
function changesOf(ctx: WriteCtx, table: 'sale' | 'commission'): Map<string, Readonly<Record<string, unknown>> | null> {
  return new Map(
    ctx.records.changes.flatMap((change) =>
      'previous' in change && change.table === table ? [[change.id, change.previous] as const] : [],
    ),
  );
}

function placeOf(sale: Sale): Place | null {
  if (!isPurchase(sale)) return null;
  return {
    at: sale.charged_at,
    key: chargeKey(sale),
    isLive: isLive(sale),
    referralId: sale.referral_id,
    customerId: sale.customer_id,
  };
}

function mayDependOnHistory(rewards: Facts['rewards']): boolean {
  return rewards !== null && [...rewards.rules.values()].flat().some(dependsOnHistory);
}

/**
 * Has the sales decided again, by a job, that come after sales whose place has changed. Costs no statement if no rule depends on earlier sales, or if
 * no later sale is known.
 */
function reopenLaterSales(ctx: WriteCtx, facts: Facts): void {
  if (!mayDependOnHistory(facts.rewards)) return;
  const [reordered, moved] = [true, false].map((isReordered) =>
    movedSales(ctx, facts).filter((sale) => sale.isReordered === isReordered),
  ) as [MovedSale[], MovedSale[]];
  reopenAfter(ctx, facts, moved, null);
  for (const sale of reordered) reopenAfter(ctx, facts, [sale], sale.places[0]!.at);
}

/**
 * Has a job decide later sales again that share a cap with a sale whose record or commission this transaction has changed. Must be called after the
 * decision was applied.
 */
function reopenSharingCaps(ctx: WriteCtx, { sales, rewards }: Facts): void {
  if (rewards === null || ![...rewards.rules.values()].flat().some(hasSharedCap)) return;
  const changedSales = changesOf(ctx, 'sale');
  const saleOf = (id: string) => (ctx.records.find('commission', id) as Commission | undefined)?.sale_id;
  const ofSale = Map.groupBy(changesOf(ctx, 'commission').keys(), saleOf);
  const changed = sales.filter(({ sale: { id }, isOnlyCounted }) => !isOnlyCounted && (changedSales.has(id) || ofSale.has(id)));
  const ids = changed.flatMap(({ sale, commission }) => [
    ...(ofSale.get(sale.id) ?? []),
    ...(commission === null ? [] : [commission.id]),
  ]);
  if (ids.length === 0) return;
  const times = changed.flatMap(({ sale }) => [
    sale.charged_at,
    (changedSales.get(sale.id)?.['charged_at'] as Instant) ?? sale.charged_at,
  ]);
  const decided = sales.flatMap((fact) => (fact.isOnlyCounted || fact.isClaimed ? [] : [fact.sale.id]));
  queueSharingCaps(ctx, sql`select unnest(${ids}::text[])`, times.reduce(earlierOf), decided);
}

/** @param until the time of the last sales that are decided again, or null */
function reopenAfter(ctx: WriteCtx, facts: Facts, moved: readonly MovedSale[], until: Instant | null): void {
  const places = moved.flatMap((sale) => sale.places.filter((place) => place !== null));
  if (places.length === 0) return;
  const [first] = moved;
  const at = places.map((place) => place.at).reduce(earlierOf);
  const modes = new Set(places.map((place) => place.isLive));
  // Of several sales, each comes after another one.
  const isAlone = moved.length === 1;
  const dependsOnOthers = isAlone && (first!.isReordered || !first!.isAffected);
  if (dependsOnOthers && !hasLaterSales(facts, { ownId: first!.id, at, until, modes })) return;
  const ownId = isAlone && !first!.isAffected ? first!.id : null;
  const kinds = [...modes].flatMap((mode) => (mode ? [SALE_KINDS.merchant, SALE_KINDS.provider] : [SALE_KINDS.test]));
  const isLater = sql<boolean>`(sale.charged_at >= ${at}::timestamptz and sale.id is distinct from ${ownId} and sale.account_id = ${ctx.accountId}
    and (${until}::timestamptz is null or sale.charged_at <= ${until}::timestamptz) and ${KIND_OF_SALE} = any (${kinds}::int[]))`;
  const idsOf = (name: 'referralId' | 'customerId') =>
    [...new Set(places.map((place) => place[name]))].filter((id) => id !== null);
  queueSaleDecisions(
    ctx,
    sql`
      select id, account_id from sale where referral_id = any (${idsOf('referralId')}::text[]) and ${isLater}
      union
      select id, account_id from sale where customer_id = any (${idsOf('customerId')}::text[]) and ${isLater}`,
  );
}

/** True if one of the facts is another sale from `at` until `until`. They contain those of the customer, and of each referral those that rules tell apart. */
function hasLaterSales(
  { sales, rewards }: Facts,
  { ownId, at, until, modes }: { ownId: string; at: Instant; until: Instant | null; modes: ReadonlySet<boolean> },
): boolean {
  const isLater = (id: string, chargedAt: Instant, isLiveSale: boolean) =>
    id !== ownId && chargedAt >= at && (until === null || chargedAt <= until) && modes.has(isLiveSale);
  return (
    sales.some(({ sale }) => isLater(sale.id, sale.charged_at, isLive(sale))) ||
    rewards!.history.some((other) => isLater(other.id, other.charged_at, other.is_live))
  );
}
