import { sql } from 'kysely';
import type { ClientFacts, Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { BotReason } from './bots.ts';
import type { TouchRule } from './click.states.ts';
import { type Arrival, clickSourceOf } from './click-source.ts';
import { visitorKeyOf } from './visitor-key.ts';

/** A click on a link, with where it came from. */
export interface NewClick {
  link: { id: string; account_id: string; affiliate_id: string; campaign_id: string };
  arrival: Arrival;
  client: ClientFacts | undefined;
  at: Instant;
}

/**
 * Records a click of a person and counts it, in one statement (docs/domain-rules.md#clicks). A click is unique when it is the visitor's first
 * on this link and UTC day.
 */
export async function recordClick(
  { db, services }: { db: Db; services: Services },
  click: NewClick,
  { referral_id, rule }: { referral_id: string; rule: TouchRule },
): Promise<void> {
  const { link, at } = click;
  await sql`
    with counted as (
      insert into link_clicks (link_id, day, account_id, clicks) values (${link.id}, ${at.slice(0, 10)}, ${link.account_id}, 1)
      on conflict (link_id, day) do update set clicks = link_clicks.clicks + 1
    )
    ${insertion(services, click, { referral_id, rule, bot_reason: null })}`.execute(db);
}

/** Records a request that no person made. It counts nowhere. */
export async function recordBotClick({ db, services }: { db: Db; services: Services }, click: NewClick, reason: BotReason) {
  await insertion(services, click, { referral_id: null, rule: null, bot_reason: reason }).execute(db);
}

function insertion(
  services: Services,
  { link, arrival, client, at }: NewClick,
  outcome: { referral_id: string | null; rule: TouchRule | null; bot_reason: BotReason | null },
) {
  const day = at.slice(0, 10);
  const key = Buffer.from(visitorKeyOf(services, link.account_id, day, client)).toString('hex');
  const source = clickSourceOf(arrival, client);
  const names = Object.keys(source) as (keyof typeof source)[];
  return sql`
    insert into click (day, at, account_id, link_id, affiliate_id, campaign_id, referral_id, rule, bot_reason, visitor_key, is_unique,
      ${sql.join(names.map((name) => sql.ref(name)))})
    select ${day}::date, ${at}::timestamptz, ${link.account_id}, ${link.id}, ${link.affiliate_id}, ${link.campaign_id},
      ${outcome.referral_id}, ${outcome.rule}, ${outcome.bot_reason}, decode(${key}, 'hex'),
      ${outcome.bot_reason === null} and not exists (
        select from click known where known.day = ${day}::date and known.link_id = ${link.id} and known.visitor_key = decode(${key}, 'hex')
          and known.bot_reason is null
      ),
      ${sql.join(names.map((name) => sql`${source[name]}::text`))}`;
}
