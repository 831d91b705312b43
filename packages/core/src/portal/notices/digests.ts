import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import type { MustStop } from '../../platform/db/purge-in-batches.ts';
import { decimalAmount } from '../../platform/money/decimal.ts';
import { plusDays, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { firstIdAt } from '../../platform/wire/ids.ts';
import { BATCH, notifyOnce } from './notify-once.ts';
import { unsubscribeUrl } from './unsubscribe.ts';

/** A commission may become visible up to a minute after its time (docs/domain-rules.md#time). */
const SETTLED_MS = 2 * 60_000;
/** Accounts for which one run writes digests. The next run goes on. */
const ACCOUNTS = 100;

/** Digests of an account that are due: of commissions from the day `since` until the day before `until`, in its time zone. */
interface DueDigests {
  account_id: string;
  digest: 'daily' | 'weekly';
  time_zone: string;
  since: string;
  until: string;
}

/**
 * Writes the mails about earned commissions of all days and weeks that are over (docs/domain-rules.md#mails-to-affiliates): one for each
 * affiliate and period. Periods that were missed are put together in one mail. Returns the number of mails.
 */
export async function writeDigests(services: Services, mustStop: MustStop): Promise<number> {
  let written = 0;
  for (const due of await findDue(services)) {
    for (let after = ''; ;) {
      if (mustStop()) return written;
      const batch = await findEarned(services, due, after);
      written += await notifyOnce(
        services,
        due.account_id,
        'commission_digest',
        batch.map((earned) => noticeOf(services, due, earned)),
      );
      if (batch.length < BATCH) break;
      after = batch.at(-1)!.affiliate_id;
    }
    await moveOn(services, due);
  }
  return written;
}

async function findDue({ database, clock }: Services): Promise<DueDigests[]> {
  const settled = plusMilliseconds(toInstant(clock.now()), -SETTLED_MS);
  const { rows } = await sql<DueDigests>`
    select account.id as account_id, kind.digest, account.time_zone, period.until::text as until,
      coalesce(progress.until, period.until - kind.days)::text as since
    from account
    cross join (values ('daily', 'day', 1), ('weekly', 'week', 7)) as kind (digest, unit, days)
    cross join lateral (
      select date_trunc(kind.unit, ${settled}::timestamptz at time zone account.time_zone)::date as until
    ) period
    left join digest_progress progress on progress.account_id = account.id and progress.digest = kind.digest
    where progress.until is null or progress.until < period.until
    order by account.id, kind.digest limit ${ACCOUNTS}`.execute(database.kysely);
  return rows;
}

interface Earned {
  affiliate_id: string;
  email: string;
  since: string;
  count: number;
  sums: { currency: string; amount_cents: number }[];
}

/** What affiliates have earned in a period. The former mail of an affiliate who has changed between days and weeks counts, too. */
async function findEarned({ database }: Services, due: DueDigests, after: string): Promise<Earned[]> {
  const { account_id, digest, time_zone, since, until } = due;
  const midnight = (day: unknown) => sql`((${day})::date::timestamp at time zone ${time_zone})`;
  const { rows } = await sql<Earned>`
    select affiliate_id, email, since, sum(count)::int as count,
      jsonb_agg(jsonb_build_object('currency', currency, 'amount_cents', amount_cents) order by currency) as sums
    from (
      select reader.affiliate_id, reader.email, reader.since, commission.currency, count(*) as count, sum(commission.amount_cents) as amount_cents
      from (
        select affiliate.id as affiliate_id, affiliate.email, greatest(
          ${since}, (select max(occasion) from affiliate_notice where affiliate_id = affiliate.id and mail = 'commission_digest')) as since
        from affiliate
        where affiliate.account_id = ${account_id} and affiliate.id > ${after} and affiliate.digest = ${digest}
          and affiliate.user_id is not null and affiliate.archived_at is null and affiliate.state in ('active', 'suspicious', 'disabled')
      ) reader
      join commission on commission.affiliate_id = reader.affiliate_id and commission.account_id = ${account_id}
        and commission.livemode and commission.state <> 'voided'
        and commission.id >= ${firstIdAt('commission', new Date(plusDays(`${since}T00:00:00.000Z`, -9)))}
        and commission.created_at >= ${midnight(sql`reader.since`)} and commission.created_at < ${midnight(until)}
      group by 1, 2, 3, 4
      having sum(commission.amount_cents) > 0
    ) earned
    group by affiliate_id, email, since
    order by affiliate_id limit ${BATCH}`.execute(database.kysely);
  return rows;
}

function noticeOf(services: Services, { until }: DueDigests, { affiliate_id, email, since, count, sums }: Earned) {
  const amounts = sums.map(({ currency, amount_cents }) => `${decimalAmount(amount_cents, currency)} ${currency}`);
  return {
    affiliate_id,
    occasion: until,
    to: email,
    values: {
      amount: new Intl.ListFormat('en').format(amounts),
      commissions: `${count} ${count === 1 ? 'commission' : 'commissions'}`,
      from: since,
      to: plusDays(`${until}T00:00:00.000Z`, -1).slice(0, 10),
    },
    unsubscribeUrl: unsubscribeUrl(services, affiliate_id),
  };
}

async function moveOn({ database }: Services, { account_id, digest, until }: DueDigests): Promise<void> {
  await sql`
    insert into digest_progress as progress (account_id, digest, until) values (${account_id}, ${digest}, ${until})
    on conflict (account_id, digest) do update set until = greatest(progress.until, excluded.until)`.execute(database.kysely);
}

/** Deletes notes about digests that no later one looks at. Returns how many. */
export async function purgeNotices({ database, clock }: Services): Promise<number> {
  const { numDeletedRows } = await database.kysely
    .deleteFrom('affiliate_notice')
    .where('mail', '=', 'commission_digest')
    .where('created_at', '<', plusDays(toInstant(clock.now()), -35))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
