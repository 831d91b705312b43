import { botReasonOf } from '../../program/clicks/bots.ts';
import type { TouchRule } from '../../program/clicks/click.states.ts';
import type { Arrival } from '../../program/clicks/click-source.ts';
import { recordBotClick, recordClick } from '../../program/clicks/record-click.ts';
import type { ClientFacts, Ctx, PublicCtx, WriteCtx } from '../../platform/call/context.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { startReferral } from '../../program/referrals/referral.transitions.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { type Instant, plusDays } from '../../platform/time/instant.ts';
import { withParameters } from '../../program/links/link-url.ts';
import { parseVisitParameters } from './visit-parameters.ts';
import { findTarget, type LinkTarget } from './link-target.ts';
import type { FollowLink, Landing, TrackVisit, TrackedVisit } from './visit.schema.ts';

/**
 * Follows a tracked link: counts the visit, finds or creates the referral, and names the destination. A link that is archived, or whose
 * affiliate or campaign is not active, leads to the campaign's page and records nothing (docs/domain-rules.md#visits). Without an account,
 * the oldest link with this token in the installation counts.
 *
 * @throws NOT_FOUND without such a link and without a default campaign of the account
 */
export async function followLink(
  { services, requestId, client }: PublicCtx,
  { token, account_id, known_referrals, record }: FollowLink,
): Promise<Landing> {
  const target = foundOrThrow(await findTarget(services.database.kysely, token, account_id), 'link');
  if (!target.earning || !record)
    return { url: target.earning ? target.url : target.campaign_url, account_id: target.account_id, referral: null };
  const ctx = systemContext(services, target.account_id, requestId);
  const arrival = { landing: target.url, referrer: client?.referrer ?? null, parameters: client?.query ?? '' };
  const referral = await recordVisit(ctx, target, { knownReferralId: known_referrals[target.account_id], arrival, client });
  if (referral === null) return { url: target.url, account_id: target.account_id, referral: null };
  const { id, expires_at } = referral;
  const url = withParameters(target.url, target.parameter_type, { via: target.token, referral: id });
  return { url, account_id: target.account_id, referral: { id, expires_at } };
}

/**
 * The same for a visit to a merchant's own page, reported by the tracking script. A live referral that a tracked link passed on was counted by
 * that link, so nothing is recorded: it competes with the browser's own as a new click would.
 *
 * @throws VALIDATION_ERROR without a token, a referral passed on, and parameters
 */
export async function trackVisit(
  { services, requestId, client }: PublicCtx,
  { account_id, referral_id, parameters, url, referrer, ...named }: TrackVisit,
): Promise<TrackedVisit> {
  const found = parseVisitParameters(parameters ?? '');
  const token = named.token ?? found.token;
  const passed_referral_id = named.passed_referral_id ?? found.passedReferralId;
  if (!token && !passed_referral_id) {
    if (parameters) return NO_REFERRAL;
    throw invalid('token', 'Send token, passed_referral_id, or both.', 'required');
  }
  const ctx = systemContext(services, account_id, requestId);
  const passed = passed_referral_id ? await choosePassedOn(ctx, passed_referral_id, referral_id ?? undefined) : null;
  if (passed) return remembered(passed, ctx.now);
  const target = token ? await findTarget(services.database.kysely, token, account_id) : null;
  if (!target?.earning) return NO_REFERRAL;
  const arrival = {
    landing: url ?? null,
    referrer: referrer ?? null,
    parameters: `${parameters ?? ''}&${/[?#].*/.exec(url ?? '')?.[0] ?? ''}`,
  };
  const referral = await recordVisit(ctx, target, { knownReferralId: referral_id ?? undefined, arrival, client });
  return referral ? remembered(referral, ctx.now) : NO_REFERRAL;
}

const NO_REFERRAL: TrackedVisit = { referral_id: null, expires_at: null, max_age: null };
const DAY_SECONDS = 86_400;

