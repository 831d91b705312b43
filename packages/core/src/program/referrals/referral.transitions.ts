/**
 * All state changes of a referral: start, conversion, binding to a customer, deactivation (docs/rules/program.md#referrals). The entity
 * holds columns and pure predicates. To bind or convert a referral, the transaction also holds the affiliate's lock, because sales of the
 * customer may then earn commissions.
 */
import { post } from '@affiliate/postgres';
import { type RawBuilder, sql } from 'kysely';
import type { Services, WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { insert, newRecordColumns, save } from '../../platform/call/records.ts';
import { newMerchantColumns } from '../../platform/call/save-merchant-data.ts';
import { jsonObject } from '../../platform/db/json-text.ts';
import { type MustStop, purge } from '../../platform/db/purge.ts';
import { LostRace } from '../../platform/errors/constraints.ts';
import { type Instant, plusDays, toInstant } from '../../platform/time/instant.ts';
import { isIdBefore, newId } from '../../platform/wire/ids.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type ConversionState, Referral, REFERRAL_SOURCE_COLUMNS } from './referral.entity.ts';
import { ReferralEventData } from './referral.ts';

const EVENT_DATA = wireRecord(Referral, ReferralEventData);
/** The event data of a row of `started`, which has no customer yet. */
const STARTED_DATA = jsonObject(EVENT_DATA.json('started', { psp_customer_id: sql`'null'` }));
const SOURCE = sql.raw(REFERRAL_SOURCE_COLUMNS.join(', '));

export interface NewReferral {
  affiliate_id: string;
  campaign_id: string;
  link_id?: string | null;
  customer?: { id: string } | null;
  conversion_state?: ConversionState;
  /** Time of the visit that the referral records, which may become known later. The referral has this time. Default: now. */
  visited_at?: Instant;
  /** Time of the visit or charge that starts the referral. Default: `visited_at`. */
  arrived_at?: Instant;
  merchantData?: ReturnType<typeof newMerchantColumns>;
  /** Default: the end of the campaign's window, counted from `arrived_at`. Null for no limit. */
  expires_at?: Instant | null;
  /** True if a code or an assignment starts the referral. */
  is_derived?: boolean;
}

/**
 * Creates a referral. The caller has checked that affiliate, campaign, link and customer belong together.
 */
export async function startReferral(ctx: WriteCtx, input: NewReferral): Promise<Locked<Referral>> {
  const visited = input.visited_at ?? ctx.now;
  const arrived = input.arrived_at ?? visited;
  const state = input.conversion_state ?? 'visitor';
  const referral = insert(ctx, Referral, {
    ...newRecordColumns(ctx, newId('referral', ctx.clock.now())),
    created_at: visited,
    ...(input.merchantData ?? newMerchantColumns({})),
    affiliate_id: input.affiliate_id,
    campaign_id: input.campaign_id,
    link_id: input.link_id ?? null,
    customer_id: input.customer?.id ?? null,
    conversion_state: state,
    converted_at: state === 'conversion' ? arrived : null,
    converted_by_hand: state === 'conversion',
    expires_at: input.expires_at === undefined ? await endOfWindow(ctx, input.campaign_id, arrived) : input.expires_at,
    deactivated_at: null,
    reactivated_at: null,
    is_test: false,
    is_derived: input.is_derived ?? false,
  });
  return referral;
}

/**
 * SQL: parts of a `with` statement that start a referral for every row of `visits`, each of which is a new visitor. The part `source` has
 * the `referral.created` events. `visits` has the columns `account_id`, `referral_id`, `affiliate_id`, `campaign_id`, `link_id`, `at`,
 * `expires_at`, `bot_reason` (null, or set for a test visit), and those of `referral_source`.
 */
export function referralsStartedBy(visits: RawBuilder<unknown>, now: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`started as (
      insert into referral (id, account_id, affiliate_id, campaign_id, link_id, conversion_state, expires_at, is_test, created_at, updated_at)
      select referral_id, account_id, affiliate_id, campaign_id, link_id, 'visitor', expires_at, bot_reason is not null, at, ${now} from (${visits}) visit
      returning *
    ), sourced as (
      insert into referral_source (referral_id, account_id, ${SOURCE})
      select referral_id, account_id, ${SOURCE} from (${visits}) visit
    ), source as materialized (
      select account_id, id as subject_id, 'referral.created'::text as type, ${STARTED_DATA} as data, null::text as previous,
        row_number() over (partition by account_id order by id) as position
      from started
    )`;
}

async function endOfWindow(ctx: WriteCtx, campaignId: string, arrived: Instant): Promise<Instant> {
  const campaign = await ctx.db
    .selectFrom('campaign')
    .select('days_before_referrals_expire')
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow();
  return plusDays(arrived, campaign.days_before_referrals_expire);
}

/**
 * Moves a referral to a conversion state. Any state may follow any other.
 *
 * @param at time of the conversion: for a sale, the time of the charge
 * @param by who or what moves it. A conversion by a person stays without a sale
 */
export function moveReferral(
  ctx: WriteCtx,
  referral: Locked<Referral>,
  state: ConversionState,
  at: Instant,
  by: 'facts' | 'person' = 'facts',
): void {
  // A converted referral keeps its time of conversion.
  const converted_at = state === 'conversion' ? (referral.converted_at ?? at) : null;
  save(ctx, Referral, referral, {
    conversion_state: state,
    converted_at,
    converted_by_hand: by === 'person' && state === 'conversion',
    ...(state !== referral.conversion_state && { updated_at: ctx.now }),
  });
}

/**
 * Binds a referral to its customer permanently.
 *
 * @throws LostRace if the referral is bound to another customer, which happens when two customers name an unbound referral at the same
 * time. The repeated transaction starts a new referral that continues this one
 */
export function bindReferral(ctx: WriteCtx, referral: Locked<Referral>, customerId: string): void {
  if (referral.customer_id === customerId) return;
  if (referral.customer_id !== null) throw new LostRace();
  save(ctx, Referral, referral, { customer_id: customerId, updated_at: ctx.now });
}

/** Removes the customer of a referral, because the binding expired without converting and another claim took over. */
export function unbindReferral(ctx: WriteCtx, referral: Locked<Referral>): void {
  save(ctx, Referral, referral, { customer_id: null, updated_at: ctx.now });
}

/**
 * After the customer `from` was merged into the customer `to`, binds the referral of `from` to `to`. If `to` already has a referral, leaves
 * the referral of `from` without a customer.
 */
export async function moveReferralToCustomer(ctx: WriteCtx, from: string, to: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update referral set customer_id = case when exists (select from referral bound where bound.customer_id = ${to}) then null else ${to} end,
      updated_at = ${ctx.now}
    where customer_id = ${from}
    returning id`.execute(ctx.db);
  for (const { id } of rows) ctx.records.noteChanged('referral', id, { customer_id: from });
}

/** Corrects the time of a conversion. */
export function setReferralConversion(ctx: WriteCtx, referral: Locked<Referral>, convertedAt: Instant): void {
  save(ctx, Referral, referral, { converted_at: convertedAt, updated_at: ctx.now });
}

/** A corrected time of a charge, and its time until now. */
interface Redated {
  before: Instant;
  at: Instant;
}

/**
 * Moves the beginning of the referrals that began with a charge, because the time of the charge was corrected. They expire as many days later as
 * before, unless a person has set their expiry.
 */
export async function redateReferrals(ctx: WriteCtx, ids: readonly string[], { before, at }: Redated): Promise<void> {
  const { rows } = await sql<{ id: string } & Pick<Referral, 'created_at' | 'expires_at'>>`
    with started as (
      select id, created_at, expires_at, expires_at - ${before}::timestamptz = any (array(
        select make_interval(days => days_before_referrals_expire) from campaign where id = referral.campaign_id
        union select make_interval(days => days_before_referrals_expire) from campaign_terms where campaign_id = referral.campaign_id
      )) as is_by_terms
      from referral where id = any (${ids}::text[]) and is_derived
    )
    update referral set updated_at = ${ctx.now}, created_at = case when started.created_at = ${before} then ${at}::timestamptz else started.created_at end,
      expires_at = case when is_by_terms then ${at}::timestamptz + (started.expires_at - ${before}::timestamptz) else started.expires_at end
    from started where referral.id = started.id and (started.created_at = ${before} or is_by_terms)
    returning started.id, started.created_at, started.expires_at`.execute(ctx.db);
  for (const { id, ...previous } of rows) ctx.records.noteChanged('referral', id, previous);
}

/** Moves the conversion of a referral that converted by a charge, because the time of the charge was corrected. */
export async function redateConversion(ctx: WriteCtx, referralId: string, { before, at }: Redated): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update referral set converted_at = ${at}, updated_at = ${ctx.now} where id = ${referralId} and converted_at = ${before}
    returning id`.execute(ctx.db);
  for (const { id } of rows) ctx.records.noteChanged('referral', id, { converted_at: before });
}

/** Deactivates a referral. Has no effect if it is deactivated already. */
export function markReferralDeactivated(ctx: WriteCtx, referral: Locked<Referral>): void {
  if (referral.deactivated_at === null) setReferralDeactivation(ctx, referral, ctx.now);
}

/** Sets the time of deactivation. Null activates the referral again. */
export function setReferralDeactivation(ctx: WriteCtx, referral: Locked<Referral>, deactivatedAt: Instant | null): void {
  const { deactivated_at: former } = referral;
  if (former === deactivatedAt) return;
  if (former === null || deactivatedAt !== null || former >= ctx.now) {
    save(ctx, Referral, referral, { deactivated_at: deactivatedAt, updated_at: ctx.now });
    return;
  }
  // Charges of that time stay refused (docs/rules/attribution.md#history).
  const interval = ctx.db
    .insertInto('referral_deactivation')
    .values({ referral_id: referral.id, until: ctx.now, account_id: ctx.accountId, deactivated_at: former })
    .onConflict((conflict) => conflict.doNothing());
  post(ctx.db, interval.compile());
  save(ctx, Referral, referral, { deactivated_at: null, reactivated_at: ctx.now, updated_at: ctx.now });
}

/** Copies the deactivation of a referral, and its former deactivations, to the new referral that continues it for another customer. */
export function copyDeactivations(
  ctx: WriteCtx,
  referral: Locked<Referral>,
  { id, deactivated_at, reactivated_at }: Pick<Referral, 'id' | 'deactivated_at' | 'reactivated_at'>,
): void {
  setReferralDeactivation(ctx, referral, deactivated_at);
  if (reactivated_at === null) return;
  const former = sql`
    insert into referral_deactivation (referral_id, until, account_id, deactivated_at)
    select ${referral.id}, until, account_id, deactivated_at from referral_deactivation
    where referral_id = ${id} and account_id = ${ctx.accountId}`;
  post(ctx.db, former.compile(ctx.db));
  save(ctx, Referral, referral, { reactivated_at });
}

/** Deletes referrals, e.g. of an import that is undone. Fails if a sale, a lead or a claim refers to one. `ids` is an SQL array with its operator. */
export async function removeReferrals({ db, accountId }: WriteCtx, ids: RawBuilder<unknown>): Promise<void> {
  await sql`delete from referral where account_id = ${accountId} and id = ${ids}`.execute(db);
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** A time during which a referral was deactivated, before it was activated again at `until`. */
    referral_deactivation: {
      referral_id: string;
      until: Instant;
      account_id: string;
      deactivated_at: Instant;
    };
  }
}

