/** Keeps the periods in which affiliates have tiers, with the events and emails of their changes (docs/rules/rewards.md#tiers). */
import { post } from '@affiliate/postgres';
import { type RawBuilder, sql } from 'kysely';
import { clockOf } from '../../platform/call/call-time.ts';
import type { Ctx, Services, WriteCtx } from '../../platform/call/context.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { listIn } from '../../platform/mail/in-language.ts';
import type { Failures } from '../../platform/sweeps/failures.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { type Instant, laterOf, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { mailAffiliates } from '../../program/affiliate-mails/affiliate-mail.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { AffiliateEventData } from '../../program/affiliates/affiliate.ts';
import { nextMonth, type TierPeriod, tierPeriods, tiersIn, turningPoints } from '../../rewards/tiers/tier-periods.ts';
import { type Tier, tiersOf } from '../../rewards/tiers/tier.ts';
import { closedPeriodBefore } from '../../rewards/worth/windows.ts';
import { emit } from '../../webhooks/events/emit.ts';
import { lockAffiliate } from '../affiliate-lock.ts';
import { queueLeadDecisions, queueSaleDecisions } from '../queued-decisions/queue-decisions.ts';
import { IS_LIVE_SALE } from '../sales/sale.entity.ts';
import { COUNTED_SALE, countOf, tiersAt } from './count-sales.ts';

/** An affiliate whose tiers in a campaign are due. */
export interface DueTiers {
  account_id: string;
  affiliate_id: string;
  campaign_id: string;
}

/** SQL: keeps the earlier times of a check that is noted again. */
const EARLIER = sql`due_from = least(tier_check.due_from, excluded.due_from),
  unsettled_since = least(tier_check.unsettled_since, excluded.unsettled_since)`;

/**
 * Has an affiliate’s tiers settled again, because a charge of an earlier month counts now, or counts no longer. Does nothing for a charge of the
 * current month, which counts when the month has ended, and in a campaign without tiers.
 */
export function noteTierFact(
  ctx: WriteCtx,
  { affiliateId, campaignId, chargedAt }: { affiliateId: string; campaignId: string; chargedAt: Instant },
): void {
  const from = nextMonth(chargedAt);
  if (from > ctx.now) return;
  const due = sql`
    insert into tier_check (affiliate_id, campaign_id, account_id, due_from, unsettled_since)
    select ${affiliateId}, campaign_id, account_id, ${from}::timestamptz, ${ctx.now}::timestamptz from tier_schedule
    where campaign_id = ${campaignId} and account_id = ${ctx.accountId}
    on conflict (affiliate_id, campaign_id) do update set ${EARLIER}`;
  post(ctx.db, due.compile(ctx.db));
  // Until the month that has ended is settled, no period tells by which tiers its later sales were decided.
  queueSaleDecisions(
    ctx,
    sql`
    select sale.id, sale.account_id from tier_schedule
    join sale on sale.affiliate_id = ${affiliateId} and sale.charged_at >= greatest(tier_schedule.due_from, ${from}::timestamptz)
    where tier_schedule.campaign_id = ${campaignId} and tier_schedule.account_id = ${ctx.accountId} and tier_schedule.due_from <= ${ctx.now}`,
  );
}

/** Time after the end of a month at which its sales are counted, because a sale may become visible up to a minute after its own time. */
const SETTLED_MS = 2 * 60_000;

/**
 * Finds the affiliates whose tiers change because a month has ended or because a tier has begun or ended, and notes them as due. Each campaign is
 * handled in one transaction, so a killed process leaves no campaign half done. A failure leaves the other campaigns alone.
 *
 * @param accounts SQL condition on `account_id`
 */
export async function noteEndedMonths(
  services: Services,
  { accounts, failures }: { accounts: RawBuilder<boolean>; failures: Failures },
  mustStop: () => boolean,
): Promise<void> {
  const { rows } = await sql<{ campaign_id: string; account_id: string }>`
    select campaign_id, account_id from tier_schedule join account on account.id = tier_schedule.account_id
    where ${accounts} and due_from <= ${toInstant(services.clock.now())}::timestamptz + (clock_ahead_ms - ${SETTLED_MS}) * interval '1 ms'
    order by campaign_id`.execute(services.database.kysely);
  for (const { campaign_id, account_id } of rows) {
    if (mustStop()) break;
    await failures.attempt({ account_id, campaign_id }, async () => {
      const ctx = await contextOf(services, account_id, campaign_id);
      await inTransaction(ctx, (tx) => noteChanged(tx, campaign_id, plusMilliseconds(tx.now, -SETTLED_MS)));
    });
  }
}

