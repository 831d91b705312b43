import { sql } from 'kysely';
import type { MemberMail } from '../../platform/wire/states.ts';
import { replaceUnknownTimeZones } from '../../identity/accounts/known-time-zones.ts';
import { tellMembers } from '../../identity/members/member-mails.ts';
import type { Services } from '../../platform/call/context.ts';
import type { MustStop } from '../../platform/db/purge-in-batches.ts';
import { type Instant, plusDays, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { DIGESTS, type DueDigest } from './due-digests.ts';

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
  const times = { now, until, told_before: plusMilliseconds(until, -EVERY_MS), first: plusDays(until, -FIRST_DAYS) };
  // Otherwise one account's unknown time zone would make the statement about the payouts of all accounts fail.
  await replaceUnknownTimeZones(services);
  const failures: unknown[] = [];
  let told = 0;
  for (const { mail, find } of DIGESTS) {
    for (const due of await find(services, times)) {
      if (mustStop()) return told;
      try {
        if (await tell(services, mail, due, until)) told += 1;
      } catch (err) {
        services.log.error({ err, account_id: due.account_id, mail }, 'emails to members not written; a later run tries again');
        failures.push(err);
      }
    }
  }
  if (told > 0) services.jobs.send('mail');
  if (failures.length > 0) throw failures[0];
  return told;
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
      on conflict (account_id, mail) do update set until = excluded.until where progress.until = ${due.told_until}::timestamptz
      returning account_id`.execute(db);
    if (rows.length === 0 || !letter) return false;
    await tellMembers({ services, db, accountId: due.account_id, now: until }, mail, letter);
    return true;
  });
}
