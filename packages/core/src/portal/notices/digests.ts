import { type RawBuilder, sql } from 'kysely';
import { replaceUnknownTimeZones } from '../../identity/accounts/time-zone.ts';
import { explainToAffiliate } from '../../ledger/commissions/explain-amounts.ts';
import type { Services } from '../../platform/call/context.ts';
import { changeApart } from '../../platform/db/claim.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { amountIn, dayIn, inLanguage, listIn } from '../../platform/mail/in-language.ts';
import { Failures, Leftovers } from '../../platform/sweeps/failures.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { type Instant, plusDays, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { ID_SLACK_MS, firstIdAt } from '../../platform/wire/ids.ts';
import type { Digest } from '../../platform/wire/states.ts';
import { GETS_PROGRAM_MAILS } from '../../program/affiliate-mails/program-mails.ts';
import { startOfDay } from '../../reports/analytics/counts.queries.ts';
import { PORTAL_MAILS } from '../mail-texts.ts';
import { BATCH, notifyOnce } from './notify-once.ts';

/**
 * Time between the end of a period and its digests, because a commission may become visible up to a minute after its own time
 * (docs/rules/platform.md#time).
 */
const SETTLED_MS = 2 * 60_000;
/** Number of due digests that are loaded at once. */
const ACCOUNTS = 100;
/** Days of tolerance for a changed time zone, which moves the midnight of a date by up to 26 hours. */
const ZONE_DAYS = 2;

/**
 * A daily or weekly digest that is due in an account. It covers the days from `since` until the day before `until`, in the account's time zone. `each`
 * stands for an email for each commission until `until_at`, and is due whenever an affiliate wants such emails.
 */
interface DueDigests {
  account_id: string;
  digest: Exclude<Digest, 'none'>;
  time_zone: string;
  since: string;
  until: string;
  /** Instant at which the day `until` begins. */
  until_at: Instant;
  /**
   * Day on which the period of the last weekly digest ended. Each digest looks back to this day, in case an affiliate has changed between daily and
   * weekly digests since then.
   */
  week: string;
}

/**
 * Writes the emails about earned commissions for all days and weeks that have ended (docs/rules/program.md#mails-to-affiliates). Each affiliate
 * gets one email per period. If no worker ran for several periods, one email covers them all. Returns the number of emails.
 *
 * @throws the first failure, after the digests of all other accounts have been written
 */
export async function writeDigests(services: Services, mustStop: MustStop): Promise<number> {
  const settled = plusMilliseconds(toInstant(services.clock.now()), -SETTLED_MS);
  // An unknown time zone of a single account would break the statements that cover all accounts.
  await replaceUnknownTimeZones(services);
  const left = new Leftovers();
  await moveOnWithoutReaders(services, settled, left);
  const failures = new Failures(services, 'digests not written; will be retried');
  let written = 0;
  let last: Place = { account_id: '', digest: '' };
  for (let accounts = await findDue(services, settled, last); accounts.length > 0 && !mustStop();) {
    for (const due of accounts) {
      if (mustStop()) break;
      const { account_id, digest } = due;
      written += (await failures.attempt({ account_id, digest }, () => writeDigestsOf(services, due, mustStop))) ?? 0;
    }
    last = accounts.at(-1)!;
    accounts = await findDue(services, settled, last);
  }
  left.throwCause();
  failures.throwFirst();
  return written;
}

async function writeDigestsOf(services: Services, due: DueDigests, mustStop: MustStop): Promise<number> {
  const left = new Leftovers();
  let written = 0;
  let inPass = 0;
  for (let after = ''; ;) {
    if (mustStop()) return written;
    const batch = await findEarned(services, due, after);
    const told = await notifyOnce(
      services,
      { accountId: due.account_id, mail: 'commission_digest' },
      due.digest === 'each' ? await noticesOfEach(services, due, batch) : batch.map((earned) => noticeOf(due, earned)),
      left,
    );
    [written, inPass] = [written + told, inPass + told];
    after = batch.at(-1)?.affiliate_id ?? after;
    if (batch.length === BATCH) continue;
    // A pass tells each affiliate of one commission.
    if (due.digest !== 'each' || inPass === 0) break;
    [after, inPass] = ['', 0];
  }
  // The period ends when the last affiliate has been told of it. The others are not told again.
  left.throwCause();
  if (due.digest !== 'each') await moveOn(services, due.account_id, due.digest, due.until);
  return written;
}