/** Creates the context of work for an account, by the account’s own clock. */
export async function contextOf(services: Services, accountId: string, requestId: string): Promise<Ctx> {
  const clock = await clockOf(services, accountId);
  return { ...systemContext(services, accountId, requestId), clock, now: toInstant(clock.now()) };
}

async function noteChanged(ctx: WriteCtx, campaignId: string, until: Instant): Promise<void> {
  const { db, accountId } = ctx;
  const schedule = await db
    .selectFrom('tier_schedule')
    .select('due_from')
    .where('account_id', '=', accountId)
    .where('campaign_id', '=', campaignId)
    .forUpdate()
    .executeTakeFirst();
  if (schedule === undefined || schedule.due_from > until) return;
  const from = schedule.due_from;
  const tiers = await tiersOf(ctx, [campaignId]);
  for (const at of turningPoints(tiers, { from, until })) {
    for (const tier of tiers) await noteDifferent(ctx, tier, { at, from });
  }
  await db
    .updateTable('tier_schedule')
    .set({ due_from: nextMonth(until) })
    .where('campaign_id', '=', campaignId)
    .execute();
}

/** Notes the affiliates who have the tier at a time but not among their periods, or the other way round. */
async function noteDifferent(
  { db, accountId, now }: WriteCtx,
  { id, campaign_id, metric, currency, window, from: least, created_at, ended_at }: Tier,
  { at, from }: { at: Instant; from: Instant },
): Promise<void> {
  const period = closedPeriodBefore(window, at);
  const isInForce = at >= created_at && (ended_at === null || at < ended_at);
  await sql`
    with reached as (
      select commission.affiliate_id from commission join sale on sale.id = commission.sale_id
      where ${isInForce} and commission.account_id = ${accountId} and commission.campaign_id = ${campaign_id}
        and commission.livemode and ${COUNTED_SALE}
        and (${period.from}::timestamptz is null or sale.charged_at >= ${period.from}::timestamptz)
        and (${period.until}::timestamptz is null or sale.charged_at < ${period.until}::timestamptz)
      group by commission.affiliate_id having ${countOf(metric, currency)} >= ${least}
    ), known as (
      select affiliate_id from affiliate_tier where tier_id = ${id} and until is null
    ), changed as (
      (select affiliate_id from reached except select affiliate_id from known)
      union (select affiliate_id from known except select affiliate_id from reached)
    )
    insert into tier_check (affiliate_id, campaign_id, account_id, due_from, unsettled_since)
    select affiliate_id, ${campaign_id}, ${accountId}, ${from}::timestamptz, ${now}::timestamptz from changed order by affiliate_id
    on conflict (affiliate_id, campaign_id) do update set ${EARLIER}`.execute(db);
}

/**
 * Determines the periods of an affiliate’s tiers from the sales that are known now. If the current tiers change, announces it by an event and an
 * email. All of it commits together, so each change is announced exactly once. Does nothing if another process has settled the tiers before.
 */
export async function settleTiers(ctx: WriteCtx, { affiliate_id, campaign_id }: DueTiers): Promise<void> {
  await lockAffiliate(ctx, affiliate_id);
  const due = await ctx.db
    .deleteFrom('tier_check')
    .where('account_id', '=', ctx.accountId)
    .where('affiliate_id', '=', affiliate_id)
    .where('campaign_id', '=', campaign_id)
    .returning(['due_from', 'unsettled_since'])
    .executeTakeFirst();
  if (due === undefined) return;
  const [tiers, known] = await Promise.all([tiersOf(ctx, [campaign_id]), periodsOf(ctx, affiliate_id, campaign_id)]);
  const points = turningPoints(tiers, { from: due.due_from, until: laterOf(due.due_from, ctx.now) });
  const of = { affiliateId: affiliate_id, campaignId: campaign_id, livemode: true };
  const reached = await Promise.all(points.map(async (at) => ({ at, tiers: await tiersAt(ctx, tiers, of, at) })));
  const periods = tierPeriods(known, reached);
  reopenUnsettled(ctx, { affiliate_id, campaign_id }, due);
  if (JSON.stringify(periods) === JSON.stringify(known)) return;
  await replacePeriods(ctx, { affiliate_id, campaign_id }, periods);
  const changed = points.flatMap((at, i) =>
    tiersIn(known, at).join() === tiersIn(periods, at).join() ? [] : [{ from: at, until: points[i + 1] ?? null }],
  );
  reopenSales(ctx, { affiliate_id, campaign_id }, changed);
  reopenLeads(ctx, { affiliate_id, campaign_id }, changed);
  const [before, after] = [tiersIn(known, ctx.now), tiersIn(periods, ctx.now)];
  if (before.join() !== after.join()) await announce(ctx, { affiliate_id, campaign_id }, tiers, { before, after });
}