/** A referral that has converted is recognised after its expiry, so a browser remembers one for at least a day. */
function remembered({ id, expires_at }: Referral, now: Instant): TrackedVisit {
  const seconds = expires_at === null ? 0 : Math.floor((Date.parse(expires_at) - Date.parse(now)) / 1000);
  return { referral_id: id, expires_at, max_age: Math.max(seconds, DAY_SECONDS) };
}

/** The referral that the browser should remember: its own or the one passed on. Null when the latter is unknown or cannot earn. */
async function choosePassedOn(ctx: Ctx, passedId: string, knownId: string | undefined): Promise<Referral | null> {
  return inTransaction(ctx, async (tx) => {
    const passed = await findReferral(tx, passedId);
    if (!passed?.isLive(ctx.now) || !(await canEarn(tx, passed))) return null;
    const { attribution } = await tx.em.findOneOrFail(Campaign, { id: passed.campaign_id });
    const known = knownId === undefined ? null : await findReferral(tx, knownId);
    return (await ruleOf(tx, known, { attribution, link_id: passed.link_id })) === 'first_click' ? known : passed;
  });
}

/** A visit of somebody's browser, which may have a referral already. */
interface Visit {
  knownReferralId: string | undefined;
  arrival: Arrival;
  client: ClientFacts | undefined;
}

/**
 * Null for a bot, whose visit counts nowhere. The visitor keeps the referral that they have while it is live and can earn: the first click wins, unless the campaign of the link that was
 * clicked lets the last one win (docs/domain-rules.md#visits).
 */
async function recordVisit(
  ctx: Ctx,
  target: LinkTarget & { earning: true },
  { knownReferralId, arrival, client }: Visit,
): Promise<Referral | null> {
  const click = { link: target, arrival, client, at: ctx.now };
  const botReason = botReasonOf(client?.userAgent);
  if (botReason) {
    await recordBotClick(ctx, click, botReason);
    return null;
  }
  return inTransaction(ctx, async (tx) => {
    const known = knownReferralId === undefined ? null : await findReferral(tx, knownReferralId);
    const rule = await ruleOf(tx, known, { attribution: target.attribution, link_id: target.id });
    const referral =
      known && rule === 'first_click'
        ? known
        : await startReferral(tx, {
            affiliate_id: target.affiliate_id,
            campaign_id: target.campaign_id,
            link_id: target.id,
            expires_at: plusDays(ctx.now, target.days_before_referrals_expire),
          });
    // Last: every click on a link waits for its counter, and must not wait for the rest as well.
    await recordClick(tx, { ...click, at: tx.now }, { referral_id: referral.id, rule });
    return referral;
  });
}

/** A click that competes with the referral that a browser has. */
interface CompetingClick {
  attribution: Campaign['attribution'];
  link_id: string | null;
}

/** Whether the visitor keeps the referral that they have (`first_click`), or why not. */
async function ruleOf(ctx: WriteCtx, known: Referral | null, click: CompetingClick): Promise<TouchRule> {
  if (known === null) return 'new_visitor';
  if (!known.isLive(ctx.now) || !(await canEarn(ctx, known))) return 'former_not_live';
  const displaced =
    click.attribution === 'last_click' && known.link_id !== click.link_id && known.conversion_state !== 'conversion';
  return displaced ? 'last_click' : 'first_click';
}

function findReferral(ctx: WriteCtx, id: string): Promise<Referral | null> {
  return ctx.em.findOne(Referral, { id, account_id: ctx.accountId });
}

async function canEarn(ctx: WriteCtx, { affiliate_id, campaign_id }: Referral): Promise<boolean> {
  const affiliate = await ctx.em.findOneOrFail(Affiliate, { id: affiliate_id });
  const campaign = await ctx.em.findOneOrFail(Campaign, { id: campaign_id });
  return affiliate.isEarning() && campaign.isActive();
}