/**
 * SQL for a `from` clause: the digests that are due. Provides `account`, `kind` (each, daily or weekly), `period` (the end of the digest's period) and
 * `progress` (the end of the previous digest's period).
 */
function dueKinds(settled: Instant) {
  return sql`
    account cross join (values ('daily', 'day', 1), ('each', 'day', 1), ('weekly', 'week', 7)) as kind (digest, unit, days)
    cross join lateral (
      select date_trunc(kind.unit, ${settled}::timestamptz at time zone account.time_zone)::date + (kind.digest = 'each')::integer as until
    ) period
    left join digest_progress progress on progress.account_id = account.id and progress.digest = kind.digest
    where case kind.digest
      when 'each' then exists (select from affiliate where affiliate.account_id = account.id and affiliate.digest = 'each')
      else progress.until is null or progress.until < period.until end`;
}

/** Account and kind of the last digest that was loaded. The next batch starts after it. */
interface Place {
  account_id: string;
  digest: string;
}

/** Finds the due digests that come after `last`, ordered by account. The daily digest of an account comes before its weekly digest. */
async function findDue({ database }: Services, settled: Instant, last: Place): Promise<DueDigests[]> {
  const { rows } = await sql<DueDigests>`
    select account.id as account_id, kind.digest, account.time_zone, period.until::text as until,
      case kind.digest when 'each' then wire_time(${settled}::timestamptz)
        else wire_time(period.until::timestamp at time zone account.time_zone) end as until_at,
      coalesce(progress.until, period.until - kind.days)::text as since,
      coalesce(
        (select until from digest_progress where account_id = account.id and digest = 'weekly'),
        date_trunc('week', period.until)::date - 7)::text as week
    from ${dueKinds(settled)} and (account.id, kind.digest) > (${last.account_id}, ${last.digest})
    order by account.id, kind.digest limit ${ACCOUNTS}`.execute(database.kysely);
  return rows;
}

/** Advances the progress of due digests in accounts where no affiliate gets this kind of digest. Does not read the accounts' commissions. */
async function moveOnWithoutReaders(services: Services, settled: Instant, left: Leftovers): Promise<void> {
  const db = services.database.kysely;
  const due = sql`${dueKinds(settled)} and kind.digest <> 'each' and not exists (
    select from affiliate
    where affiliate.account_id = account.id and affiliate.archived_at is null and ${GETS_PROGRAM_MAILS}
      and (affiliate.digest = kind.digest or (kind.digest = 'weekly' and affiliate.digest = 'daily')))`;
  await changeApart(
    services,
    {
      table: 'digest_progress',
      find: () => sql`select distinct account.id as name from ${due}`,
      name: sql`account.id`,
      change: async (_, isWanted) => {
        await sql`
          insert into digest_progress as progress (account_id, digest, until)
          select account.id, kind.digest, period.until from ${due} and ${isWanted}
          order by account.id, kind.digest
          on conflict (account_id, digest) do update set until = greatest(progress.until, excluded.until)`.execute(db);
        return [];
      },
    },
    left,
  );
}

interface Earned {
  affiliate_id: string;
  /** The first of the commissions. */
  commission_id: string;
  email: string;
  since: string;
  count: number;
  sums: { currency: string; amount_cents: number }[];
}

/**
 * Finds the affiliates who get this digest, with the sums of the commissions that they earned since their last digest of either kind, but not
 * before `week`. The weekly digest also includes affiliates who chose daily digests. Otherwise an affiliate who switches to daily while the
 * digests are being written would get neither the daily nor the weekly one. `since` in the result is the first day of the period, or an earlier
 * day with a commission. With `each`, finds the first commission of each affiliate that no email has told yet.
 */