async function periodsOf({ db, accountId }: WriteCtx, affiliateId: string, campaignId: string): Promise<TierPeriod[]> {
  return db
    .selectFrom('affiliate_tier')
    .select(['tier_id', 'since', 'until'])
    .where('account_id', '=', accountId)
    .where('affiliate_id', '=', affiliateId)
    .where('campaign_id', '=', campaignId)
    .orderBy('since')
    .orderBy('tier_id')
    .execute();
}

async function replacePeriods(
  { db, accountId }: WriteCtx,
  { affiliate_id, campaign_id }: Omit<DueTiers, 'account_id'>,
  periods: readonly TierPeriod[],
): Promise<void> {
  await db
    .deleteFrom('affiliate_tier')
    .where('account_id', '=', accountId)
    .where('affiliate_id', '=', affiliate_id)
    .where('campaign_id', '=', campaign_id)
    .execute();
  const rows = periods.map((period) => ({ ...period, affiliate_id, campaign_id, account_id: accountId }));
  if (rows.length > 0) await db.insertInto('affiliate_tier').values(rows).execute();
}

interface ChangedPeriod {
  from: Instant;
  until: Instant | null;
}

/**
 * Has the sales decided again that were charged while the affiliate had other tiers than was known, with their milestones, if a rule of the campaign
 * depends on tiers.
 */
function reopenSales(
  ctx: WriteCtx,
  { affiliate_id, campaign_id }: Omit<DueTiers, 'account_id'>,
  changed: readonly ChangedPeriod[],
): void {
  const { accountId } = ctx;
  queueSaleDecisions(
    ctx,
    sql`
    select sale.id, sale.account_id
    from ${periods(changed)}
    join sale on sale.charged_at >= changed."from" and (changed.until is null or sale.charged_at < changed.until)
    join referral on referral.id = sale.referral_id
    where sale.account_id = ${accountId} and sale.affiliate_id = ${affiliate_id} and referral.campaign_id = ${campaign_id} and ${IS_LIVE_SALE}
      and ${dependsOnTiers(ctx, campaign_id)}`,
  );
}

/** Does the same as `reopenSales` for leads: those whose referral was named for its customer in these periods. */
function reopenLeads(
  ctx: WriteCtx,
  { affiliate_id, campaign_id }: Omit<DueTiers, 'account_id'>,
  changed: readonly ChangedPeriod[],
): void {
  const { accountId } = ctx;
  queueLeadDecisions(
    ctx,
    sql`
    select referral.id, referral.account_id
    from ${periods(changed)}
    join attribution_claim claim on claim.made_at >= changed."from" and (changed.until is null or claim.made_at < changed.until)
    join referral on referral.id = claim.referral_id
    where referral.account_id = ${accountId} and referral.affiliate_id = ${affiliate_id} and referral.campaign_id = ${campaign_id} and claim.kind = 'link'
      and ${dependsOnTiers(ctx, campaign_id, 'lead')}`,
  );
}

/** Maximum time by which the times of changes may precede `unsettled_since` of a check that the same transaction has noted. */
const EARLIER_MS = 60_000;

/**
 * Has the sales and leads decided again that were decided while the tiers were not settled. Their tiers were counted without the facts that came
 * later, and need not differ from the periods that were known before.
 */