/**
 * Days for which a visitor's referral is kept after its expiry. After these days, the payment provider can no longer report anything from before the
 * expiry.
 */
const KEPT_DAYS = 30;

/**
 * Purges expired referrals of visitors who never became leads, and adds their number to `visitor_count` in the same statement
 * (docs/rules/platform.md#retention). Keeps referrals to which a sale or a claim refers. A commission refers only to a referral that is at least a lead.
 * Returns the number deleted.
 */
export function purgeExpiredVisitors({ database, clock }: Services, mustStop?: MustStop): Promise<number> {
  const before = plusDays(toInstant(clock.now()), -KEPT_DAYS);
  const isOver = sql<boolean>`conversion_state = 'visitor' and customer_id is null
    and expires_at < ${before}::timestamptz and created_at < ${before}::timestamptz
    and not exists (select from sale where sale.referral_id = referral.id)
    and not exists (select from sale where sale.named_referral_id = referral.id and sale.named_referral_id is distinct from sale.referral_id)
    and not exists (select from attribution_claim claim where claim.referral_id = referral.id)`;
  const deletion = (ids: RawBuilder<unknown>) => sql`
    gone as (
      delete from referral where id in (${ids}) returning account_id, affiliate_id, link_id, created_at, is_test
    ), counted as (
      insert into visitor_count (account_id, affiliate_id, link_id, day, visitors)
      select account_id, affiliate_id, link_id, (created_at at time zone 'utc')::date as day, count(*) from gone
      where not is_test group by account_id, affiliate_id, link_id, day
      on conflict on constraint visitor_count_key do update set visitors = visitor_count.visitors + excluded.visitors
    )`;
  return purge(database.kysely, { table: 'referral', isOver, order: 'expires_at', deletion }, mustStop);
}

/**
 * True if a referral with this unknown id may have been purged, judging by the time in the id. That time is slightly later than the
 * creation time of the row. The result is therefore true from one day before the purge may delete the row.
 */
export function mayBePurged(referralId: string, now: Instant): boolean {
  return isIdBefore('referral', referralId, new Date(plusDays(now, 1 - KEPT_DAYS)));
}