async function findEarned({ database }: Services, due: DueDigests, after: string): Promise<Earned[]> {
  const { account_id, digest, time_zone, since, until_at, week } = due;
  const midnight = (day: unknown) => startOfDay(time_zone, day);
  const earliest = plusDays(`${week}T00:00:00.000Z`, -2 * ZONE_DAYS);
  const { rows } = await sql<Earned>`
    select affiliate_id, email, min(first_id) as commission_id, greatest(min(noticed)::text, least(${since}, min(first)::text)) as since, sum(count)::int as count,
      jsonb_agg(jsonb_build_object('currency', currency, 'amount_cents', amount_cents) order by currency) as sums
    from (
      select reader.affiliate_id, reader.email, (reader.noticed at time zone ${time_zone})::date as noticed,
        min((commission.created_at at time zone ${time_zone})::date) as first, min(commission.id) as first_id,
        commission.currency, count(*) as count, sum(commission.amount_cents) as amount_cents
      from (
        select affiliate.id as affiliate_id, affiliate.email, (
          select max(occasion::timestamptz)
          from affiliate_notice where affiliate_id = affiliate.id and mail = 'commission_digest' and ${IS_PERIOD}) as noticed
        from affiliate
        where affiliate.account_id = ${account_id} and affiliate.id > ${after}
          and (affiliate.digest = ${digest} or (${digest} = 'weekly' and affiliate.digest = 'daily'))
          and ${GETS_PROGRAM_MAILS} and affiliate.archived_at is null and affiliate.state in ('active', 'suspicious', 'disabled')
      ) reader
      join lateral (
        select * from commission
        where commission.affiliate_id = reader.affiliate_id and commission.account_id = ${account_id}
          and commission.livemode and commission.state <> 'voided' and commission.kind <> 'imported'
          and commission.id >= ${firstIdAt('commission', new Date(plusMilliseconds(earliest, -ID_SLACK_MS)))}
          and commission.created_at >= greatest(reader.noticed, ${midnight(week)} - ${ZONE_DAYS} * interval '1 day')
          and commission.created_at < ${until_at}::timestamptz
          and not exists (
            select from affiliate_notice told
            where told.affiliate_id = reader.affiliate_id and told.mail = 'commission_digest' and told.occasion = commission.id)
        ${digest === 'each' ? sql`and commission.amount_cents > 0 and not ${IS_MOVED} order by commission.id limit 1` : sql``}
      ) commission on true
      group by 1, 2, 3, commission.currency
      having sum(commission.amount_cents) > 0
    ) earned
    group by affiliate_id, email
    order by affiliate_id limit ${BATCH}`.execute(database.kysely);
  return rows;
}

/** SQL condition: a row of `commission` is an amount that was moved from one payout of the affiliate to another, with its counterpart. Nothing was earned. */
const IS_MOVED = sql<boolean>`(commission.kind = 'manual' and exists (
  select from commission counterpart
  where counterpart.account_id = commission.account_id and counterpart.created_at = commission.created_at and counterpart.sale_id is null
    and counterpart.affiliate_id = commission.affiliate_id and counterpart.kind = 'manual' and counterpart.currency = commission.currency
    and counterpart.amount_cents = -commission.amount_cents))`;

/** SQL condition: the row of `affiliate_notice` is about a period, not about a commission. */
const IS_PERIOD = sql`occasion ~ '^\\d'`;

/** Returns the notices of single commissions, with the steps to their amounts. */
async function noticesOfEach(services: Services, { account_id }: DueDigests, batch: readonly Earned[]) {
  const read = async <Row>(statement: RawBuilder<Row>) => (await statement.execute(services.database.kysely)).rows;
  const explanations = await explainToAffiliate(
    { accountId: account_id, read },
    batch.map(({ commission_id: id }) => ({ id })),
  );
  return batch.map(({ affiliate_id, commission_id, email, sums, since }, at) => ({
    affiliate_id,
    occasion: commission_id,
    to: email,
    values: {
      amount: amountOf(sums),
      commissions: '',
      from: '',
      to: '',
      day: (language: Language) => dayIn(language, since, 'UTC'),
      explanation: (language: Language) => explanations[at]!.in_words[language],
    },
  }));
}

function amountOf(sums: Earned['sums']) {
  return (language: Language) =>
    listIn(
      language,
      sums.map((sum) => amountIn(language, sum)),
    );
}

function noticeOf({ until, until_at }: DueDigests, { affiliate_id, email, since, count, sums }: Earned) {
  const last = plusDays(`${until}T00:00:00.000Z`, -1);
  return {
    affiliate_id,
    occasion: until_at,
    to: email,
    values: {
      amount: amountOf(sums),
      commissions: (language: Language) => inLanguage(language)(PORTAL_MAILS.digest.commissions, { count }),
      from: (language: Language) => dayIn(language, since, 'UTC'),
      to: (language: Language) => dayIn(language, last, 'UTC'),
      day: '',
      explanation: '',
    },
  };
}

async function moveOn({ database }: Services, account_id: string, digest: 'daily' | 'weekly', until: string): Promise<void> {
  await sql`
    insert into digest_progress as progress (account_id, digest, until) values (${account_id}, ${digest}, ${until})
    on conflict (account_id, digest) do update set until = greatest(progress.until, excluded.until)`.execute(database.kysely);
}