function reopenUnsettled(
  ctx: WriteCtx,
  { affiliate_id, campaign_id }: Omit<DueTiers, 'account_id'>,
  { due_from, unsettled_since }: { due_from: Instant; unsettled_since: Instant },
): void {
  const since = plusMilliseconds(unsettled_since, -EARLIER_MS);
  const isTiered = dependsOnTiers(ctx, campaign_id);
  const isDecided = sql<boolean>`(commission.account_id = ${ctx.accountId} and commission.updated_at >= ${since}::timestamptz
    and commission.affiliate_id = ${affiliate_id} and commission.campaign_id = ${campaign_id} and commission.livemode
    and commission.state in ('pending', 'due'))`;
  queueSaleDecisions(
    ctx,
    sql`
    select sale.id, sale.account_id from commission join sale on sale.id = commission.sale_id
    where ${isDecided} and commission.kind in ('sale', 'bonus') and sale.charged_at >= ${due_from}::timestamptz and ${isTiered}
    union
    select sale.id, sale.account_id from sale join referral on referral.id = sale.referral_id
    where sale.account_id = ${ctx.accountId} and sale.updated_at >= ${since}::timestamptz and sale.affiliate_id = ${affiliate_id}
      and referral.campaign_id = ${campaign_id} and ${IS_LIVE_SALE} and sale.charged_at >= ${due_from}::timestamptz and ${isTiered}`,
  );
  queueLeadDecisions(
    ctx,
    sql`
    select commission.referral_id as id, commission.account_id from commission where ${isDecided} and commission.kind = 'lead' and ${isTiered}`,
  );
}

/** SQL condition: a rule of the campaign, of the given event if there is one, depends, or once depended, on tiers. */
function dependsOnTiers({ accountId }: WriteCtx, campaignId: string, event?: 'lead'): RawBuilder<boolean> {
  const isOfEvent = event === undefined ? sql`true` : sql`version.event = ${event}`;
  return sql<boolean>`exists (
    select from reward_rule_version version
    where version.account_id = ${accountId} and version.campaign_id = ${campaignId} and version."when" -> 'tier' is not null
      and ${isOfEvent})`;
}

/** SQL table: `changed` with `from` and `until` of the periods. */
function periods(changed: readonly ChangedPeriod[]): RawBuilder<unknown> {
  return sql`unnest(${changed.map(({ from }) => from)}::timestamptz[], ${changed.map(({ until }) => until)}::timestamptz[]) as changed ("from", until)`;
}

const AFFILIATE = wireRecord(Affiliate, AffiliateEventData);

/** Announces that an affiliate has other tiers from now on, by an event and an email. */
async function announce(
  ctx: WriteCtx,
  { affiliate_id, campaign_id }: Omit<DueTiers, 'account_id'>,
  tiers: readonly Tier[],
  { before, after }: { before: readonly string[]; after: readonly string[] },
): Promise<void> {
  const affiliate = await ctx.db
    .selectFrom('affiliate')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', affiliate_id)
    .executeTakeFirstOrThrow();
  const ascending = tiers.toSorted((a, b) => a.from - b.from || (a.id < b.id ? -1 : 1));
  const named = (ids: readonly string[]) => ascending.filter(({ id }) => ids.includes(id));
  const shown = (ids: readonly string[]) => named(ids).map(({ id, name }) => ({ id, name }));
  emit(ctx, 'affiliate.tier_changed', {
    ...AFFILIATE.of(affiliate),
    tier_campaign_id: campaign_id,
    tiers: shown(after),
    previous_tiers: shown(before),
  });
  if (affiliate.archived_at !== null || affiliate.state !== 'active') return;
  const names = (of: readonly Tier[]) => (language: Language) =>
    listIn(
      language,
      of.map(({ name }) => name),
    );
  const gained = named(after.filter((id) => !before.includes(id)));
  // The merchant has ended a tier: the affiliate did nothing less than before.
  const lost = named(before.filter((id) => !after.includes(id))).filter(({ ended_at }) => ended_at === null);
  const to = { affiliate_id, to: affiliate.email };
  if (gained.length > 0)
    await mailAffiliates(ctx, 'tier_reached', [{ ...to, values: { tier: names(gained), tiers: names(named(after)) } }]);
  else if (lost.length > 0)
    await mailAffiliates(ctx, 'tier_lost', [
      { ...to, values: { tier: names(lost), tiers: after.length === 0 ? '' : names(named(after)) } },
    ]);
}
