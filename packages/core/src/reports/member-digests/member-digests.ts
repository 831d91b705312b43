import { type RawBuilder, sql } from 'kysely';
import { replaceUnknownTimeZones } from '../../identity/accounts/time-zone.ts';
import { type MemberLetter, tellMembers } from '../../identity/members/member-mails.ts';
import { NEEDS_REVIEW } from '../../ledger/commissions/commission.transitions.ts';
import { eligiblePayouts } from '../../ledger/payouts/payout.queries.ts';
import type { Services } from '../../platform/call/context.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { amountIn, inLanguage, listIn } from '../../platform/mail/in-language.ts';
import { Failures } from '../../platform/sweeps/failures.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { type Instant, plusDays, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { firstIdAt, ID_SLACK_MS, type RecordKind } from '../../platform/wire/ids.ts';
import type { MemberMail } from '../../platform/wire/states.ts';
import { REPORT_MAILS } from '../mail-texts.ts';

/** Maximum number of days for which records are looked up, e.g. after a month without a worker. */
const MAX_DAYS = 7;
/** Time after which members get an email about an endpoint whose deliveries all fail. */
const FAILING_MS = 3_600_000;

/** Times that one run of `writeMemberDigests` uses. */
interface DigestTimes {
  now: Instant;
  /** End of the period that emails cover. */
  until: Instant;
  /** An account that got an email after this time does not get another one yet. */
  reported_before: Instant;
  /** Start of the period that an account's first email covers. */
  first: Instant;
}

/** An email that is due to the members of an account. */
interface DueDigest {
  account_id: string;
  /** End of the period that the previous email covered, or null before the first email. */
  reported_until: Instant | null;
  /** Loads the content of the email. Null if there is nothing to report to the account. */
  loadLetter: () => Promise<Letter | null>;
}

type Letter = (language: Language) => MemberLetter;

interface DigestKind {
  mail: MemberMail;
  find: (services: Services, times: DigestTimes) => Promise<DueDigest[]>;
}

const DIGESTS: readonly DigestKind[] = [
  { mail: 'applications', find: newApplications },
  { mail: 'flagged_commissions', find: flaggedCommissions },
  { mail: 'failing_endpoints', find: failingEndpoints },
  { mail: 'payouts_due', find: duePayouts },
];

/** SQL join: for each account, its row of `member_mail_progress` for this kind of email, as `progress`. */
function progressOf(mail: MemberMail) {
  return sql`left join member_mail_progress progress on progress.account_id = account.id and progress.mail = ${mail}`;
}

/** SQL expression: the end of the period that the previous email covered, with full precision, because it is compared later. */
const REPORTED_UNTIL = sql`wire_time(progress.until) as reported_until`;

/** SQL condition: the occurrence at `at` is later than the account's last digest, and the minimum interval since that digest has passed. */
function isNew(at: RawBuilder<unknown>, times: DigestTimes) {
  return sql<boolean>`${at} > coalesce(progress.until, ${times.first}::timestamptz) and ${at} <= ${times.until}::timestamptz
      and (progress.until is null or progress.until <= ${times.reported_before}::timestamptz)`;
}

/** Returns a lower bound of the ids of records that were created within the last `MAX_DAYS` days. */
function earliestId(kind: RecordKind, { until }: DigestTimes): string {
  return firstIdAt(kind, new Date(plusMilliseconds(plusDays(until, -MAX_DAYS), -ID_SLACK_MS)));
}

/** Returns a digest for each row. `write` composes its email. */
function digestsOf<Row extends { account_id: string; reported_until: Instant | null }>(
  rows: readonly Row[],
  write: (say: ReturnType<typeof inLanguage>, row: Row) => MemberLetter,
): DueDigest[] {
  return rows.map((row) => ({
    account_id: row.account_id,
    reported_until: row.reported_until,
    loadLetter: async () => (language) => write(inLanguage(language), row),
  }));
}

