import { sql } from 'kysely';
import { clockOf } from '../../platform/call/call-time.ts';
import { isServedHere } from '../../platform/call/caller.ts';
import type { ClientFacts, PublicCtx, Services } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { type Instant, plusDays, toInstant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { botReasonOf, isProgram, TEST_MARK } from '../../program/clicks/bots.ts';
import type { Arrival } from '../../program/clicks/click-source.ts';
import { clickFactsOf } from '../../program/clicks/record-click.ts';
import { withParameters, withPassedOn } from '../../program/links/link-url.ts';
import { isLiveReferral } from '../../program/referrals/referral.entity.ts';
import { INTAKE_REASONS } from '../reasons.ts';
import { intakeOf } from './intake.ts';
import { canEarn, type EarningTarget, isEarning, joinKnown, type LinkTarget, tokenKey, touchRule } from './link-target.ts';
import type { FollowLink, FollowProgramLink, Landing, TrackedVisit, TrackVisit } from './visit.schema.ts';

/** Parameters of a page's address that name the tracked link or the referral. */
interface VisitParameters {
  /** Values that may be the token of a link, in the order in which they count. */
  tokens: string[];
  passedReferralId: string | undefined;
}

/** Matches ids of referrals only, because pages may use a parameter named `referral` for something else. */
const REFERRAL = /^ref_\w{1,196}$/;
const MAX_TOKEN_LENGTH = 64;
/**
 * Maximum number of characters that are parsed. Each parameter takes time to parse, and a stranger can send tens of thousands. The tracking
 * script sends only the part of the address that starts with the first `via` or `referral`, so that long addresses work, too.
 */
const MAX_PARSED = 8_192;

/** Maximum number of values that are looked up as tokens for one visit. */
const MAX_TOKENS = 4;

/**
 * Reads the parameters of a link from the query and the fragment of a page's address, or from a part of the address.
 * There may be several values of `via`: the tracking script replaces the names of other parameters by `via`, which the page may also use for
 * something else.
 */
function parseVisitParameters(text: string): VisitParameters {
  const parameters = [...new URLSearchParams(text.slice(0, MAX_PARSED).replaceAll(/[?#]/g, '&'))];
  // Some mail programs and forms change the case of addresses.
  const valuesOf = (wanted: string) => parameters.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
  const tokens = [...new Set(valuesOf('via').map(tokenKey))].filter((token) => token !== '' && token.length <= MAX_TOKEN_LENGTH);
  return {
    tokens: tokens.slice(0, MAX_TOKENS),
    passedReferralId: valuesOf('referral').find((value) => REFERRAL.test(value)),
  };
}

/**
 * Follows a tracked link: counts the visit, finds or creates the referral, and returns the destination. For a link that is archived, or whose
 * affiliate or campaign is not active, returns the campaign's page and records nothing (docs/rules/intake.md#visits). Without an `account_id`,
 * follows the link of the installation that has had this token longest. Under the host name of a merchant's portal, follows only links of this merchant.
 *
 * @throws NOT_FOUND if there is no such link and the account has no default campaign
 */
export async function followLink(
  { services, client, hostAccountId }: PublicCtx,
  { token, account_id = hostAccountId, known_referrals, record }: FollowLink,
): Promise<Landing> {
  if (account_id !== undefined && !isServedHere({ hostAccountId }, account_id)) throw notFound('link');
  const find = () => findTarget(services, token, account_id);
  let target = foundOrThrow(await find(), 'link');
  const leadTo = (url: string, account_id: string, referral: Landing['referral']) => ({
    url: withPassedOn(url, client?.query ?? ''),
    account_id,
    referral,
  });
  if (isEarning(target) && record) {
    const visit = {
      knownReferralId: known_referrals[target.account_id],
      arrival: { landing: target.url, referrer: client?.referrer ?? null, parameters: client?.query ?? '' },
      client,
      mayBeKept: true,
    };
    const recorded = await recordVisit(services, visit, { token, account_id, target });
    target = foundOrThrow(recorded.target, 'link');
    if (isEarning(target) && recorded.referral) {
      const { id, expires_at } = recorded.referral;
      return leadTo(landingUrl(target, id), target.account_id, { id, expires_at });
    }
  }
  return leadTo(isEarning(target) ? target.url : target.campaign_url, target.account_id, null);
}

/** Follows a tracked link of a program, which the address names by a slug. Throws NOT_FOUND for an unknown slug, and like `followLink`. */
export async function followProgramLink(ctx: PublicCtx, { program, ...link }: FollowProgramLink): Promise<Landing> {
  const { links, visits } = intakeOf(ctx.services);
  const account_id = await links.accountOf(program, visits.isDown);
  return followLink(ctx, { ...link, account_id: foundOrThrow(account_id, 'link') });
}

/**
 * Placeholder for the referral's id while the URL is built. Like an id, it consists of letters, digits and `_`, which need no encoding in a
 * URL.
 */
const PLACE = 'ref_place_of_the_id';
const landings = new WeakMap<EarningTarget, readonly string[]>();

/**
 * Returns the target's URL with the parameters `via` and `referral`. The URL is built once per target object; `landings` caches its parts.
 */
function landingUrl(target: EarningTarget, referralId: string): string {
  let parts = landings.get(target);
  if (!parts) {
    parts = withParameters(target.url, target.parameter_type, { via: target.token, referral: PLACE }).split(PLACE);
    landings.set(target, parts);
  }
  return parts.join(referralId);
}

/**
 * Records a visit to a merchant's own page, as the tracking script reports it. Records nothing if a tracked link has passed a live referral
 * to the page in its URL, because the visit was counted when the visitor followed that link. The passed referral then competes with the
 * browser's own referral under the same rules as a new click.
 *
 * @throws VALIDATION_ERROR if token, passed referral and parameters are all missing
 */
export async function trackVisit(
  { services, client }: PublicCtx,
  { account_id, referral_id, parameters, url, referrer, ...named }: TrackVisit,
): Promise<TrackedVisit> {
  const found = parseVisitParameters(parameters ?? '');
  const tokens = named.token ? [named.token] : found.tokens;
  const passedId = named.passed_referral_id ?? found.passedReferralId;
  if (tokens.length === 0 && !passedId) {
    if (parameters) return NO_REFERRAL;
    throw invalid('token', INTAKE_REASONS.token_or_passed_referral, 'required');
  }
  const now = toInstant((await clockOf(services, account_id)).now());
  const { sights } = intakeOf(services);
  const passed = passedId ? await choosePassedOn(services, { account_id, passedId, knownId: referral_id ?? null, now }) : null;
  if (passed) {
    if (passed.destination !== null) await sights.note({ account_id, destination: passed.destination, now }, client);
    return remembered(passed, now);
  }
  const followed = await findFirstEarning(services, tokens, account_id);
  if (!followed) return NO_REFERRAL;
  const visit = {
    knownReferralId: referral_id ?? undefined,
    arrival: {
      landing: url ?? null,
      referrer: referrer ?? null,
      parameters: `${parameters ?? ''}&${/[?#].*/.exec(url ?? '')?.[0] ?? ''}`,
    },
    client,
    // Visits reported by the script need not be kept in memory, because the script repeats reports that failed.
    mayBeKept: false,
  };
  const { referral } = await recordVisit(services, visit, followed);
  await sights.note({ account_id, destination: followed.target.url, now }, client);
  return referral ? remembered(referral, now) : NO_REFERRAL;
}

interface ChosenReferral {
  id: string;
  expires_at: Instant | null;
}

const NO_REFERRAL: TrackedVisit = { referral_id: null, expires_at: null, max_age: null };
const DAY_SECONDS = 86_400;

/**
 * Builds the response for a referral that the browser should remember. The browser remembers the referral for at least a day, because a
 * referral that has converted is recognized even after its expiry.
 */
function remembered({ id, expires_at }: ChosenReferral, now: Instant): TrackedVisit {
  const seconds = expires_at === null ? 0 : Math.floor((Date.parse(expires_at) - Date.parse(now)) / 1000);
  return { referral_id: id, expires_at, max_age: Math.max(seconds, DAY_SECONDS) };
}

/**
 * Returns the referral that the browser should remember: the one that it knows already (`knownId`), or the one that a link passed on
 * (`passedId`), with the destination of that link. Returns null if the passed referral is unknown, not live, or cannot earn.
 */
async function choosePassedOn(
  { database }: Services,
  { account_id, passedId, knownId, now }: { account_id: string; passedId: string; knownId: string | null; now: Instant },
): Promise<(ChosenReferral & { destination: string | null }) | null> {
  const click = {
    account_id: sql`${account_id}`,
    known_id: sql`${knownId}`,
    link_id: sql`passed.link_id`,
    is_last_click: sql`campaign.attribution = 'last_click'`,
    at: sql`${now}::timestamptz`,
  };
  const { rows } = await sql<ChosenReferral & { destination: string | null }>`
    select case when rule = 'first_click' then known_id else passed_id end as id,
      case when rule = 'first_click' then known_expires_at else passed_expires_at end as expires_at, destination
    from (
      select passed.id as passed_id, passed.expires_at as passed_expires_at, known.id as known_id, known.expires_at as known_expires_at,
        (select url from link where link.id = passed.link_id) as destination, ${touchRule(click)} as rule
      from referral passed
      join affiliate on affiliate.id = passed.affiliate_id join campaign on campaign.id = passed.campaign_id
      ${joinKnown(click)}
      where passed.id = ${passedId} and passed.account_id = ${account_id} and ${isLiveReferral('passed', click.at)}
        and ${canEarn('affiliate', 'campaign')}
    ) choice`.execute(database.kysely);
  return rows[0] ?? null;
}

/** Returns the first of the tokens whose link can earn, with its link; or null. */
async function findFirstEarning(services: Services, tokens: readonly string[], account_id: string): Promise<FoundLink | null> {
  for (const token of tokens) {
    const target = await findTarget(services, token, account_id);
    if (target && isEarning(target)) return { token, account_id, target };
  }
  return null;
}

function findTarget(services: Services, token: string, accountId: string | undefined): Promise<LinkTarget | null> {
  const { links, visits } = intakeOf(services);
  return links.find(token, accountId, visits.isDown);
}

/** A visit of a browser that may already have a referral. */
interface Visit {
  knownReferralId: string | undefined;
  arrival: Arrival;
  client: ClientFacts | undefined;
  mayBeKept: boolean;
}

interface FoundLink {
  token: string;
  account_id: string | undefined;
  target: EarningTarget;
}

/**
 * Records a visit to a link. If the link has changed since it was looked up, looks the link up again and returns it as `target`. The returned
 * referral is null if the visitor is a bot (whose visit is not counted), if the visit was lost, or if the link no longer earns.
 */
async function recordVisit(
  services: Services,
  visit: Visit,
  { token, account_id, target }: FoundLink,
): Promise<{ target: LinkTarget | null; referral: ChosenReferral | null }> {
  const { links, visits } = intakeOf(services);
  const at = (await clockOf(services, target.account_id)).now();
  const queued = queuedVisit(services, visit, target, at);
  const outcome = await visits.record(queued);
  if (outcome.kind === 'written') return { target, referral: outcome.referral };
  if (outcome.kind === 'lost' || (outcome.kind === 'kept' && isProgram(queued.row.bot_reason))) return { target, referral: null };
  if (outcome.kind === 'kept') {
    const { known_id, referral_id, expires_at } = queued.row;
    return { target, referral: { id: known_id ?? referral_id, expires_at } };
  }
  links.forget(token, account_id);
  const present = await findTarget(services, token, account_id);
  if (!present || !isEarning(present)) return { target: present, referral: null };
  return recordVisit(services, visit, { token, account_id, target: present });
}

function queuedVisit(
  services: Services,
  { knownReferralId, arrival, client, mayBeKept }: Visit,
  target: EarningTarget,
  now: Date,
) {
  const at = toInstant(now);
  const { account_id, version } = target;
  const facts = clickFactsOf(services, { account_id, arrival, client, at });
  return {
    account_id,
    version,
    mayBeKept,
    facts,
    row: {
      at,
      link_id: target.id,
      affiliate_id: target.affiliate_id,
      campaign_id: target.campaign_id,
      referral_id: newId('referral', now),
      expires_at: plusDays(at, target.days_before_referrals_expire),
      known_id: knownReferralId ?? null,
      is_last_click: target.attribution === 'last_click',
      // A typed client that follows a link states nothing about a browser.
      bot_reason:
        (client === undefined ? null : botReasonOf(client.userAgent)) ?? (TEST_MARK.test(facts.sub5 ?? '') ? 'test_visit' : null),
    },
  };
}
