import type { ClientFacts, Services } from '../../platform/call/context.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { clickFactsOf } from '../../program/clicks/record-click.ts';
import { type VisitRow, writeVisits } from './write-visits.ts';

/** A visit of a person to a tracked link, by a browser without a referral. */
interface PastVisit {
  at: Instant;
  link: { id: string; url: string; affiliate_id: string; campaign_id: string };
  /** Time at which the referral of the visit expires. */
  expires_at: Instant;
  client: ClientFacts;
}

/**
 * Records visits of the past, for the example (docs/rules/program.md#the-example). Visits of real people go through the visit queue.
 *
 * @param visits visits of one UTC day, not later than the services' clock, in the order of their times
 * @returns the ids of the referrals that the visits start, in the order of the visits
 */
export async function recordPastVisits(services: Services, accountId: string, visits: readonly PastVisit[]): Promise<string[]> {
  const [first] = visits;
  if (!first) return [];
  const rows = visits.map(({ at, link, expires_at, client }) => {
    const arrival = { landing: link.url, referrer: client.referrer ?? null, parameters: client.query };
    const row: VisitRow = {
      at,
      link_id: link.id,
      affiliate_id: link.affiliate_id,
      campaign_id: link.campaign_id,
      referral_id: newId('referral', new Date(at)),
      expires_at,
      known_id: null,
      is_last_click: false,
      bot_reason: null,
    };
    return { ...row, ...clickFactsOf(services, { account_id: accountId, arrival, client, at }) };
  });
  await writeVisits(services.database.kysely, {
    account_id: accountId,
    day: first.at.slice(0, 10),
    visits: rows.map((row, place) => JSON.stringify({ place, version: null, is_repeated: false, ...row })),
    now: toInstant(services.clock.now()),
  });
  return rows.map(({ referral_id }) => referral_id);
}