async function newApplications({ database }: Services, times: DigestTimes): Promise<DueDigest[]> {
  const { rows } = await sql<{ account_id: string; reported_until: Instant | null; count: number }>`
    select account.id as account_id, ${REPORTED_UNTIL}, count(*)::int as count
    from affiliate join affiliate_application application on application.affiliate_id = affiliate.id
      join account on account.id = affiliate.account_id ${progressOf('applications')}
    where affiliate.id >= ${earliestId('affiliate', times)} and affiliate.state = 'pending' and application.decided_at is null
      and ${isNew(sql`affiliate.created_at`, times)}
    group by account.id, progress.until`.execute(database.kysely);
  const t = REPORT_MAILS.applications;
  return digestsOf(rows, (say, { count }) => ({
    subject: say(t.subject, { count }),
    lines: [say(t.waiting, { count })],
    link: { label: say(t.link), path: '/affiliates/applications' },
  }));
}

/**
 * Finds new commissions that wait for a review. A commission that someone flags by hand later is not found, because the person who flags it knows
 * about it.
 */
async function flaggedCommissions({ database }: Services, times: DigestTimes): Promise<DueDigest[]> {
  const { rows } = await sql<{ account_id: string; reported_until: Instant | null; count: number }>`
    select account.id as account_id, ${REPORTED_UNTIL}, count(*)::int as count
    from commission join account on account.id = commission.account_id ${progressOf('flagged_commissions')}
    where ${NEEDS_REVIEW} and commission.livemode and commission.id >= ${earliestId('commission', times)}
      and ${isNew(sql`commission.created_at`, times)}
    group by account.id, progress.until`.execute(database.kysely);
  const t = REPORT_MAILS.flaggedCommissions;
  return digestsOf(rows, (say, { count }) => ({
    subject: say(t.subject, { count }),
    lines: [say(t.flagged, { count })],
    link: { label: say(t.link), path: '/commissions/review' },
  }));
}

/**
 * Finds active endpoints that have failed for an hour. The email about a deactivated endpoint is written elsewhere, in the transaction that
 * deactivates it.
 */
async function failingEndpoints({ database }: Services, times: DigestTimes): Promise<DueDigest[]> {
  const since = sql`endpoint.failing_since + ${FAILING_MS} * interval '1 millisecond'`;
  const { rows } = await sql<{ account_id: string; reported_until: Instant | null; names: string[] }>`
    select account.id as account_id, ${REPORTED_UNTIL}, array_agg(endpoint.name order by endpoint.id) as names
    from webhook_endpoint endpoint join account on account.id = endpoint.account_id ${progressOf('failing_endpoints')}
    where endpoint.active and endpoint.failing_since is not null
      and ${isNew(since, times)}
    group by account.id, progress.until`.execute(database.kysely);
  const t = REPORT_MAILS.failingEndpoints;
  return digestsOf(rows, (say, { names }) => ({
    subject: say(t.subject, { count: names.length }),
    lines: [say(t.failing, { names: names.join(', ') })],
    link: { label: say(t.link), path: '/settings/webhooks' },
  }));
}

/**
 * Finds accounts whose weekly email about payouts to pay is due. It is due from Monday at eight o'clock in the account's time zone. The payouts of
 * each account are read separately, by `loadLetter`. An account without payouts to pay gets no email and is checked again on the next Monday.
 */
async function duePayouts({ database }: Services, times: DigestTimes): Promise<DueDigest[]> {
  const monday = sql`((date_trunc('week', ${times.until}::timestamptz at time zone account.time_zone) + interval '8 hours') at time zone account.time_zone)`;
  const { rows: accounts } = await sql<{ account_id: string; reported_until: Instant | null }>`
    select account.id as account_id, ${REPORTED_UNTIL}
    from account ${progressOf('payouts_due')}
    where coalesce(progress.until, greatest(account.created_at, ${times.first}::timestamptz)) < ${monday} and ${monday} <= ${times.until}::timestamptz
      and exists (
        select from member_mail_choice choice where choice.account_id = account.id and 'payouts_due' = any (choice.mails))`.execute(
    database.kysely,
  );
  return accounts.map((account) => ({
    ...account,
    loadLetter: async () => {
      const sums = await eligiblePayouts(
        { db: database.kysely, now: times.now, accountId: account.account_id },
        { livemode: true },
      )
        .select([
          'payout.currency',
          sql<number>`count(*)::int`.as('count'),
          sql<number>`sum(payout.amount_cents)::float8`.as('amount_cents'),
        ])
        .groupBy('payout.currency')
        .orderBy('payout.currency')
        .execute();
      return payoutsLetter(sums);
    },
  }));
}

function payoutsLetter(sums: readonly { currency: string; count: number; amount_cents: number }[]): Letter | null {
  const count = sums.reduce((total, each) => total + each.count, 0);
  if (count === 0) return null;
  return (language) => {
    const say = inLanguage(language);
    const t = REPORT_MAILS.payoutsDue;
    const amounts = listIn(
      language,
      sums.map((sum) => amountIn(language, sum)),
    );
    return {
      subject: say(t.subject, { count }),
      lines: [say(t.payable, { count, amounts })],
      link: { label: say(t.link), path: '/payouts' },
    };
  };
}

/**
 * Records younger than this are left for the next email, because a record may become visible up to a minute after its time
 * (docs/rules/platform.md#time).
 */
const SETTLED_MS = 2 * 60_000;
/** Minimum time between two emails of the same kind to an account. */
const EVERY_MS = 3_600_000;
/** Number of days covered by the first digest of each kind that an account gets. */
const FIRST_DAYS = 1;

/**
 * Writes the emails to members about what has happened since their last email (docs/rules/identity.md#mails-to-members). The emails of an account
 * and the end of the period that they cover are committed together. Each member therefore gets exactly one email about an occurrence, even if
 * a process is killed or several processes call this function at once. Returns the number of accounts that got an email.
 *
 * @throws the first failure, after the emails of all other accounts have been written
 */
export async function writeMemberDigests(services: Services, mustStop: MustStop): Promise<number> {
  const now = toInstant(services.clock.now());
  const until = plusMilliseconds(now, -SETTLED_MS);
  const times = { now, until, reported_before: plusMilliseconds(until, -EVERY_MS), first: plusDays(until, -FIRST_DAYS) };
  // Otherwise one account's unknown time zone would make the statement about the payouts of all accounts fail.
  await replaceUnknownTimeZones(services);
  const failures = new Failures(services, 'emails to members not written; a later run tries again');
  let reported = 0;
  for (const { mail, find } of DIGESTS) {
    for (const due of await find(services, times)) {
      if (mustStop()) break;
      if (await failures.attempt({ account_id: due.account_id, mail }, () => tell(services, mail, due, until))) reported += 1;
    }
  }
  if (reported > 0) services.jobs.send('mail');
  failures.throwFirst();
  return reported;
}

/**
 * Records the end of the period that an account's email covers, and writes the email if there is something to report. Returns true if it wrote
 * an email.
 */
async function tell(services: Services, mail: MemberMail, due: DueDigest, until: Instant): Promise<boolean> {
  const letter = await due.loadLetter();
  return services.database.transaction(async (db) => {
    const { rows } = await sql`
      insert into member_mail_progress as progress (account_id, mail, until) values (${due.account_id}, ${mail}, ${until}::timestamptz)
      on conflict (account_id, mail) do update set until = excluded.until where progress.until = ${due.reported_until}::timestamptz
      returning account_id`.execute(db);
    if (rows.length === 0 || !letter) return false;
    await tellMembers({ services, db, accountId: due.account_id, now: until }, mail, letter);
    return true;
  });
}
